"""The words that Stat De-id classifies, and the sentences and headings that they stand in.

Whatever is between blanks is a word, as in the paper, but for punctuation around it: a date, a
telephone number or an address of e-mail is one word. A sentence ends with its line too.
"""

import re
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from shared.recognition.tokens import LONGEST_SEQUENCE, tokenized

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_WORD = re.compile(
    r"[^\W_]+(?:(?:[-/@_]+|['’](?=[^\W_]{2})|\.(?=[^\W_A-Z])|(?<=\d)[:,](?=\d))[^\W_]+)*|\S"
)
_END_MARKS = ".?!"
_LONGEST_HEADING = 6
NO_HEADING = "-"


class WordsOfText:
    """The words of a text: `words[i]` lies at `[starts[i], ends[i])`."""

    def __init__(self, text: str) -> None:
        self.text = tokenized(text).text  # without what no file can hold
        places = [found.span() for found in _WORD.finditer(self.text)]
        self.starts = [start for start, _ in places]
        self.ends = [end for _, end in places]
        self.words = [self.text[start:end] for start, end in places]
        self.lowers = list(map(str.lower, self.words))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """The `[first, last)` words of every sentence, none longer than `LONGEST_SEQUENCE`."""
        marks = (at for at, word in enumerate(self.words) if word in _END_MARKS)
        ends = {at + 1 for at in marks if self._ends_sentence(at)}
        ends |= {last for _, last in self._lines}
        return [
            (start, min(start + LONGEST_SEQUENCE, last))
            for first, last in pairwise([0, *sorted(ends)])
            for start in range(first, last, LONGEST_SEQUENCE)
        ]

    @cached_property
    def sentence_numbers(self) -> Integers:
        """For each word, the number of its sentence."""
        sizes = [last - first for first, last in self.sentences]
        return np.repeat(np.arange(len(sizes)), sizes)

    @cached_property
    def headings(self) -> list[str]:
        """For each word, the last heading above, or what is before a colon on its own line."""
        found: list[str] = []
        heading = NO_HEADING
        for first, last in self._written_lines:
            words = self.lowers[first:last]
            colon = words.index(":") if ":" in words[: _LONGEST_HEADING + 1] else 0
            if colon:
                heading = " ".join(words[:colon])
            elif self._is_heading(first, last):
                heading = " ".join(words)
            found += [heading] * (last - first)
        return found

    @cached_property
    def _lines(self) -> list[tuple[int, int]]:
        """The words of every line, with those of the lines that it runs on into."""
        tokens = tokenized(self.text)
        bounds = [tokens.ends[last - 1] for first, last in tokens.sequences if first < last]
        ends = [bisect_left(self.starts, bound) for bound in bounds]
        return [each for each in pairwise([0, *ends]) if each[0] < each[1]]

    @cached_property
    def _written_lines(self) -> list[tuple[int, int]]:
        breaks = [found.end() for found in re.finditer("\n", self.text)]
        ends = [bisect_right(self.starts, end - 1) for end in breaks]
        return [each for each in pairwise([0, *ends, len(self)]) if each[0] < each[1]]

    def _ends_sentence(self, at: int) -> bool:
        """Whether a full stop is no sign of an abbreviation, by the word before and after it."""
        is_inside = 0 < at < len(self) - 1
        return is_inside and len(self.words[at - 1]) > 3 and self.words[at + 1][0].isupper()

    def _is_heading(self, first: int, last: int) -> bool:
        line = " ".join(self.words[first:last])
        return last - first <= _LONGEST_HEADING and line.isupper() and len(line) > 3


@lru_cache(maxsize=8)
def words_of_text(text: str) -> WordsOfText:
    """Return the words of a text; units and features of the same text ask for it in turn."""
    return WordsOfText(text)
