# Perennial: the two commands are `make demo` and `make test`; `make help` lists the rest.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# Beside the shared test vectors they are used; elsewhere the tests that need them say that they are skipped.
ifndef PERENNIAL_VECTORS
ifneq ($(wildcard ../shared/vectors),)
export PERENNIAL_VECTORS := $(abspath ../shared/vectors)
endif
endif

# On Linux Swift's own libraries are part of the program: it runs where Swift is not installed. Equal functions are kept
# once, which with the layout that follows takes 3 MB from what is resident.
linking := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib -Xlinker --icf=safe)

.PHONY: help demo test api-fuzz outage oracle simulate soak test-release test-threads check format generate docs bench
.PHONY: compare vectors scoreboard fuzz release test-program clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

demo: release ## build, start a local App Store and the server, sell a year of subscriptions, print URLs and keys
	@exec .build/release/perennial demo $(if $(DATABASE),--database "$(DATABASE)")

test: ## everything the project claims, checked: layers, format, warnings, Swift tests, Apple's official client
	@scripts/test.sh

test-release: ## the Swift tests on optimised code (a build of its own: slow)
	@swift test -c release -Xswiftc -enable-testing --scratch-path .build-release-tests

test-threads: ## the Swift tests under the thread sanitizer (a build of its own: slow)
	@TSAN_OPTIONS="suppressions=$(CURDIR)/scripts/thread-sanitizer-suppressions.txt" \
		swift test --sanitize=thread --scratch-path .build-threads

check: ## the cheap checks only: layers, generated code and format
	@scripts/check-layers.py
	@scripts/generate-model.py --check
	@scripts/check-format.sh

format: ## format the Swift files in place
	@swift format --in-place --recursive --parallel --configuration .swift-format \
		$(wildcard Sources Tests Snippets Package.swift Benchmarks Fuzzing)

generate: ## Apple's vocabulary in Swift, Sources/AppStoreModel/Generated, from Schema
	@scripts/generate-model.py

docs: ## the libraries' documentation, built with DocC into .build/docs
	@scripts/install-dependencies.sh test
	@swift build
	@scripts/build-docs.sh

fuzz: ## hostile bytes for FUZZ_SECONDS a target, 60 unless set; a finding fails
	@scripts/install-dependencies.sh test
	@scripts/fuzz.sh $(or $(FUZZ_SECONDS),60)

api-fuzz: ## requests made from /openapi.yaml for FUZZ_SECONDS, 600 unless set (after `make test`)
	@PERENNIAL_BINARY=$$(swift build --show-bin-path)/perennial PERENNIAL_FUZZ_SECONDS=$(or $(FUZZ_SECONDS),600) \
		PERENNIAL_FUZZ_EXAMPLES=2000 .venv/bin/python -m pytest -q Tests/ConformanceTests/test_openapi.py

outage: ## a database that is away for OUTAGE_SECONDS under load, 60 unless set (after `make test`)
	@PERENNIAL_BINARY=$$(swift build --show-bin-path)/perennial PERENNIAL_OUTAGE_SECONDS=$(or $(OUTAGE_SECONDS),60) \
		.venv/bin/python -m pytest -q Tests/ConformanceTests/test_database_outage.py

simulate: release ## simulated months with every fault: SEEDS of them, 1,000 unless set
	@.build/release/perennial simulate --seeds $(or $(SEEDS),1000)

oracle: ## random years against the store's ledger: SEEDS of them, 500 unless set (after `make test`)
	@PERENNIAL_ORACLE_SEEDS=$(or $(SEEDS),500) swift test --skip-build --filter OracleTests

soak: release ## 20,000 customers, two years, every fault, compared each month; DATABASE=postgres://… for PostgreSQL
	@.build/release/perennial demo --once --json --accounts 20000 --months 24 --faults \
		$(if $(DATABASE),--database "$(DATABASE)")

vectors: ## make the adversarial vectors anew, with new keys, and the scoreboard (needs the .venv of `make test`)
	@.venv/bin/python Fixtures/generate/generate.py
	@$(MAKE) --no-print-directory scoreboard

scoreboard: ## the published adversarial vectors, ours beside Apple's Python library, into Documentation/
	@PERENNIAL_BINARY=$$(swift build --show-bin-path)/perennial .venv/bin/python scripts/adversarial-scoreboard.py

compare: release ## how fast Apple's Python library verifies the same kind of data (needs the .venv of `make test`)
	@PERENNIAL_BINARY=.build/release/perennial .venv/bin/python scripts/compare-with-apples-library.py

bench: release ## measure: verification beside raw P-256, intake, reads and webhooks, the nested benchmark package
	@.build/release/perennial bench verify --json
	@.build/release/perennial bench receipts --json
	@.build/release/perennial bench ingest --json
	@.build/release/perennial bench read --json
	@.build/release/perennial bench webhooks --json
	@swift package --package-path Benchmarks benchmark

release: ## the optimised program, .build/release/perennial; on Linux its symbols are in perennial.debug beside it
	@scripts/install-dependencies.sh build
	@scripts/build-release.sh $(linking)

test-program: release ## the optimised program, started and asked: what a user runs (a build of its own: slow)
	@scripts/probe-release.sh .build/release/perennial

clean: ## remove what was built
	@rm -rf .build .venv
