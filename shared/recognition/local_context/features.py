"""The features of Stat De-id (Uzuner and others 2008, section 6) and those of SNoW (section 7.2).

Item by item, and what differs from the paper:

target            the word in lower case without a plural's s (theirs: Norm of the UMLS)
lexical-bigrams   the two words before it and the two after it
orthographic      capital, `-` or `/`, digits, length
parts-of-speech   of the words within two of it, by the tagger of `links.py` (theirs: Brill's)
syntactic-bigrams words over one link and over two, to each side, with the links, by the parser of
                  `links.py` (theirs: the Link Grammar Parser); the two neighbours where none is
clinical-terms    which lists of clinical words hold words of its noun phrase (theirs: MeSH)
dictionaries      of names, places, hospitals, months and days that hold the words within two of it
                  (theirs: the US census, WorldAtlas, hospitals of New England)
section-heading   the heading that it stands under, or the label of its line

SNoW: `phrase`, the words of the noun phrase, its bigrams and how many it has; `surroundings`,
bigrams and trigrams of words and of parts of speech beside it; `beginning-and-end`, the first and
last letters (Roth and Yih 2002). A feature is a text; which of them there are, training says.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from shared.language.languages import Language
from shared.recognition.dictionaries import Dictionaries, language_of
from shared.recognition.local_context.links import WALL, links, noun_phrases, parts_of_speech
from shared.recognition.local_context.words import WordsOfText, words_of_text

Columns = list[list[str]]
"""The features of each word."""

DICTIONARIES = frozenset(
    "first_name last_name city state state_code country hospital institution month weekday".split()
)
CLINICAL_TERMS = frozenset("medical acronym drug vital disease measure".split())
_REACH = 2
_LONGEST = 20
_EDGE = "#"


class LocalContext:
    """The words of a text with what several groups of features ask about them."""

    def __init__(self, words: WordsOfText, language: Language, dictionaries: Dictionaries) -> None:
        self.words = words
        self._language = language
        self._dictionaries = dictionaries

    def near(self, offset: int) -> list[str]:
        """Return, for every word, the one so far from it in its sentence, in lower case."""
        return self.shifted(self.words.lowers, offset)

    def shifted(self, values: Sequence[str], offset: int) -> list[str]:
        """Return, for every word, the value of the one so far from it in its sentence."""
        found: list[str] = []
        for first, last in self.words.sentences:
            found += [
                values[at + offset] if first <= at + offset < last else _EDGE
                for at in range(first, last)
            ]
        return found

    @cached_property
    def tags(self) -> list[str]:
        """The part of speech of every word."""
        written = self.words.words
        return [
            tag
            for first, last in self.words.sentences
            for tag in parts_of_speech(written[first:last], self._language)
        ]

    @cached_property
    def phrases(self) -> list[tuple[int, int]]:
        """The `[first, last)` words of the noun phrase that each word is in, or itself."""
        found = [(at, at + 1) for at in range(len(self.words))]
        for first, last in self.words.sentences:
            for start, end in noun_phrases(self.tags[first:last]):
                found[first + start : first + end] = [(first + start, first + end)] * (end - start)
        return found

    @cached_property
    def dictionary_names(self) -> list[tuple[str, ...]]:
        """The dictionaries and lists that hold each word, or the phrase that it belongs to."""
        lowers = self.words.lowers
        names = [self._dictionaries.words.get(word, ()) for word in lowers]
        for first, last in self.words.sentences:
            free = first
            for at in self._dictionaries.known.begun(lowers[first:last]):
                if first + at >= free:
                    free = self._add_phrase(names, first + at, last)
        return names

    def _add_phrase(self, names: list[tuple[str, ...]], at: int, last: int) -> int:
        for end, phrase in self._dictionaries.known.at(self.words.lowers, at, last):
            if held := self._dictionaries.phrases.get(phrase):
                for place in range(at, end):
                    names[place] = tuple(dict.fromkeys((*names[place], *held)))
                return end
        return at + 1


def _target(context: LocalContext) -> Columns:
    lowers = context.words.lowers
    return [[f"t={word[:-1] if len(word) > 3 and word[-1] == 's' else word}"] for word in lowers]


def _lexical_bigrams(context: LocalContext) -> Columns:
    near = [context.near(offset) for offset in (-2, -1, 1, 2)]
    return [[f"b<{a} {b}", f"b>{c} {d}"] for a, b, c, d in zip(*near, strict=True)]


def _orthographic(context: LocalContext) -> Columns:
    found: Columns = []
    for word in context.words.words:
        seen = [f"o={min(len(word), _LONGEST)}"]
        seen += ["o=capital"] if word[0].isupper() else []
        seen += ["o=-/"] if "-" in word or "/" in word else []
        seen += ["o=digit"] if any(map(str.isdigit, word)) else []
        found.append(seen)
    return found


def _of_parts(context: LocalContext) -> Columns:
    offsets = range(-_REACH, _REACH + 1)
    near = [context.shifted(context.tags, offset) for offset in offsets]
    return [
        [f"p{offset}={tag}" for offset, tag in zip(offsets, tags, strict=True)]
        for tags in zip(*near, strict=True)
    ]


def _syntactic_bigrams(context: LocalContext) -> Columns:
    found: Columns = []
    for first, last in context.words.sentences:
        found += _linked(context.words.lowers[first:last], context.tags[first:last])
    return found


def _linked(words: Sequence[str], tags: Sequence[str]) -> Iterator[list[str]]:
    """Yield of each word of a sentence what is one and two links away, to the left and right."""
    to_left: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    to_right: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for left, right, kind in links(tags):
        to_left[right].append((left, kind))
        to_right[left].append((right, kind))
    for at in range(len(words)):
        seen: list[str] = []
        for side, step, reached in (("<", -1, to_left), (">", 1, to_right)):
            near = reached.get(at) or [(at + step, "NONE")]
            far = [each for place, _ in near for each in reached.get(place, ())]
            if at not in reached:
                far = [(at + 2 * step, "NONE")]
            for level, linked in enumerate((near, far), start=1):
                seen += [f"l{side}{level}={kind} {_word(words, place)}" for place, kind in linked]
        yield list(dict.fromkeys(seen))


def _word(words: Sequence[str], place: int) -> str:
    return words[place] if WALL < place < len(words) else _EDGE


def _clinical_terms(context: LocalContext) -> Columns:
    names = context.dictionary_names
    found: Columns = []
    for first, last in context.phrases:
        held = {name for at in range(first, last) for name in names[at]}
        found.append([f"m={name}" for name in sorted(held & CLINICAL_TERMS)])
    return found


def _dictionaries(context: LocalContext) -> Columns:
    held = [" ".join(sorted(DICTIONARIES.intersection(each))) for each in context.dictionary_names]
    found: Columns = [[] for _ in held]
    for offset in range(-_REACH, _REACH + 1):
        for seen, names in zip(found, context.shifted(held, offset), strict=True):
            if names != _EDGE:
                seen += [f"d{offset}={name}" for name in names.split()]
    return found


def _section_heading(context: LocalContext) -> Columns:
    return [[f"s={heading}"] for heading in context.words.headings]


def _phrase(context: LocalContext) -> Columns:
    lowers = context.words.lowers
    found: Columns = []
    for first, last in context.phrases:
        words = lowers[first:last]
        pairs = [f"f2={one} {other}" for one, other in pairwise(words)]
        found.append([*(f"f={word}" for word in dict.fromkeys(words)), *pairs, f"fn={len(words)}"])
    return found


def _surroundings(context: LocalContext) -> Columns:
    rows = {"n": context.words.lowers, "g": context.tags}
    found: Columns = [[] for _ in context.words.lowers]
    for name, values in rows.items():
        near = [context.shifted(values, offset) for offset in (-3, -2, -1, 1, 2, 3)]
        for seen, (a, b, c, d, e, f) in zip(found, zip(*near, strict=True), strict=True):
            seen += [f"{name}<1={c}", f"{name}<2={b} {c}", f"{name}<3={a} {b} {c}"]
            seen += [f"{name}>1={d}", f"{name}>2={d} {e}", f"{name}>3={d} {e} {f}"]
    return found


def _beginning_and_end(context: LocalContext) -> Columns:
    return [[f"e<{word[:3]}", f"e>{word[-3:]}"] for word in context.words.lowers]


LOCAL_GROUPS: dict[str, Callable[[LocalContext], Columns]] = {
    "target": _target,
    "lexical-bigrams": _lexical_bigrams,
    "orthographic": _orthographic,
    "parts-of-speech": _of_parts,
    "syntactic-bigrams": _syntactic_bigrams,
    "clinical-terms": _clinical_terms,
    "dictionaries": _dictionaries,
    "section-heading": _section_heading,
    "phrase": _phrase,
    "surroundings": _surroundings,
    "beginning-and-end": _beginning_and_end,
}
STAT_DEID = tuple(LOCAL_GROUPS)[:8]
SNOW = ("target", "orthographic", "dictionaries", "phrase", "surroundings", "beginning-and-end")


def local_features(text: str, groups: Sequence[str], dictionaries: Dictionaries) -> Columns:
    """Return the features of every word of a text, by groups of `LOCAL_GROUPS`."""
    context = LocalContext(words_of_text(text), language_of([text]), dictionaries)
    parts = [LOCAL_GROUPS[name](context) for name in groups]
    return [[name for part in of_word for name in part] for of_word in zip(*parts, strict=True)]
