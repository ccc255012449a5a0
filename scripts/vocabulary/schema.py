"""Reads Schema/*.toml, and refuses wrong names, keys, values and types, repeated entries, and unknown names."""

import json
import re
import sys
import tomllib

from vocabulary.text import kebab_case


def one_of(*values):
    return (lambda value: value in values, f"one of {', '.join(map(json.dumps, values))}")


# What the value of a key may be: the check, and its description.
TEXT = (lambda value: isinstance(value, str) and value.strip() != "", "a text in quotes")
LINE = (lambda value: TEXT[0](value) and value.isprintable(), "a text in quotes, in one line")
# It stands in Swift code and in JSON as it is.
NAME = (
    lambda value: LINE[0](value) and not set(value) & set('"\\'),
    "a text in quotes, in one line, without quotes and backslashes in it",
)
FAMILY = (
    lambda value: TEXT[0](value) and re.fullmatch("[a-z]+(-[a-z]+)*", value),
    "a case of AppStoreServerCall.Family, such as \"purchases\"",
)
TEXTS = (lambda value: isinstance(value, list) and all(map(TEXT[0], value)), "a list of texts in quotes")
NUMBER = (lambda value: type(value) is int and 0 < value < 2**31, "a positive integer")
ERROR_NUMBER = (lambda value: type(value) is int and 10**6 <= value < 10**7, "Apple's number, with 7 digits")
FLAG = (lambda value: type(value) is bool, "true or false")
TABLE = (lambda value: isinstance(value, dict), "a table")
PATH = (
    lambda value: TEXT[0](value) and re.fullmatch(r"(/(\w+|{\w+}))+", value),
    'a path such as "/inApps/v1/lookup/{orderId}"',
)
RAW_VALUES = {
    "String": NAME,
    "Int32": (lambda value: type(value) is int and abs(value) < 2**31, "an integer of 32 bits"),
    "Int64": (lambda value: type(value) is int and abs(value) < 2**63, "an integer of 64 bits"),
}

# The keys of each kind of entry: those that it must have, and those that it may have.
KEYS = {
    "objects": ({"doc": TEXT, "source": TEXT, "fields": TABLE}, {"protocol": TEXT}),
    "fields": (
        {"type": TEXT, "doc": TEXT},
        {"key": NAME, "default": TEXT, "absent": TEXT, "empty": one_of("absent"), "since": TEXT, "source": TEXT},
    ),
    "enumerations": ({"doc": TEXT, "source": TEXT, "type": one_of(*RAW_VALUES), "values": TABLE}, {}),
    "values": ({"value": (lambda _: True, ""), "doc": TEXT}, {"since": TEXT, "source": TEXT}),
    "calls": (
        {
            "title": NAME,
            "source": TEXT,
            "method": one_of("GET", "POST", "PUT", "DELETE"),
            "path": PATH,
            "repeatable": FLAG,
        },
        {key: TEXT for key in ("name", "since", "note", "request", "answer")}
        | {"query": TEXTS, "errors": TEXTS, "per_second": NUMBER}
        | {"body": one_of("png"), "only": one_of("production", "sandbox")},
    ),
    "errors": (
        {"code": ERROR_NUMBER},
        {"name": NAME, "message": LINE, "meaning": LINE, "missing": NAME, "since": NAME}
        | {"fields": TEXTS, "retry": one_of("shortly", "afterRateLimit", "whenReady"), "general": FLAG},
    ),
    "rules": ({}, {key: TEXT for key in ("empty", "long", "max", "negative", "unknown", "uuid", "repeated")}),
    "report_errors": ({"code": NUMBER, "message": LINE, "meaning": LINE}, {}),
}

# The kinds of entries that stand below another one, with a place for them.
PARTS = {"fields": "objects.X.fields", "values": "enumerations.X.values"}

# The words that Swift does not take as a name.
RESERVED_WORDS = set(
    "Any Self Type Protocol _ as associatedtype await break case catch class continue default defer deinit do else "
    "enum extension fallthrough false fileprivate for func guard if import in init inout internal is let nil "
    "operator precedencegroup private protocol public repeat rethrows return self static struct subscript super "
    "switch throw throws true try typealias var where while".split()
)

# The types of fields that the schema does not describe: those of Swift, and those that are written by hand.
OTHER_TYPES = {"String", "Bool", "Int32", "Int64", "Date"} | {
    "ExternalPurchaseErrorCode",
    "ExternalPurchaseExchangeRate",
    "ExternalPurchaseLineItem",
    "PerformanceTestFailures",
}

