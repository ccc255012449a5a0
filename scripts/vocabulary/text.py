"""Text in Swift and in English: names, literals, lists, documentation comments."""

import re
import textwrap

COLUMNS = 120


def capitalized(name):
    return name[0].upper() + name[1:]


def camel_case(name):
    first, *rest = name.split("-")
    return first + "".join(map(capitalized, rest))


def kebab_case(name):
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", name)
    return re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1-\2", words).lower()


def literal(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def call(start, arguments, column):
    """A call on one line, or with a line for each argument, if it stands at a column."""
    line = f"{start}({', '.join(arguments)})"
    if column + len(line) <= COLUMNS:
        return [line]
    return [f"{start}(", *indented(f"{argument}," for argument in arguments[:-1]), *indented(arguments[-1:]), ")"]


def listed(start, names, column):
    """A list of constants on one line, or in lines that are full."""
    return array(f"{start} = ", names, column)


def array(start, names, column):
    """An array of constants after a start, on one line, or in lines that are full."""
    items = ", ".join(f".{name}" for name in names)
    line = f"{start}[{items}]"
    if column + len(line) <= COLUMNS:
        return [line]
    return [f"{start}[", *indented(wrapped(f"{items},", COLUMNS - column - 4)), "]"]


def documentation(text, source, column):
    """The lines of a documentation comment that stands at a column."""
    paragraphs = text.strip().split("\n\n") + ([f"- Source: {source}"] if source else [])
    lines = []
    for number, paragraph in enumerate(paragraphs):
        lines += ["///"] if number else []
        indent = "  " if paragraph.startswith("- ") else ""
        lines += [f"/// {line}" for line in wrapped(paragraph, COLUMNS - column - len("/// "), indent)]
    return lines


def wrapped(text, width, indent=""):
    """The text in lines; all but the first are indented."""
    return textwrap.wrap(
        " ".join(text.split()), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def indented(lines):
    return [f"    {line}" if line else "" for line in lines]
