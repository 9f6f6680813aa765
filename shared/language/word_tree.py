"""One expression for a list of words, in which those that begin alike share what they have alike.

The expressions of Python try one alternative after the other, which for hundreds of words takes
longer than all else.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_Tree = Mapping[str, Any]
"""What follows a letter; "" where a word may end."""


def any_of(words: Iterable[str]) -> str:
    """Return an expression for any of the words, the longest that is there.

    A blank may be a line end in the text. Of no word at all it finds none.
    """
    tree: dict[str, Any] = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _expression(tree) if tree else "(?!)"


def _expression(tree: _Tree) -> str:
    branches = [_branch(letter, below) for letter, below in sorted(tree.items()) if letter]
    if not branches:
        return ""
    whole = "|".join(branches)
    if "" in tree:
        return f"(?:{whole})?"
    return whole if len(branches) == 1 else f"(?:{whole})"


def _branch(letter: str, below: _Tree) -> str:
    literal = _literal(letter)
    while len(below) == 1 and "" not in below:
        [(letter, below)] = below.items()
        literal += _literal(letter)
    return literal + _expression(below)


def _literal(letter: str) -> str:
    return r"[ \n]" if letter == " " else re.escape(letter)
