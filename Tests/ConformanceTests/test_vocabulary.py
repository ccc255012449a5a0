"""Apple's vocabulary is generated from Schema: one entry each of a field, a value, a call and an error is enough."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]

PROBE = r"""
let json = #"{"notificationType": "LOYALTY", "notificationUUID": "u", "version": "2.0", "signedDate": 1, "tier": 3}"#
var payload = try ResponseBodyV2DecodedPayload(jsonBytes: Array(json.utf8))
print(payload.notificationType == .loyalty, payload.notificationType.isDocumented, payload.tier ?? -1)
print(payload.unknownFields.count)
payload.tier = nil
print(String(decoding: payload.jsonBytes, as: UTF8.self))
let call = AppStoreServerCall.named("get-loyalty-tier")
print(call?.description ?? "-", call == .getLoyaltyTier, AppStoreServerCall.all.contains(.getLoyaltyTier))
print(AppStoreServerCall.Identifier.getLoyaltyTier.call.productionCallsPerSecond ?? -1)
print(AppStoreServerCall.getLoyaltyTier.errors.map(\.name).joined(separator: " "))
print(AppStoreServerAPIError(code: 4040099))
"""


@pytest.fixture
def project(tmp_path):
    """A copy of the parts of the project that the vocabulary needs."""
    for folder in ("Schema", "Sources/AppStoreModel", "Sources/PerennialPrimitives", "Sources/CBase64"):
        shutil.copytree(PROJECT / folder, tmp_path / folder)
    page = Path("Documentation/reference/vocabulary.md")
    (tmp_path / page).parent.mkdir(parents=True)
    shutil.copy(PROJECT / page, tmp_path / page)
    return tmp_path


def generate(project, *arguments):
    command = [sys.executable, PROJECT / "scripts/generate-model.py", "--root", project, *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def insert(project, file, after, line):
    """Adds a line to a file of the schema."""
    path = project / "Schema" / file
    text = path.read_text()
    assert text.count(f"{after}\n") == 1
    path.write_text(text.replace(f"{after}\n", f"{after}\n{line}\n"))


def test_the_committed_files_are_current():
    outcome = subprocess.run(
        [sys.executable, PROJECT / "scripts/generate-model.py", "--check"], capture_output=True, text=True
    )
    assert (outcome.returncode, outcome.stdout) == (0, "")


def test_a_field_a_value_a_call_and_an_error_are_one_entry_each(project):
    insert(
        project,
        "notifications.toml",
        "[objects.ResponseBodyV2DecodedPayload.fields]",
        'tier = { type = "Int32?", since = "2.99", doc = "The customer\'s tier." }',
    )
    insert(
        project,
        "notifications.toml",
        "[enumerations.NotificationType.values]",
        'loyalty = { value = "LOYALTY", doc = "The tier of a customer changed." }',
    )
    insert(
        project,
        "app-store-server-errors.toml",
        "[errors]",
        'tierNotFound = { code = 4040099, message = "Tier not found.", meaning = "The customer has no tier." }',
    )
    insert(
        project,
        "purchase-data.toml",
        'family = "purchases"',
        "\n".join(
            [
                "[calls.getLoyaltyTier]",
                'title = "Get Loyalty Tier"',
                'source = "App Store Server API"',
                'method = "GET"',
                'path = "/inApps/v1/loyalty/{transactionId}"',
                'answer = "LoyaltyTierResponse"',
                "per_second = 7",
                "repeatable = true",
                'errors = ["transactionIdNotFound", "tierNotFound"]',
            ]
        ),
    )
    stale = generate(project, "--check")
    assert stale.returncode == 1 and stale.stdout.count("run `make generate`") == 7, stale.stdout
    assert generate(project).returncode == 0
    assert generate(project, "--check").returncode == 0
    page = (project / "Documentation/reference/vocabulary.md").read_text()
    assert "| `tier` | `Int32?` | The customer's tier. | 2.99 |" in page
    assert "| Get Loyalty Tier | `GET /inApps/v1/loyalty/{transactionId}` | 7 |" in page
    assert "| Get Loyalty Tier | 4040010 TransactionIdNotFound, 4040099 TierNotFound |" in page
    assert "| 4040099 | TierNotFound | The customer has no tier. | never |  |" in page
    assert run(project).splitlines() == [
        "true true 3",
        "0",
        '{"notificationType":"LOYALTY","notificationUUID":"u","version":"2.0","signedDate":1}',
        "GET /inApps/v1/loyalty/{transactionId} true true",
        "7",
        "TransactionIdNotFound TierNotFound",
        "4040099 TierNotFound: Tier not found. The customer has no tier.",
    ]


def run(project):
    """Compiles the vocabulary with a program that uses the new entries, and runs it."""
    include = project / "Sources/CBase64/include"
    (include / "module.modulemap").write_text('module CBase64 { header "CBase64.h" export * }\n')
    objects = project / "objects"
    objects.mkdir()
    (project / "main.swift").write_text(PROBE)
    swiftc = ["swiftc", "-swift-version", "6", "-package-name", "perennial", "-Onone", "-I", objects, "-I", include]

    def sources(target):
        return sorted((project / "Sources" / target).rglob("*.swift"))

    def compiled(*command):
        outcome = subprocess.run(command, capture_output=True, text=True, cwd=objects)
        assert outcome.returncode == 0, outcome.stderr

    compiled("clang", "-c", "-I", include, *(project / "Sources/CBase64").glob("*.c"))
    module = ["-parse-as-library", "-emit-module", "-module-name", "PerennialPrimitives"]
    compiled(*swiftc, *module, "-c", *sources("PerennialPrimitives"))
    program = ["-module-name", "Probe", "-o", objects / "probe", "-lm", *objects.glob("*.o")]
    compiled(*swiftc, *program, *sources("AppStoreModel"), project / "main.swift")
    return subprocess.run([objects / "probe"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("file", "after", "line", "message"),
    [
        (
            "app-store-server-errors.toml",
            "[errors]",
            'again = { code = 4000000, message = "m", meaning = "m" }',
            "app-store-server-errors.toml: errors.generalBadRequest has the number of errors.again, 4000000.",
        ),
        (
            "external-purchase.toml",
            "[calls.sendExternalPurchaseReport]",
            'errors = ["tierNotFound"]',
            "external-purchase.toml: calls.sendExternalPurchaseReport names the error `tierNotFound`, which",
        ),
        (
            "notifications.toml",
            "[objects.ResponseBodyV2DecodedPayload.fields]",
            'tier = { type = "Int32?" }',
            "notifications.toml: objects.ResponseBodyV2DecodedPayload.tier has no `doc`. Add it.",
        ),
        (
            "notifications.toml",
            "[objects.ResponseBodyV2DecodedPayload.fields]",
            'tier = { type = "Int32?", doc = "The tier.", sinse = "2.99" }',
            "notifications.toml: objects.ResponseBodyV2DecodedPayload.tier has `sinse`, which is not a key of fields.",
        ),
        (
            "advanced-commerce-requests.toml",
            "[rules]",
            'tier = { empty = "invalidSKU" }',
            "advanced-commerce-requests.toml: rules.tier is about a field that no object of the file has.",
        ),
        (
            "advanced-commerce-requests.toml",
            "[rules]",
            'currency = { empty = "tierNotFound" }',
            "advanced-commerce-requests.toml: rules.currency names the error `tierNotFound`, which [errors] does not",
        ),
    ],
)
def test_a_wrong_entry_is_refused(project, file, after, line, message):
    insert(project, file, after, line)
    outcome = generate(project)
    assert outcome.returncode == 1
    assert outcome.stderr.startswith(message)
