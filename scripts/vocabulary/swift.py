"""Apple's vocabulary in Swift."""

from vocabulary.schema import absent_fields, entries
from vocabulary.text import COLUMNS, array, call, camel_case, capitalized, documentation, indented, kebab_case
from vocabulary.text import listed, literal, wrapped

ERRORS_OF_CALL = """
The errors that Apple documents for the call, without those of any call, ``AppStoreServerAPIError/general``.

Apple has no such list for the calls of Advanced Commerce: their errors here follow from the fields of the requests and
the meanings of the errors. Errors in external purchase reports have a type of their own,
``ExternalPurchaseErrorCode``."""

# The rules of one value, in the order of the parameters of `FieldRule.check`.
RULES = ["empty", "long", "max", "negative", "unknown", "uuid"]

NOTICE = "// Generated from Schema/{}; run `make generate` after a change there.\n// swift-format-ignore-file"


def swift_files(schemas):
    """The text of each Swift file, by its path in Sources/AppStoreModel/Generated."""
    calls = {}
    callers = callers_of_errors(schemas)
    result = {}
    for file, schema in schemas.items():
        topic = capitalized(camel_case(file.removesuffix(".toml")))
        for name, lines in sources(schema, topic, callers):
            result[f"{topic}/{name}.swift"] = swift_file(file, lines)
        calls |= schema.get("calls", {})
    result["AppStoreServerCall+Identifier.swift"] = swift_file("*.toml", identifiers_source(calls))
    result["AppStoreServerCall+Errors.swift"] = swift_file("*.toml", errors_of_calls_source(calls, schemas))
    return result


def swift_file(schema, lines):
    return "\n".join([NOTICE.format(schema), "", *lines]) + "\n"


def sources(schema, topic, callers):
    """The names and the lines of the Swift files of one file of the schema."""
    for name, description in schema.get("objects", {}).items():
        yield name.replace(".", "+"), object_source(name, description, schema)
    for name, description in schema.get("enumerations", {}).items():
        yield name, enumeration_source(name, description)
    if "calls" in schema:
        yield f"AppStoreServerCall+{topic}", calls_source(schema["calls"], schema["family"])
    if "errors" in schema:
        list = topic[0].lower() + topic[1:].removesuffix("Errors") + "Errors"
        yield f"AppStoreServerAPIError+{capitalized(list)}", errors_source(schema["errors"], list, callers)
    if "report_errors" in schema:
        yield "ExternalPurchaseErrorCode+Table", report_errors_source(schema["report_errors"])




# Objects


class Field:
    """A member of an object: its JSON key, and its property in Swift."""

    def __init__(self, name, description):
        self.name = name
        self.key = description.get("key", name)
        self.doc = description["doc"]
        self.source = description.get("source")
        self.since = description.get("since", "")
        self.written_type = description["type"]
        # Milliseconds since 1970, which Apple sends with a fraction at times.
        self.is_date = self.written_type in ("Date", "Date?")
        self.type = self.written_type.replace("Date", "Int64") if self.is_date else self.written_type
        self.is_optional = self.type.endswith("?")
        # The value if the member is absent, although the property is not optional.
        self.absent = description.get("absent")
        self.empty_is_absent = description.get("empty") == "absent"
        # The default value of the parameter; an optional one has `nil`.
        self.default = description.get("default")

    def parameter(self):
        default = "nil" if self.is_optional else self.default
        return f"{self.name}: {self.type}" + (f" = {default}" if default else "")

    def reading(self):
        is_optional = self.is_optional or self.absent
        function = ("optional" if is_optional else "require") + ("Date" if self.is_date else "")
        value = f'try fields.{function}("{self.key}")'
        if self.absent:
            return [f"{self.name} = {value} ?? {self.absent}"]
        if self.empty_is_absent:
            return [
                f"let {self.name}: {self.type} = {value}",
                "// An empty text means none.",
                f"self.{self.name} = {self.name}.flatMap {{ $0.rawValue.isEmpty ? nil : $0 }}",
            ]
        return [f"{self.name} = {value}"]

    def writing(self):
        return f'object.put("{self.key}", {self.name})'


def object_source(name, description, schema):
    """A structure; the name of a nested one has a dot."""
    outer, _, own = name.rpartition(".")
    fields = [Field(key, value) for key, value in description["fields"].items()]
    column = 4 if outer else 0
    source = f"{description['source']}; each property is the field of the same name."
    lines = documentation(description["doc"], source, column)
    lines.append(f"public struct {own}: {description.get('protocol', 'JSONRepresentable')} {{")
    for field in fields:
        lines += indented(documentation(field.doc, field.source, column + 4))
        lines.append(f"    public var {field.name}: {field.type}")
    lines += [
        "    /// Fields that this version of the model does not know.",
        "    public var unknownFields: JSONObject",
        "",
        "    /// Makes the object from its fields.",
        *indented(initializer(fields, column + 4)),
        "",
        "    /// Decodes the object.",
        "    ///",
        "    /// - Throws: ``ModelError`` with the missing or invalid field.",
        "    public init(json: JSONObject) throws(ModelError) {",
        "        var fields = JSONFields(json)",
        *(f"        {line}" for field in fields for line in field.reading()),
        "        unknownFields = fields.rest",
        "    }",
        "",
        "    /// The object as JSON.",
        "    public var json: JSONObject {",
        "        var object = JSONObject()",
        *(f"        {field.writing()}" for field in fields),
        "        object.put(unknownFields: unknownFields)",
        "        return object",
        "    }",
        *indented(check_source(fields, schema)),
        "}",
    ]
    return [f"extension {outer} {{", *indented(lines), "}"] if outer else lines