# The names that the code of each kind has already.
OTHER_NAMES = {
    "types": OTHER_TYPES | {"any", "each", "some"},
    "fields": {"fields", "json", "object", "unknownFields"},
    "values": {"documented"},
    "calls": {"all", "allCases", "call"},
    "errors": {"all", "general"},
}


def read_all(folder):
    """The files of the schema by their names; ends the program at the first mistake."""
    schemas = {path.name: read(path) for path in sorted(folder.glob("*.toml"))}
    if not schemas:
        sys.exit(f"{folder} has no TOML files. Give --root the folder of the project.")
    check_names(schemas)
    check_unique_entries(schemas)
    check_types(schemas)
    check_lists_of_calls(schemas)
    check_rules(schemas)
    return schemas


def entries(schemas, kind):
    """All entries of a kind, with their names."""
    return [entry for schema in schemas.values() for entry in schema.get(kind, {}).items()]


def placed(schemas, kind):
    """All entries of a kind, with their places in the files and their names."""
    for file, schema in schemas.items():
        for name, entry in schema.get(kind, {}).items():
            yield f"{file}: {kind}.{name}", name, entry


def absent_fields(errors):
    """The fields whose absence is one of the errors: the end of the path, and the error's name."""
    for name, error in errors.items():
        for field in error.get("fields", [error["missing"]] if "missing" in error else []):
            yield field, name


def read(path):
    """One file of the schema, whose entries have the right keys and kinds of values."""
    try:
        schema = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        sys.exit(f"{path.name} is not TOML: {error}. Correct it.")
    if "calls" in schema and "family" not in schema:
        sys.exit(f"{path.name} has calls but no `family`. Add it before the first entry.")
    for kind, tables in schema.items():
        if kind == "family":
            check_value(path.name, "`family`", tables, FAMILY)
            continue
        if kind in PARTS:
            sys.exit(f"{path.name}: [{kind}] belongs to another entry. Write [{PARTS[kind]}], with its name for X.")
        if kind not in KEYS:
            kinds = ", ".join(kind for kind in KEYS if kind not in PARTS)
            sys.exit(f"{path.name}: [{kind}] is not a kind of entry. Use one of {kinds}.")
        check_value(f"{path.name}: {kind}", "its content", tables, TABLE)
        for name, entry in tables.items():
            check_entry(f"{path.name}: {kind}.{name}", kind, entry)
    return schema


def check_entry(place, kind, entry):
    check_value(place, "its content", entry, TABLE)
    required, optional = KEYS[kind]
    if kind == "errors" and "missing" not in entry:
        required = required | {"message": LINE, "meaning": LINE}
    allowed = optional | required
    for key in sorted(required.keys() - entry.keys()):
        sys.exit(f"{place} has no `{key}`. Add it.")
    for key in sorted(entry.keys() - allowed.keys()):
        sys.exit(f"{place} has `{key}`, which is not a key of {kind}. Use {', '.join(sorted(allowed))}.")
    for key, value in entry.items():
        check_value(place, f"`{key}`", value, allowed[key])
        if allowed[key] is TABLE:
            for name, part in value.items():
                check_entry(f"{place}.{name}", key, part)
    if kind == "enumerations":
        for name, value in entry["values"].items():
            check_value(f"{place}.{name}", "`value`", value["value"], RAW_VALUES[entry["type"]])


def check_value(place, key, value, rule):
    is_right, description = rule
    if not is_right(value):
        sys.exit(f"{place} has {json.dumps(value, default=str)} as {key}. Write {description}.")


def check_names(schemas):
    """Ends the program if Swift does not take the name of an entry."""
    objects = {name for name, _ in entries(schemas, "objects")}
    for place, name, object in placed(schemas, "objects"):
        outer, dot, own = name.rpartition(".")
        if dot and outer not in objects:
            sys.exit(f"{place} is part of `{outer}`. Use an object of the schema.")
        check_name(place, own, "types")
        for field in object["fields"]:
            check_name(f"{place}.{field}", field, "fields")
    for place, name, enumeration in placed(schemas, "enumerations"):
        check_name(place, name, "types")
        for value in enumeration["values"]:
            check_name(f"{place}.{value}", value, "values")
    for kind in ("calls", "errors", "report_errors"):
        for place, name, _ in placed(schemas, kind):
            check_name(place, name, kind)


def check_name(place, name, kind):
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        sys.exit(f"{place} has a name that Swift does not take. Write letters, digits and `_`, and no digit first.")
    if name in RESERVED_WORDS:
        sys.exit(f"{place} has a name that is a word of Swift. Write another one{key_hint(kind)}.")
    if name in OTHER_NAMES.get(kind, ()):
        sys.exit(f"{place} has a name that the code of {kind} has already. Write another one{key_hint(kind)}.")


