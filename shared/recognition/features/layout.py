"""What the place of a token on the page says: its neighbours' glue, its chunk, its line."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from shared.recognition.features.token_attributes import (
    NOTHING,
    Attributes,
    AttributeSets,
    TokenAttributes,
    scattered,
)
from shared.recognition.features.tokenized_document import TokenizedDocument
from shared.recognition.features.word_shapes import capped_shape, shape, short_shape

LONGEST_CHUNK = 60
_FAR = 20
_HEADING = re.compile(r"[^\W\d][^:.\n]{2,60}[:.]?\s*")
_END_MARKS = ".?!"
_JOINTS = "^nsg$"
_GLUE = {
    (left, right): ("gl=" + left, "gr=" + right, "glr=" + left + right)
    for left in _JOINTS
    for right in _JOINTS
}


def glue(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """Whether the neighbours touch the token, stand apart or on another line."""
    tokens = tokenized.tokens
    lines, starts = tokens.lines, tokens.starts
    gaps = zip(tokens.ends, starts[1:], lines, lines[1:], strict=False)
    inner = [
        "n" if here != there else "g" if end == start else "s" for end, start, here, there in gaps
    ]
    joints = ["^", *inner, "$"] if len(tokens) else []
    yield AttributeSets([_GLUE[joint] for joint in pairwise(joints)])


def gap(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """Whether a wide space, as between the columns of a form, is before or after the token."""
    tokens = tokenized.tokens
    lines, starts, ends = tokens.lines, tokens.starts, tokens.ends
    wide = [
        at
        for at in range(1, len(tokens))
        if starts[at] - ends[at - 1] > 1 and lines[at] == lines[at - 1]
    ]
    before, after = ("gap>",), ("gap<",)
    yield scattered(
        len(tokenized), (each for at in wide for each in ((at - 1, before), (at, after)))
    )


def chunk(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """Shape and length of all that stands between two blanks, and the token's place in it."""
    text, starts, ends = tokenized.text, tokenized.tokens.starts, tokenized.tokens.ends
    firsts = [at for at, start in enumerate(starts) if at == 0 or start != ends[at - 1]]
    sets: list[Attributes] = []
    for first, after in pairwise([*firsts, len(starts)]):
        piece = text[starts[first] : ends[after - 1]][:LONGEST_CHUNK]
        sets += _chunk(shape(piece), after - first)
    yield AttributeSets(sets)


@lru_cache(maxsize=20_000)
def _chunk(whole: str, count: int) -> list[Attributes]:
    about = (
        "cs=" + capped_shape(whole)[:20],
        "c2=" + short_shape(whole)[:20],
        f"cl={min(len(whole), 15)}",
    )
    return [(*about, f"cp={min(at, 4)}", f"ce={min(count - 1 - at, 4)}") for at in range(count)]


def field(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """The field label before the token (`Médico:`), how far it is, and where the line is."""
    of_lines: list[Attributes] = []
    labels: list[Attributes] = []
    shapes: list[Attributes] = []
    before = "^"
    count = len(tokenized.lines)
    for number, (first, last) in enumerate(tokenized.lines):
        about = (
            f"lp={min(number, 12)}",
            f"le={min(count - 1 - number, 4)}",
            f"ll={min((last - first) // 4, 8)}",
            "PK=" + before,
        )
        of_lines += [about] * (last - first)
        _field_line(tokenized, first, last, labels, shapes)
        before = tokenized.field_labels[number]
    yield from (AttributeSets(of_lines), AttributeSets(labels), AttributeSets(shapes))


def _field_line(
    tokenized: TokenizedDocument,
    first: int,
    last: int,
    labels: list[Attributes],
    shapes: list[Attributes],
) -> None:
    words = tokenized.words[first:last]
    starts = [first, *(first + at for at, word in enumerate(words, start=1) if word == ":")]
    label = first_label = ""
    for start, end in pairwise([*starts, last]):
        if start > first:
            label = _label_before(tokenized, first, start - 1)
            first_label = first_label or label
        place = min(start - first, 6)
        labels += [_labelled(label, place, min(at, _FAR)) for at in range(end - start)]
        if label:
            shapes += [_shaped(label, first_label, word) for word in tokenized.words[start:end]]
        else:
            shapes += [NOTHING] * (end - start)


@lru_cache(maxsize=20_000)
def _labelled(label: str, place: int, distance: int) -> Attributes:
    """The attributes of a token that stands so many after the label that ends at a place."""
    about = "K=" + label
    return f"pos={min(place + distance, 6)}", about, f"{about}|{_far(distance)}"


@lru_cache(maxsize=20_000)
def _shaped(label: str, first_label: str, word: str) -> Attributes:
    return f"K={label}|{short_shape(shape(word))}", "FK=" + first_label


def _label_before(tokenized: TokenizedDocument, first: int, colon: int) -> str:
    start = colon
    while start > max(first, colon - 3) and _in_label(tokenized.lowers[start - 1]):
        start -= 1
    return " ".join(tokenized.lowers[start:colon])


def _in_label(word: str) -> bool:
    return word[0].isalpha() or word in "/º."


def _far(distance: int) -> str:
    if distance < 3:
        return str(distance)
    for limit in (5, 9, _FAR):
        if distance < limit:
            return f"<{limit}"
    return "far"


def section(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """The last line above that looks like a heading."""
    heading = "S=^"
    tokens = tokenized.tokens
    sets: list[Attributes] = []
    for first, last in tokenized.lines:
        start, end = tokens.starts[first], tokens.ends[last - 1]
        if end - start <= 64 and _HEADING.fullmatch(tokenized.text, start, end):
            heading = "S=" + tokenized.text[start:end].strip(" :.").lower()[:30]
        sets += [(heading,)] * (last - first)
    yield AttributeSets(sets)


def sentence(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """Length of the token's sentence, and whether the token begins or ends it."""
    sets: list[Attributes] = []
    marks = [at for at, word in enumerate(tokenized.words) if word in _END_MARKS]
    ends = {at + 1 for at in marks if _ends_sentence(tokenized, at)}
    ends |= {last for _, last in tokenized.lines}
    for start, end in pairwise([0, *sorted(ends)]):
        sets += _sentence(end - start)
    yield AttributeSets(sets)


@lru_cache(maxsize=200)
def _sentence(count: int) -> list[Attributes]:
    length = f"sl={min(count // 5, 6)}"
    if count == 1:
        return [(length, "sb", "se")]
    return [(length, "sb"), *[(length,)] * (count - 2), (length, "se")]


def _ends_sentence(tokenized: TokenizedDocument, at: int) -> bool:
    words, tokens = tokenized.words, tokenized.tokens
    return (
        0 < at < len(words) - 1
        and len(words[at - 1]) > 3
        and words[at + 1][0].isupper()
        and tokens.ends[at] < tokens.starts[at + 1]
    )