def initializer(fields, column):
    """The initializer with every field: first those without a default value, last the optional ones."""
    ordered = sorted(fields, key=lambda field: 2 if field.is_optional else 1 if field.default else 0)
    parameters = [field.parameter() for field in ordered] + ["unknownFields: JSONObject = JSONObject()"]
    lines = [f"public init({', '.join(parameters)}) {{"]
    if column + len(lines[0]) > COLUMNS:
        lines = ["public init(", *indented(f"{parameter}," for parameter in parameters[:-1])]
        lines += [*indented(parameters[-1:]), ") {"]
    lines += indented(f"self.{field.name} = {field.name}" for field in ordered)
    return [*lines, "    self.unknownFields = unknownFields", "}"]


def check_source(fields, schema):
    """The function that checks the values of the fields; nothing without rules."""
    lines = [line for field in fields for line in field_check(field, schema)]
    if not lines:
        return []
    return [
        "",
        "/// Checks the values of the fields, one by one.",
        "///",
        "/// - Throws: Apple's error for the first value that it refuses.",
        "package func checkFields() throws(AppStoreServerAPIError) {",
        *indented(lines),
        "}",
    ]


def field_check(field, schema):
    """The lines that check the value of a field, and the objects in it."""
    rules = schema.get("rules", {})
    rule = rules.get(field.key, {})
    arguments = [f"{kind}: {rule[kind] if kind == 'max' else '.' + rule[kind]}" for kind in RULES if kind in rule]
    if arguments:
        yield from call("try FieldRule.check", [field.name, *arguments], 8)
    element = schema["objects"].get(field.type.strip("[]?"))
    if not rules or not element:
        return
    mark = "?" if field.is_optional else ""
    if field.type.startswith("["):
        yield f"for element in {field.name}{' ?? []' if mark else ''} {{ try element.checkFields() }}"
    else:
        yield f"try {field.name}{mark}.checkFields()"
    if "repeated" in rule:
        # What identifies an element is its first field.
        key = next(iter(element["fields"]))
        yield f"try FieldRule.check({field.name}{mark}.map(\\.{key}), repeated: .{rule['repeated']})"


# Enumerations


def enumeration_source(name, description):
    """A structure with a constant for each value, because Apple adds values."""
    raw = description["type"]
    values = description["values"]
    lines = documentation(description["doc"], f"{description['source']}.", 0)
    lines += [
        f"public struct {name}: OpenValue {{",
        "    /// The raw value in JSON.",
        f"    public let rawValue: {raw}",
        "",
        "    /// Wraps a value, known or not.",
        f"    public init(rawValue: {raw}) {{ self.rawValue = rawValue }}",
        "",
    ]
    for case, value in values.items():
        lines += indented(documentation(value["doc"], value.get("source"), 4))
        text = f'"{value["value"]}"' if raw == "String" else value["value"]
        lines.append(f"    public static let {case} = {name}(rawValue: {text})")
    lines += ["", "    /// Every value that Apple documents."]
    return [*lines, *indented(listed(f"public static let documented: [{name}]", values, 4)), "}"]


# Calls


def calls_source(calls, family):
    """A constant for each call, and the list of those of the family."""
    family = camel_case(family)
    list = f"public static let {family}: [AppStoreServerCall]"
    lines = ["extension AppStoreServerCall {", "    /// The calls of ``Family/" + family + "``."]
    lines += indented(listed(list, calls, 4))
    for identifier, description in calls.items():
        lines += ["", *indented(call_source(identifier, description, family))]
    return [*lines, "}"]


