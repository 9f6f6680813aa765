"""Which patterns of the rules a token is found by."""

from collections.abc import Iterator

from shared.recognition.features.sheet import Sheet
from shared.recognition.features.told import Attributes, Told, scattered
from shared.recognition.rules import Pattern


def patterns(sheet: Sheet, known: list[Pattern]) -> Iterator[Told]:
    """The type that each pattern finds the token as, its place in that, and what is next to it."""
    yield scattered(len(sheet), _found(sheet, known))


def _found(sheet: Sheet, known: list[Pattern]) -> Iterator[tuple[int, Attributes]]:
    for pattern in known:
        name = pattern.types[0]
        for start, end in pattern.spans(sheet.text):
            first, last = sheet.between(start, end)
            for at in range(first, last):
                place = "B" if at == first else "E" if at == last - 1 else "I"
                yield at, (f"r={name}{place}",)
            if first > 0:
                yield first - 1, ("r>" + name,)
            if last < len(sheet):
                yield last, ("r<" + name,)
