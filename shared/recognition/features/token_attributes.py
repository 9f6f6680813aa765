"""What feature groups say of the tokens of a document, for training and for suggesting.

Training wants attributes as strings. Labelling wants the sums of their weights, and looks up once
what comes again and again: a whole set of attributes, or a text that several attributes share.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import add
from typing import NamedTuple

AttributeColumns = list[list[str]]
"""The attributes of each token."""

Attributes = tuple[str, ...]
NOTHING: Attributes = ()


class AttributeSets(NamedTuple):
    """A set of attributes for every token, of which many are alike."""

    of_tokens: Sequence[Attributes]

    def write(self, columns: AttributeColumns) -> None:
        for column, attributes in zip(columns, self.of_tokens, strict=True):
            column.extend(attributes)


class NgramAttributes(NamedTuple):
    """Texts around the tokens, of which many come but once.

    Token number `at` has, for every head and shift, the attribute `head + texts[at + shift]`. A
    head ends with `=` and has no other.
    """

    texts: Sequence[str]
    heads: Mapping[str, int]

    def write(self, columns: AttributeColumns) -> None:
        for head, shift in self.heads.items():
            for at, column in enumerate(columns, start=shift):
                column.append(head + self.texts[at])


TokenAttributes = AttributeSets | NgramAttributes


def scattered(count: int, token_attributes: Iterable[tuple[int, Attributes]]) -> AttributeSets:
    """Return attributes of few of `count` tokens: the number of a token, and its attributes."""
    sets = [NOTHING] * count
    for at, attributes in token_attributes:
        sets[at] += attributes
    return AttributeSets(sets)


def padded(texts: Sequence[str]) -> list[str]:
    """Return the texts with signs for the two before the first and after the last."""
    return ["^", "^", *texts, "$", "$"]


def joined(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """Return each text on the left with that of the same number on the right behind it."""
    return list(map(add, left, right))
