"""Reads Schema/*.toml, and refuses wrong keys, repeated numbers, and unknown errors and fields."""

import sys
import tomllib

# The keys of each kind of entry: those that it must have, and those that it may have.
KEYS = {
    "objects": ({"doc", "source", "fields"}, {"protocol"}),
    "fields": ({"type", "doc"}, {"key", "default", "absent", "empty", "since", "source"}),
    "enumerations": ({"doc", "source", "type", "values"}, set()),
    "values": ({"value", "doc"}, {"since", "source"}),
    "calls": (
        {"title", "source", "method", "path", "repeatable"},
        {"name", "since", "note", "query", "body", "request", "answer", "per_second", "only", "errors"},
    ),
    "errors": ({"code"}, {"name", "message", "meaning", "missing", "fields", "retry", "general", "since"}),
    "rules": (set(), {"empty", "long", "max", "negative", "unknown", "uuid", "repeated"}),
    "report_errors": ({"code", "message", "meaning"}, set()),
}


def read_all(folder):
    """The files of the schema by their names."""
    schemas = {path.name: read(path) for path in sorted(folder.glob("*.toml"))}
    check_numbers(schemas)
    check_errors_of_calls(schemas)
    check_rules(schemas)
    return schemas


def entries(schemas, kind):
    """All entries of a kind, with their names."""
    return [entry for schema in schemas.values() for entry in schema.get(kind, {}).items()]


def absent_fields(errors):
    """The fields whose absence is one of the errors: the end of the path, and the error's name."""
    for name, error in errors.items():
        for field in error.get("fields", [error["missing"]] if "missing" in error else []):
            yield field, name


def read(path):
    """One file of the schema; ends the program if an entry has a wrong key."""
    schema = tomllib.loads(path.read_text())
    for kind, entries in schema.items():
        if kind == "family":
            continue
        if kind not in KEYS:
            sys.exit(f"{path.name}: [{kind}] is not a kind of entry. Use one of {', '.join(KEYS)}.")
        for name, entry in entries.items():
            check_keys(f"{path.name}: {kind}.{name}", kind, entry)
            for part in entry.keys() & {"fields", "values"} if kind != "errors" else ():
                for key, value in entry[part].items():
                    check_keys(f"{path.name}: {kind}.{name}.{key}", part, value)
    return schema


def check_keys(location, kind, entry):
    required, optional = KEYS[kind]
    for key in sorted(required - entry.keys()):
        sys.exit(f"{location} has no `{key}`. Add it.")
    for key in sorted(entry.keys() - required - optional):
        sys.exit(f"{location} has `{key}`, which is not a key of {kind}. Use {', '.join(sorted(required | optional))}.")


def check_numbers(schemas):
    """Ends the program if two errors have the same number."""
    names = {}
    for file, schema in schemas.items():
        for name, error in schema.get("errors", {}).items():
            other = names.setdefault(error["code"], name)
            if other != name:
                sys.exit(f"{file}: errors.{name} has the number of errors.{other}, {error['code']}.")


def check_errors_of_calls(schemas):
    """Ends the program if a call names an unknown error, or one error twice."""
    known = {name for name, _ in entries(schemas, "errors")}
    for file, schema in schemas.items():
        for call, description in schema.get("calls", {}).items():
            names = description.get("errors", [])
            for name in names:
                if name not in known:
                    sys.exit(f"{file}: calls.{call} names the error `{name}`, which [errors] does not have.")
                if names.count(name) > 1:
                    sys.exit(f"{file}: calls.{call} names the error `{name}` twice.")


def check_rules(schemas):
    """Ends the program if a rule is about an unknown field, or names an unknown error."""
    known = {name for name, _ in entries(schemas, "errors")}
    for file, schema in schemas.items():
        objects = schema.get("objects", {}).values()
        fields = {field.get("key", name) for object in objects for name, field in object["fields"].items()}
        for field, rule in schema.get("rules", {}).items():
            if field not in fields:
                sys.exit(f"{file}: rules.{field} is about a field that no object of the file has.")
            for kind, name in rule.items():
                if kind != "max" and name not in known:
                    sys.exit(f"{file}: rules.{field} names the error `{name}`, which [errors] does not have.")
