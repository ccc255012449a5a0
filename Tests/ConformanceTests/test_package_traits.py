"""A user of one library gets few packages: the traits decide which packages SwiftPM resolves."""

import json
import subprocess

import pytest

from local_store import REPOSITORY

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "user",
    dependencies: [.package(path: {path}, traits: {traits})],
    targets: [.target(name: "User", dependencies: [.product(name: "{product}", package: {identity})])]
)
"""
VERIFICATION = {"swift-asn1", "swift-certificates", "swift-crypto"}


def packages(folder, product, traits):
    """The packages that SwiftPM resolves for a user of a library."""
    sources = folder / "Sources" / "User"
    sources.mkdir(parents=True)
    (sources / "User.swift").write_text("")
    (folder / "Package.swift").write_text(MANIFEST.format(
        path=json.dumps(str(REPOSITORY)), traits=traits, product=product, identity=json.dumps(REPOSITORY.name)))
    done = subprocess.run(["swift", "package", "show-dependencies", "--format", "json"],
                          cwd=folder, capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr

    def identities(package):
        return {package["identity"]}.union(*(identities(dependency) for dependency in package["dependencies"]))

    [project] = json.loads(done.stdout)["dependencies"]
    return identities(project) - {project["identity"]}


@pytest.mark.parametrize("product", ["AppStoreModel", "AppStoreSigning", "AppStoreTesting", "SubscriptionCore"])
def test_without_traits_only_the_packages_for_verification_are_resolved(tmp_path, product):
    assert packages(tmp_path, product, "[]") == VERIFICATION


def test_the_client_adds_its_transport_and_no_server(tmp_path):
    resolved = packages(tmp_path, "AppStoreClient", '["Client"]')
    assert VERIFICATION < resolved and "async-http-client" in resolved and "hummingbird" not in resolved