def key_hint(kind):
    """What keeps Apple's name if an entry has another one."""
    return {"fields": ", and the name in JSON as `key`", "errors": ", and Apple's name as `name`"}.get(kind, "")


def check_unique(what, places):
    """Ends the program if two of the places have the same value."""
    known = {}
    for place, value in places:
        if value in known:
            sys.exit(f"{place} has the {what} {value}. So has {known[value]}. Change one of them.")
        known[value] = place


def check_unique_entries(schemas):
    for kinds in (("objects", "enumerations"), ("calls",), ("errors",), ("report_errors",)):
        check_unique("name", ((place, name) for kind in kinds for place, name, _ in placed(schemas, kind)))
    for kind in ("errors", "report_errors"):
        check_unique("number", ((place, error["code"]) for place, _, error in placed(schemas, kind)))
    for file, schema in schemas.items():
        absent = absent_fields(schema.get("errors", {}))
        check_unique("absent field", ((f"{file}: errors.{name}", field) for field, name in absent))
    calls = list(placed(schemas, "calls"))
    # The name of a placeholder does not tell two calls apart.
    shapes = ((place, f"{call['method']} {re.sub('{.*?}', '{…}', call['path'])}") for place, _, call in calls)
    check_unique("method and path", shapes)
    check_unique("command", ((place, call.get("name", kebab_case(name))) for place, name, call in calls))
    for place, _, object in placed(schemas, "objects"):
        fields = object["fields"].items()
        check_unique("key", ((f"{place}.{name}", field.get("key", name)) for name, field in fields))
    for place, _, enumeration in placed(schemas, "enumerations"):
        values = enumeration["values"].items()
        check_unique("value", ((f"{place}.{name}", value["value"]) for name, value in values))


def check_types(schemas):
    """Ends the program if a field or a call has a type that does not exist."""
    objects = {name for name, _ in entries(schemas, "objects")}
    types = objects | OTHER_TYPES | {name for name, _ in entries(schemas, "enumerations")}
    for place, object, description in placed(schemas, "objects"):
        for name, field in description["fields"].items():
            form = re.fullmatch(r"(\[)?(\w+)(?(1)\])\??", field["type"])
            if form and form[1] and form[2] == "Date":
                sys.exit(f"{place}.{name} has the type `{field['type']}`. There are no lists of dates; use `[Int64]`.")
            if not form or not {form[2], f"{object}.{form[2]}"} & types:
                sys.exit(
                    f"{place}.{name} has the type `{field['type']}`. Use an object or an enumeration of the schema, or "
                    f"one of {', '.join(sorted(OTHER_TYPES))}; `[X]` is an array, and `?` makes the field optional."
                )
    for place, _, call in placed(schemas, "calls"):
        for key in ("request", "answer"):
            if key in call and call[key] not in objects:
                sys.exit(f"{place} has the {key} `{call[key]}`. Use an object of the schema.")


def check_lists_of_calls(schemas):
    """Ends the program if a call names an unknown error, or one error, query parameter or placeholder twice."""
    known = {name for name, _ in entries(schemas, "errors")}
    for place, _, call in placed(schemas, "calls"):
        if call["method"] == "GET" and call.keys() & {"request", "body"}:
            sys.exit(f"{place} has the method GET and a body. Remove `request` and `body`, or change the method.")
        check_unique("placeholder", ((place, name) for name in re.findall("{.*?}", call["path"])))
        names = call.get("errors", [])
        for name in names:
            if name not in known:
                sys.exit(f"{place} names the error `{name}`, which [errors] does not have.")
            if names.count(name) > 1:
                sys.exit(f"{place} names the error `{name}` twice. Remove one.")
        query = call.get("query", [])
        for name in query:
            if query.count(name) > 1:
                sys.exit(f"{place} names the query parameter `{name}` twice. Remove one.")


def check_rules(schemas):
    """Ends the program if a rule is about an unknown field, or names an unknown error."""
    known = {name for name, _ in entries(schemas, "errors")}
    for file, schema in schemas.items():
        objects = schema.get("objects", {}).values()
        fields = {field.get("key", name) for object in objects for name, field in object["fields"].items()}
        for field, rule in schema.get("rules", {}).items():
            if field not in fields:
                sys.exit(f"{file}: rules.{field} is about a field that no object of the file has.")
            if ("long" in rule) != ("max" in rule):
                sys.exit(f"{file}: rules.{field} has only one of `long` and `max`. Write both or none.")
            for kind, name in rule.items():
                if kind != "max" and name not in known:
                    sys.exit(f"{file}: rules.{field} names the error `{name}`, which [errors] does not have.")
