"""What the place of a token on the page says: its neighbours' glue, its chunk, its line."""

import re
from functools import lru_cache

from shared.recognition.features.sheet import Sheet
from shared.recognition.features.words import capped_shape, shape, short_shape

LONGEST_CHUNK = 60
_HEADING = re.compile(r"[^\W\d][^:.\n]{2,60}[:.]?\s*")
_END_MARKS = ".?!"

Columns = list[list[str]]


def glue(sheet: Sheet, columns: Columns) -> None:
    """Whether the neighbours touch the token, stand apart or on another line."""
    tokens = sheet.tokens
    joints = ["^"]
    for at in range(1, len(tokens)):
        if tokens.lines[at] != tokens.lines[at - 1]:
            joints.append("n")
        else:
            joints.append("g" if tokens.ends[at - 1] == tokens.starts[at] else "s")
    joints.append("$")
    for at, column in enumerate(columns):
        left, right = joints[at], joints[at + 1]
        column.extend(("gl=" + left, "gr=" + right, "glr=" + left + right))


def gap(sheet: Sheet, columns: Columns) -> None:
    """Whether a wide space, as between the columns of a form, is before or after the token."""
    tokens = sheet.tokens
    for at in range(1, len(tokens)):
        wide = tokens.starts[at] - tokens.ends[at - 1] > 1
        if wide and tokens.lines[at] == tokens.lines[at - 1]:
            columns[at - 1].append("gap>")
            columns[at].append("gap<")


def chunk(sheet: Sheet, columns: Columns) -> None:
    """Shape and length of all that stands between two blanks, and the token's place in it."""
    starts, ends = sheet.tokens.starts, sheet.tokens.ends
    first = 0
    for at in range(1, len(sheet) + 1):
        if at == len(sheet) or starts[at] != ends[at - 1]:
            about = _chunk(sheet.text[starts[first] : ends[at - 1]][:LONGEST_CHUNK], at - first)
            for column, told in zip(columns[first:at], about, strict=True):
                column.extend(told)
            first = at


@lru_cache(maxsize=20_000)
def _chunk(piece: str, count: int) -> list[tuple[str, ...]]:
    whole = shape(piece)
    about = (
        "cs=" + capped_shape(whole)[:20],
        "c2=" + short_shape(whole)[:20],
        f"cl={min(len(piece), 15)}",
    )
    return [(*about, f"cp={min(at, 4)}", f"ce={min(count - 1 - at, 4)}") for at in range(count)]


def field(sheet: Sheet, columns: Columns) -> None:
    """The field label before the token (`Médico:`), how far it is, and where the line is."""
    before = "^"
    count = len(sheet.lines)
    for number, (first, last) in enumerate(sheet.lines):
        about = (
            f"lp={min(number, 12)}",
            f"le={min(count - 1 - number, 4)}",
            f"ll={min((last - first) // 4, 8)}",
            "PK=" + before,
        )
        _field_line(sheet, columns, first, last, about)
        before = sheet.field_labels[number]


def _field_line(
    sheet: Sheet, columns: Columns, first: int, last: int, about: tuple[str, ...]
) -> None:
    label, start, first_label = "", first, ""
    for at in range(first, last):
        word = sheet.words[at]
        column = columns[at]
        column.extend(about)
        column.extend((f"pos={min(at - first, 6)}", "K=" + label, f"K={label}|{_far(at - start)}"))
        if label:
            column.extend((f"K={label}|{short_shape(shape(word))}", "FK=" + first_label))
        if word == ":":
            label, start = _label_before(sheet, first, at), at + 1
            first_label = first_label or label


def _label_before(sheet: Sheet, first: int, colon: int) -> str:
    start = colon
    while start > max(first, colon - 3) and _in_label(sheet.lowers[start - 1]):
        start -= 1
    return " ".join(sheet.lowers[start:colon])


def _in_label(word: str) -> bool:
    return word[0].isalpha() or word in "/º."


def _far(distance: int) -> str:
    if distance < 3:
        return str(distance)
    for limit in (5, 9, 20):
        if distance < limit:
            return f"<{limit}"
    return "far"


def section(sheet: Sheet, columns: Columns) -> None:
    """The last line above that looks like a heading."""
    heading = "^"
    tokens = sheet.tokens
    for first, last in sheet.lines:
        line = sheet.text[tokens.starts[first] : tokens.ends[last - 1]]
        if len(line) <= 64 and _HEADING.fullmatch(line):
            heading = line.strip(" :.").lower()[:30]
        for at in range(first, last):
            columns[at].append("S=" + heading)


def sentence(sheet: Sheet, columns: Columns) -> None:
    """Length of the token's sentence, and whether the token begins or ends it."""
    for first, last in sheet.lines:
        start = first
        for at in range(first, last):
            if at == last - 1 or _ends_sentence(sheet, at):
                length = f"sl={min((at + 1 - start) // 5, 6)}"
                for inside in range(start, at + 1):
                    columns[inside].append(length)
                columns[start].append("sb")
                columns[at].append("se")
                start = at + 1


def _ends_sentence(sheet: Sheet, at: int) -> bool:
    words, tokens = sheet.words, sheet.tokens
    return (
        words[at] in _END_MARKS
        and at > 0
        and len(words[at - 1]) > 3
        and words[at + 1][0].isupper()
        and tokens.ends[at] < tokens.starts[at + 1]
    )