def call_source(identifier, description, family):
    title, source = description["title"], description["source"]
    doc = f"{title}; {description['note']}." if "note" in description else f"{title}."
    types = [f'{key}: "{description[key]}"' for key in ("request", "answer") if key in description]
    query = ", ".join(literal(name) for name in description.get("query", []))
    if len(query) > COLUMNS - len("        queryParameters: [],"):
        query = "\n".join(["", *indented(indented(indented(wrapped(f"{query},", COLUMNS - 12)))), " " * 8])
    body = description.get("body", "json" if "request" in description else "none")
    arguments = [
        f"identifier: .{identifier}",
        f"name: {literal(description.get('name', kebab_case(identifier)))}",
        f"title: {literal(title)}",
        f"family: .{family}",
        f"method: {literal(description['method'])}",
        f"path: {literal(description['path'])}",
        f"queryParameters: [{query}]",
        f"body: .{body}",
        *call_argument("types: Types", types),
        f"productionCallsPerSecond: {description.get('per_second', 'nil')}",
        f"availability: .{description['only'] + 'Only' if 'only' in description else 'everywhere'}",
        f"isRepeatable: {'true' if description['repeatable'] else 'false'}",
    ]
    return [
        *documentation(doc, f"{source}, {title}.", 4),
        f"public static let {identifier} = AppStoreServerCall(",
        *indented(f"{argument}," for argument in arguments[:-1]),
        *indented(arguments[-1:]),
        ")",
    ]


def call_argument(start, arguments):
    return ["\n        ".join(call(start, arguments, 9))]


def identifiers_source(calls):
    lines = [
        "extension AppStoreServerCall {",
        "    /// Identifies a call, by Apple's title.",
        "    public enum Identifier: String, Hashable, Sendable, CaseIterable, Codable {",
    ]
    for identifier, description in calls.items():
        lines += [f"        /// {description['title']}.", f"        case {identifier}"]
    lines += ["", "        /// The description of the call.", "        public var call: AppStoreServerCall {"]
    lines += ["            switch self {"]
    lines += [f"            case .{identifier}: .{identifier}" for identifier in calls]
    return [*lines, "            }", "        }", "    }", "}"]


def errors_of_calls_source(calls, schemas):
    general = [name for name, error in entries(schemas, "errors") if error.get("general")]
    lines = [
        "extension AppStoreServerCall {",
        *indented(documentation(ERRORS_OF_CALL, "The page of each call, Response codes.", 4)),
        "    public var errors: [AppStoreServerAPIError] {",
        "        switch identifier {",
    ]
    for identifier, description in calls.items():
        lines += indented(indented(array(f"case .{identifier}: ", description.get("errors", []), 8)))
    lines += ["        }", "    }", "}", "", "extension AppStoreServerAPIError {"]
    lines += ["    /// The errors that any call may return."]
    return [*lines, *indented(listed("public static let general: [AppStoreServerAPIError]", general, 4)), "}"]


# Errors


def callers_of_errors(schemas):
    """The titles of the calls of each error."""
    result = {}
    for _, call in entries(schemas, "calls"):
        for name in call.get("errors", []):
            result.setdefault(name, []).append(call["title"])
    return result


def errors_source(errors, list, callers):
    """A constant for each error, and the list of them."""
    lines = ["extension AppStoreServerAPIError {"]
    for constant, error in errors.items():
        lines += indented(error_source(constant, error, callers.get(constant, [])))
    lines += ["", *indented(listed(f"static let {list}: [AppStoreServerAPIError]", errors, 4))]
    return [*lines, *indented(missing_fields_source(errors, list)), "}"]


def missing_fields_source(errors, list):
    """The errors of absent fields by the ends of their paths; nothing if there are none."""
    lines = [f"{literal(field)}: .{constant}," for field, constant in absent_fields(errors)]
    if not lines:
        return []
    return [
        "",
        "/// The errors of absent fields, by the end of the path: `changeItems[].SKU`, else `SKU`.",
        f"package static let {list}OfMissingFields: [String: AppStoreServerAPIError] = [",
        *indented(lines),
        "]",
    ]


def error_source(constant, error, callers):
    message, meaning = texts(error)
    calls = "any call" if error.get("general") else ", ".join(callers)
    doc = f"Raised for: {calls}" if calls else meaning.rstrip(".")
    lines = documentation(doc + (f" (since {error['since']})." if "since" in error else "."), None, 4)
    arguments = [str(error["code"]), literal(error.get("name", capitalized(constant))), literal(message)]
    arguments.append(f"meaning: {literal(meaning)}")
    arguments += [f"retry: .{error['retry']}"] if "retry" in error else []
    return [*lines, *call(f"public static let {constant} = AppStoreServerAPIError", arguments, 4)]


def texts(error):
    """The message and the meaning of an error; for a missing field they are made from its name."""
    if "missing" in error:
        return f"The required field, {error['missing']}, is missing.", f"Add `{error['missing']}`."
    return error["message"], error["meaning"]


def report_errors_source(errors):
    lines = ["extension ExternalPurchaseErrorCode {", "    static let table: [Int64: Entry] = ["]
    for constant, error in errors.items():
        arguments = [f"name: {literal(capitalized(constant))}"]
        arguments += [f"{key}: {literal(error[key])}" for key in ("message", "meaning")]
        entry = call(f"{error['code']}: Entry", arguments, 9)
        lines += indented(indented([*entry[:-1], f"{entry[-1]},"]))
    return [*lines, "    ]", "}"]
