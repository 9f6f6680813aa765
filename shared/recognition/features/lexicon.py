"""Which dictionaries a word and the phrase that it belongs to are in."""

from collections import defaultdict
from collections.abc import Mapping

from shared.recognition.dictionaries import Dictionaries
from shared.recognition.features.layout import Columns
from shared.recognition.features.sheet import Sheet
from shared.recognition.features.words import shape, short_shape

_MANY_PLACES = 20
UNTELLING = (
    *("first_name", "last_name", "city", "number", "job", "state_code"),
    *("everyday", "heading", "medical", "vital", "measure", "rating"),
)


def dictionary_names(dictionaries: Dictionaries, word: str) -> list[str]:
    """The dictionaries and kinds of words that hold the word."""
    return [f"lx={name}" for name in dictionaries.words.get(word.lower(), ())]


def dictionary_phrases(sheet: Sheet, columns: Columns, dictionaries: Dictionaries) -> None:
    """The dictionaries that hold the longest phrase of several words here, begun or inside."""
    words, starts = sheet.lowers, dictionaries.starts
    for first, last in sheet.lines:
        free = first
        for at in range(first, last):
            if at >= free and words[at] in starts:
                free, names = _longest(words, at, last, dictionaries)
                for inside in range(at, free if names else at):
                    place = "LB=" if inside == at else "LI="
                    columns[inside].extend(place + name for name in names)


def triggers(sheet: Sheet, columns: Columns, dictionaries: Dictionaries) -> None:
    """The nearest word of a telling kind to the left and right on the line, and how far it is."""
    kinds = {word: _telling(dictionaries.words.get(word, ())) for word in set(sheet.lowers)}
    for first, last in sheet.lines:
        _point(sheet, columns, kinds, range(first, last), "<")
        _point(sheet, columns, kinds, range(last - 1, first - 1, -1), ">")


def classes(sheet: Sheet, columns: Columns, dictionaries: Dictionaries) -> None:
    """N-grams of kinds of words, or shapes where a word is of no kind."""
    kinds = {word: _class(word, dictionaries) for word in set(sheet.words)}
    row = ["^", "^", *(kinds[word] for word in sheet.words), "$", "$"]
    for at, column in enumerate(columns):
        a, b, c, d, e = row[at : at + 5]
        column.extend(
            (
                f"c1={b} {c}",
                f"c2={c} {d}",
                f"c3={b} {c} {d}",
                f"c4={a} {b} {c}",
                f"c5={c} {d} {e}",
                f"c6={a} {b} {c} {d} {e}",
            )
        )


def other_places(sheet: Sheet, columns: Columns, dictionaries: Dictionaries) -> None:
    """Kinds of the words before and after the same word elsewhere in the document."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(sheet.words):
        if word[0].isupper() and len(word) > 1:
            places[sheet.lowers[at]].append(at)
    for found in places.values():
        near = {at: _around(sheet, at, dictionaries) for at in found[:_MANY_PLACES]}
        for at in near if len(near) > 1 else ():
            others = {name for other, names in near.items() if other != at for name in names}
            columns[at].extend(sorted(others))


def _around(sheet: Sheet, at: int, dictionaries: Dictionaries) -> list[str]:
    names: list[str] = []
    for side, step in (("<", -1), (">", 1)):
        place = at + step
        if 0 <= place < len(sheet) and sheet.words[place] == ".":
            place += step
        if 0 <= place < len(sheet):
            kind = _telling(dictionaries.words.get(sheet.lowers[place], ()))
            names += [f"E{side}{kind}"] if kind else []
    return names


def _class(word: str, dictionaries: Dictionaries) -> str:
    names = dictionaries.words.get(word.lower())
    if names:
        return "+".join(names)
    return "0" * min(len(word), 6) if word[0].isdigit() else short_shape(shape(word))


def _telling(names: tuple[str, ...]) -> str:
    return "+".join(name for name in names if name not in UNTELLING)


def _point(
    sheet: Sheet, columns: Columns, kinds: Mapping[str, str], order: range, side: str
) -> None:
    kind, place = "", 0
    for at in order:
        if kind:
            distance = abs(at - place)
            near = str(distance) if distance < 4 else "8" if distance < 8 else "far"
            if distance < 12:
                columns[at].extend((f"T{side}{kind}", f"T{side}{kind}|{near}"))
        if kinds[sheet.lowers[at]]:
            kind, place = kinds[sheet.lowers[at]], at


def _longest(
    words: list[str], at: int, last: int, dictionaries: Dictionaries
) -> tuple[int, tuple[str, ...]]:
    for end in range(min(last, at + dictionaries.starts[words[at]]), at + 1, -1):
        names = dictionaries.phrases.get(" ".join(words[at:end]))
        if names:
            return end, names
    return at + 1, ()
