"""The reference page of Apple's vocabulary."""

import re

from vocabulary.schema import absent_fields, entries
from vocabulary.swift import Field, texts
from vocabulary.text import capitalized


CALL_HEADER = ["call", "method and path", "limit", "request", "answer", "environments", "idempotent", "since"]
FIELD_HEADER = ["field", "type", "meaning", "since"]

FAULTS = {
    "empty": "empty",
    "long": "too long",
    "negative": "negative",
    "unknown": "not documented",
    "uuid": "not a UUID",
    "repeated": "two equal elements",
}


def page_text(schemas):
    lines = [
        "# Apple's vocabulary",
        "",
        "This page lists the calls, errors, enumerations and objects of Apple's APIs that the libraries and the local "
        "store",
        "know, for everybody who reads or writes them. It is generated from `Schema/*.toml`.",
        "[Add to Apple's vocabulary](../how-to/add-to-apples-vocabulary.md) describes these files.",
        "",
        "## Calls",
        "",
        "The limits are Apple's for production, in calls per second; the sandbox allows a tenth. A dash means that "
        "Apple",
        "publishes none. The client repeats only idempotent calls by itself.",
        "",
        *table(CALL_HEADER, calls(schemas)),
        "",
        "## Errors",
        "",
        *table(["number", "name", "meaning and remedy", "retry", "since"], errors(schemas)),
        "",
        "## Errors of each call",
        "",
        f"Any call may also return {general_errors(schemas)}.",
        "Apple has no such list for the calls of Advanced Commerce: theirs follows from the fields of the requests and "
        "the",
        "meanings of the errors.",
        "",
        *table(["call", "errors"], errors_of_calls(schemas)),
        "",
        "## Errors of fields",
        "",
        "The errors of fields in Advanced Commerce requests. A field of another JSON type is 4000173 MalformedPayload. "
        "The",
        "table omits the rules about several fields, and those about the values of an offer.",
        "",
        *table(["field", "fault", "error"], errors_of_fields(schemas)),
        "",
        "## Errors in external purchase reports",
        "",
        *table(["number", "name", "meaning and remedy"], report_errors(schemas)),
        "",
        "## Enumerations",
    ]
    for name, description in entries(schemas, "enumerations"):
        rows = [[f"`{value['value']}`", page_doc(value["doc"])] for value in description["values"].values()]
        lines += ["", f"### {name}", "", page_doc(description["doc"]), "", *table(["value", "meaning"], rows)]
    lines += ["", "## Objects"]
    for name, description in entries(schemas, "objects"):
        fields = [Field(key, value) for key, value in description["fields"].items()]
        rows = [[f"`{field.key}`", f"`{field.written_type}`", page_doc(field.doc), field.since] for field in fields]
        lines += ["", f"### {name}", "", page_doc(description["doc"]), "", *table(FIELD_HEADER, rows)]
    return "\n".join(lines) + "\n"


def calls(schemas):
    for _, description in entries(schemas, "calls"):
        yield [
            description["title"],
            f"`{description['method']} {description['path']}`",
            str(description.get("per_second", "–")),
            description.get("request", "PNG image" if description.get("body") == "png" else ""),
            description.get("answer", ""),
            f"{description['only']} only" if "only" in description else "both",
            "yes" if description["repeatable"] else "no",
            description.get("since", ""),
        ]


def errors(schemas):
    for name, error in sorted(entries(schemas, "errors"), key=lambda entry: entry[1]["code"]):
        _, meaning = texts(error)
        retry = error.get("retry", "never")
        yield [str(error["code"]), error_name(name, error), meaning, retry, error.get("since", "")]


def error_name(name, error):
    """Apple's name of an error."""
    return error.get("name", capitalized(name))


def general_errors(schemas):
    names = [error_name(name, error) for name, error in entries(schemas, "errors") if error.get("general")]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def errors_of_calls(schemas):
    known = dict(entries(schemas, "errors"))
    for _, call in entries(schemas, "calls"):
        errors = [(known[name]["code"], error_name(name, known[name])) for name in call.get("errors", [])]
        if errors:
            yield [call["title"], ", ".join(f"{code} {name}" for code, name in errors)]


def errors_of_fields(schemas):
    known = dict(entries(schemas, "errors"))
    faults = [(field, "absent", name) for field, name in absent_fields(known)]
    for field, rule in entries(schemas, "rules"):
        faults += [(field, FAULTS[kind], name) for kind, name in rule.items() if kind in FAULTS]
    for field, fault, name in sorted(faults, key=lambda fault: fault[0].lower()):
        yield [f"`{field}`", fault, f"{known[name]['code']} {error_name(name, known[name])}"]


def report_errors(schemas):
    for name, error in entries(schemas, "report_errors"):
        yield [str(error["code"]), capitalized(name), error["meaning"]]


def table(header, rows):
    yield f"| {' | '.join(header)} |"
    yield f"| {' | '.join('---' for _ in header)} |"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def page_doc(text):
    """The text of a documentation comment without the links of DocC."""
    return re.sub(r"``(?:[\w]+/)?([^`]+?)``", r"`\1`", " ".join(text.split()))
