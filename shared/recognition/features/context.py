"""What stands around a token, near and far: n-grams, and the same token elsewhere."""

from collections import defaultdict
from itertools import pairwise

from shared.recognition.features.layout import Columns
from shared.recognition.features.sheet import Sheet
from shared.recognition.features.words import shape, short_shape

_SEVERAL = 2


def ngrams(sheet: Sheet, columns: Columns) -> None:
    """Pairs and the middle triple of words within two tokens (Liu et al. 2015)."""
    words = ["^", "^", *sheet.lowers, "$", "$"]
    pairs = [f"{left}_{right}" for left, right in pairwise(words)]
    for at, column in enumerate(columns):
        column.extend(
            (
                "n1=" + pairs[at + 1],
                "n2=" + pairs[at + 2],
                "n3=" + pairs[at],
                "n4=" + pairs[at + 3],
                "n5=" + pairs[at + 1] + "_" + words[at + 3],
            )
        )


def outer_ngrams(sheet: Sheet, columns: Columns) -> None:
    """The triples to the left and right, and the pair around the token."""
    words = ["^", "^", *sheet.lowers, "$", "$"]
    triples = [f"{a}_{b}_{c}" for a, b, c in zip(words, words[1:], words[2:], strict=False)]
    for at, column in enumerate(columns):
        around = f"n8={words[at + 1]}_{words[at + 3]}"
        column.extend(("n6=" + triples[at], "n7=" + triples[at + 2], around))


def shape_ngrams(sheet: Sheet, columns: Columns) -> None:
    """N-grams of shapes, numbers with their length."""
    known: dict[str, str] = {}
    for word in set(sheet.words):
        digits = word[0].isdigit()
        known[word] = "0" * min(len(word), 9) if digits else short_shape(shape(word))
    kinds = ["^", "^", *(known[word] for word in sheet.words), "$", "$"]
    for at, column in enumerate(columns):
        a, b, c, d, e = kinds[at : at + 5]
        column.extend(("h1=" + b + c, "h2=" + c + d, "h3=" + b + c + d, "h4=" + a + b + c + d + e))


def elsewhere(sheet: Sheet, columns: Columns) -> None:
    """Where the same token stands elsewhere in the document: its field label, the word before."""
    places: defaultdict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for (first, last), label in zip(sheet.lines, sheet.field_labels, strict=True):
        for at in range(first, last):
            if _is_telling(sheet.words[at]):
                before = sheet.lowers[at - 1] if at > first else "^"
                places[sheet.lowers[at]].append((at, "DK=" + label, "DP=" + before))
    for found in places.values():
        if len(found) >= _SEVERAL:
            _tell_each_other(found, columns)


def lowered(sheet: Sheet, columns: Columns) -> None:
    """Whether a capitalized word stands in the document in lower case too, as no name does."""
    small = {word for word in sheet.words if word.islower()}
    for word, low, column in zip(sheet.words, sheet.lowers, columns, strict=True):
        if word[0].isupper() and len(word) > 1:
            column.append("low" if low in small else "cap")


def _is_telling(word: str) -> bool:
    return (word[0].isupper() and len(word) > 2) or (word[0].isdigit() and len(word) > 3)


def _tell_each_other(places: list[tuple[int, str, str]], columns: Columns) -> None:
    places = places[:20]
    for at, _, _ in places:
        others = {name for other, *names in places if other != at for name in names}
        columns[at] += sorted(others)
