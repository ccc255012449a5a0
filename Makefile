# Perennial: the two commands are `make demo` and `make test`; `make help` lists the rest.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# Beside the shared test vectors they are used; elsewhere the tests that need them say that they are skipped.
ifndef PERENNIAL_VECTORS
ifneq ($(wildcard ../shared/vectors),)
export PERENNIAL_VECTORS := $(abspath ../shared/vectors)
endif
endif

.PHONY: help demo test check format bench release clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

demo: release ## build, start a local App Store and the server, sell a year of subscriptions, print URLs and keys
	@exec .build/release/perennial demo

test: ## everything the project claims, checked: layers, format, warnings, Swift tests, Apple's official client
	@scripts/test.sh

check: ## the cheap checks only: layers and format
	@scripts/check-layers.py
	@scripts/check-format.sh

format: ## format the Swift files in place
	@swift format --in-place --recursive --parallel --configuration .swift-format \
		$(wildcard Sources Tests Package.swift Benchmarks)

bench: release ## measure: raw P-256 beside verified payloads, and the nested benchmark package
	@.build/release/perennial bench verify --json
	@swift package --package-path Benchmarks benchmark

release: ## the optimised program, .build/release/perennial
	@scripts/install-dependencies.sh build
	@swift build -c release --product perennial

clean: ## remove what was built
	@rm -rf .build .venv
