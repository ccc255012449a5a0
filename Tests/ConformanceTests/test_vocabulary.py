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


def call(**changes):
    """An entry of a call, with other values of some keys, as TOML."""
    keys = {
        "title": '"Get Loyalty Tier"',
        "source": '"App Store Server API"',
        "method": '"GET"',
        "path": '"/inApps/v1/loyalty/{transactionId}"',
        "repeatable": "true",
    }
    lines = (f"{key} = {value}" for key, value in (keys | changes).items())
    return "\n".join(["[calls.getLoyaltyTier]", *lines])


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
        call(
            answer='"TransactionInfoResponse"',
            per_second="7",
            errors='["transactionIdNotFound", "tierNotFound"]',
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


# The places of entries in the files: the file, the line before, and the start of a message about the new entry.
CALL = ("purchase-data.toml", 'family = "purchases"', "purchase-data.toml: calls.getLoyaltyTier ")
REPORT = ("external-purchase.toml", "[calls.sendExternalPurchaseReport]", "external-purchase.toml: calls.")
ERROR = ("app-store-server-errors.toml", "[errors]", "app-store-server-errors.toml: errors.")
OBJECT = "objects.ResponseBodyV2DecodedPayload"
FIELD = ("notifications.toml", f"[{OBJECT}.fields]", f"notifications.toml: {OBJECT}.")
VALUES = "enumerations.NotificationType"
VALUE = ("notifications.toml", f"[{VALUES}.values]", f"notifications.toml: {VALUES}.")
RULE = ("advanced-commerce-requests.toml", "[rules]", "advanced-commerce-requests.toml: rules.")

WRONG_ENTRIES = [
    (ERROR, 'again = { code = 4000000, missing = "m" }', "generalBadRequest has the number 4000000. So has"),
    (ERROR, 'tier = { code = "4040099", missing = "m" }', 'tier has "4040099" as `code`. Write Apple\'s number,'),
    (ERROR, 'tier = { code = 4040099, meaning = "m" }', "tier has no `message`. Add it."),
    (ERROR, 'tier = { code = 4040099, missing = "m", general = "yes" }', 'tier has "yes" as `general`. Write true or'),
    (ERROR, 'tier = { code = 4040099, missing = "m", retry = "soon" }', 'tier has "soon" as `retry`. Write one of'),
    (ERROR, 'tier = { code = 40400990, missing = "m" }', "tier has 40400990 as `code`. Write Apple's number, with 7"),
    (ERROR, r'tier = { code = 4040099, message = "a\nb", meaning = "m" }', r'tier has "a\nb" as `message`. Write a'),
    (ERROR, 'tier = "m"', 'tier has "m" as its content. Write a table.'),
    (REPORT, 'errors = ["tierNotFound"]', "sendExternalPurchaseReport names the error `tierNotFound`, which"),
    (ERROR, '"4tier" = { code = 4040099, missing = "m" }', "4tier has a name that Swift does not take. Write letters,"),
    (ERROR, 'throw = { code = 4040099, missing = "m" }', "throw has a name that is a word of Swift. Write another"),
    (ERROR, 'general = { code = 4040099, missing = "m" }', "general has a name that the code of errors has already."),
    (ERROR, 'tier = { code = 4040099, missing = "m", fields = ["a", "a"] }', "tier has the absent field a. So has"),
    (FIELD, 'tier = { type = "Int32?" }', "tier has no `doc`. Add it."),
    (FIELD, 'tier = { type = "Int32?", doc = "d", sinse = "2.99" }', "tier has `sinse`, which is not a key of fields."),
    (FIELD, 'tier = { type = "Int32?", doc = "d", since = 1.5 }', "tier has 1.5 as `since`. Write a text in quotes."),
    (FIELD, 'tier = { type = "String?", doc = "d", empty = "maybe" }', 'tier has "maybe" as `empty`. Write one of'),
    (FIELD, 'tier = { type = "Tier", doc = "d" }', "tier has the type `Tier`. Use an object or an enumeration"),
    (FIELD, 'tier = { type = "[String", doc = "d" }', "tier has the type `[String`. Use"),
    (FIELD, 'tier = { type = "Int32", key = "version", doc = "d" }', "version has the key version. So has"),
    (FIELD, 'tiers = { type = "[Date]?", doc = "d" }', "tiers has the type `[Date]?`. There are no lists of dates;"),
    (FIELD, '"my-tier" = { type = "Int32", doc = "d" }', "my-tier has a name that Swift does not take. Write letters,"),
    (FIELD, '"größe" = { type = "Int32", doc = "d" }', "größe has a name that Swift does not take. Write letters,"),
    (FIELD, '"" = { type = "Int32", doc = "d" }', " has a name that Swift does not take. Write letters,"),
    (FIELD, 'default = { type = "Int32", doc = "d" }', "default has a name that is a word of Swift. Write another"),
    (FIELD, 'object = { type = "Int32", doc = "d" }', "object has a name that the code of fields has already. Write"),
    (VALUE, 'loyalty = { value = "REFUND", doc = "d" }', "refund has the value REFUND. So has"),
    (VALUE, '4loyalty = { value = "LOYALTY", doc = "d" }', "4loyalty has a name that Swift does not take. Write"),
    (VALUE, 'in = { value = "LOYALTY", doc = "d" }', "in has a name that is a word of Swift. Write another one."),
    (VALUE, 'documented = { value = "LOYALTY", doc = "d" }', "documented has a name that the code of values has"),
    (VALUE, 'loyalty = { value = 4, doc = "d" }', "loyalty has 4 as `value`. Write a text in quotes, in one"),
    (VALUE, r'loyalty = { value = "A\"B", doc = "d" }', r'loyalty has "A\"B" as `value`. Write a text in quotes,'),
    (FIELD, r'tier = { type = "Int32", key = "a\\(b)", doc = "d" }', r'tier has "a\\(b)" as `key`. Write a text in'),
    (RULE, 'tier = { empty = "invalidSKU" }', "tier is about a field that no object of the file has."),
    (RULE, 'currency = { empty = "tierNotFound" }', "currency names the error `tierNotFound`, which [errors] does not"),
    (RULE, 'currency = { long = "invalidSKU" }', "currency has only one of `long` and `max`. Write both or none."),
    (CALL, call(request='"NotificationHistoryRequest"'), "has the method GET and a body. Remove `request` and `body`,"),
    (CALL, call(path='"/inApps/v1/{id}/{id}"'), "has the placeholder {id}. So has"),
    (CALL, call(repeatable='"no"'), 'has "no" as `repeatable`. Write true or false.'),
    (CALL, call(method='"FETCH"'), 'has "FETCH" as `method`. Write one of "GET", "POST", "PUT", "DELETE".'),
    (CALL, call(path='"inApps/v1/loyalty"'), 'has "inApps/v1/loyalty" as `path`. Write a path such as'),
    (CALL, call(only='"xcode"'), 'has "xcode" as `only`. Write one of "production", "sandbox".'),
    (CALL, call(body='"jpg"'), 'has "jpg" as `body`. Write one of "png".'),
    (CALL, call(per_second='"7"'), 'has "7" as `per_second`. Write a positive integer.'),
    (CALL, call(query='"status"'), 'has "status" as `query`. Write a list of texts in quotes.'),
    (CALL, call(query='["status", "sort", "status"]'), "names the query parameter `status` twice. Remove one."),
    (CALL, call(errors='["accountNotFound", "accountNotFound"]'), "names the error `accountNotFound` twice. Remove"),
    (CALL, call(answer='"LoyaltyTierResponse"'), "has the answer `LoyaltyTierResponse`. Use an object of the schema."),
    (CALL, call(method='"POST"', request='"NotificationType"'), "has the request `NotificationType`. Use an object of"),
]


@pytest.mark.parametrize(("place", "line", "message"), WRONG_ENTRIES)
def test_a_wrong_entry_is_refused(project, place, line, message):
    file, after, start = place
    insert(project, file, after, line)
    expect_refusal(project, start + message)


LOOKUP = 'path = "/inApps/v1/lookup/{orderId}"'
HISTORY = 'path = "/inApps/v1/history/{anyTransactionId}"'
REPEATED_OBJECT = '[objects.ResponseBodyV2]\ndoc = "d"\nsource = "s"\nfields = {}\n'
WRONG_TEXTS = [
    ("purchase-data.toml", LOOKUP, "path =", "purchase-data.toml is not TOML: Invalid value (at line "),
    ("notifications.toml", f"[{OBJECT}.fields]", f"[{OBJECT}.fields]\ndata = 1", "notifications.toml is not TOML: "),
    ("purchase-data.toml", 'family = "purchases"\n', "", "purchase-data.toml has calls but no `family`. Add it before"),
    (
        "purchase-data.toml",
        LOOKUP,
        HISTORY,
        "purchase-data.toml: calls.lookUpOrderID has the method and path GET /inApps/v1/history/{…}. "
        "So has purchase-data.toml: calls.getTransactionHistoryV1. Change one of them.",
    ),
    (
        "purchase-data.toml",
        LOOKUP,
        HISTORY.replace("anyTransactionId", "orderId"),
        "purchase-data.toml: calls.lookUpOrderID has the method and path GET /inApps/v1/history/{…}. "
        "So has purchase-data.toml: calls.getTransactionHistoryV1. Change one of them.",
    ),
    (
        "purchase-data.toml",
        "[calls.lookUpOrderID]",
        '[calls."look-up"]',
        "purchase-data.toml: calls.look-up has a name that Swift does not take. Write letters,",
    ),
    (
        "purchase-data.toml",
        "[calls.lookUpOrderID]",
        "[calls.all]",
        "purchase-data.toml: calls.all has a name that the code of calls has already. Write another one.",
    ),
    (
        "notifications.toml",
        f"[{OBJECT}.fields]",
        f'[fields]\ntier = {{ type = "Int32?", doc = "d" }}\n\n[{OBJECT}.fields]',
        "notifications.toml: [fields] belongs to another entry. Write [objects.X.fields], with its name for X.",
    ),
    (
        "notifications.toml",
        f"[{VALUES}.values]",
        f'[values]\nloyalty = {{ value = "LOYALTY", doc = "d" }}\n\n[{VALUES}.values]',
        "notifications.toml: [values] belongs to another entry. Write [enumerations.X.values], with its name for X.",
    ),
    (
        "transactions.toml",
        "[objects.JWSTransactionDecodedPayload]",
        '[objects."Loyalty Tier"]\ndoc = "d"\nsource = "s"\nfields = {}\n\n[objects.JWSTransactionDecodedPayload]',
        "transactions.toml: objects.Loyalty Tier has a name that Swift does not take. Write letters, digits and `_`,",
    ),
    (
        "transactions.toml",
        "[objects.JWSTransactionDecodedPayload]",
        '[objects."Loyalty.Tier"]\ndoc = "d"\nsource = "s"\nfields = {}\n\n[objects.JWSTransactionDecodedPayload]',
        "transactions.toml: objects.Loyalty.Tier is part of `Loyalty`. Use an object of the schema.",
    ),
    (
        "transactions.toml",
        "[objects.JWSTransactionDecodedPayload]",
        '[objects.Date]\ndoc = "d"\nsource = "s"\nfields = {}\n\n[objects.JWSTransactionDecodedPayload]',
        "transactions.toml: objects.Date has a name that the code of types has already. Write another one.",
    ),
    (
        "notifications.toml",
        'family = "notifications"',
        'family = "My calls"',
        'notifications.toml has "My calls" as `family`. Write a case of AppStoreServerCall.Family,',
    ),
    (
        "transactions.toml",
        "winBack = { value = 4",
        "winBack = { value = 3",
        "transactions.toml: enumerations.OfferType.winBack has the value 3. So has",
    ),
    (
        "transactions.toml",
        'source = "App Store Server API, `offerType`"\ntype = "Int32"',
        'source = "App Store Server API, `offerType`"\ntype = "Int"',
        'transactions.toml: enumerations.OfferType has "Int" as `type`. Write one of "String", "Int32", "Int64".',
    ),
    (
        "transactions.toml",
        "[objects.JWSTransactionDecodedPayload]",
        f"{REPEATED_OBJECT}\n[objects.JWSTransactionDecodedPayload]",
        "transactions.toml: objects.ResponseBodyV2 has the name ResponseBodyV2. So has notifications.toml: objects.",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "message"), WRONG_TEXTS)
def test_a_wrong_file_is_refused(project, file, old, new, message):
    path = project / "Schema" / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    expect_refusal(project, message)


def test_a_folder_without_a_schema_is_refused(tmp_path):
    expect_refusal(tmp_path, f"{tmp_path / 'Schema'} has no TOML files. Give --root the folder of the project.")


def expect_refusal(project, message):
    outcome = generate(project)
    assert outcome.returncode == 1
    assert outcome.stderr.startswith(message)
