"""Which patterns of the rules a token is found by."""

from shared.recognition.features.layout import Columns
from shared.recognition.features.sheet import Sheet
from shared.recognition.rules import Pattern


def patterns(sheet: Sheet, columns: Columns, known: list[Pattern]) -> None:
    """The type that each pattern finds the token as, its place in that, and what is next to it."""
    for pattern in known:
        name = pattern.types[0]
        for start, end in pattern.spans(sheet.text):
            first, last = sheet.between(start, end)
            for at in range(first, last):
                place = "B" if at == first else "E" if at == last - 1 else "I"
                columns[at].append(f"r={name}{place}")
            if first > 0:
                columns[first - 1].append("r>" + name)
            if last < len(columns):
                columns[last].append("r<" + name)
