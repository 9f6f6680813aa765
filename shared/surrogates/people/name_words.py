"""The words of a patient's names: what each is, whose, and of which it is a misspelling."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice

from shared.language.languages import Language, alternatives
from shared.language.name_lists import NameLists
from shared.language.name_parts import (
    KnownNames,
    NamePartRole,
    NameText,
    NameWord,
    parse_name_parts,
)
from shared.surrogates.mentions import PhiMention
from shared.text.flat_text import without_points
from shared.text.spelling import AlikeSpellings, Typo, match_key, typo_between

_INITIALS_LENGTH = 3
_RARE, _LEAST_LETTERS = 2, 4
_SAID, _FIRST, _LISTED = 1000, 2, 1
"""What the record says of somebody's sex outweighs every time that the lists say another."""


@dataclass(slots=True)
class NamePart:
    """One word of names by its key: how often it is which part, beside which others, whose."""

    key: str
    count: int = 0
    roles: Counter[NamePartRole] = field(default_factory=Counter[NamePartRole])
    sexes: Counter[str] = field(default_factory=Counter[str])
    beside: set[str] = field(default_factory=set[str])
    accented: bool = False
    variant_of: str = ""
    typo: Typo | None = None

    @property
    def role(self) -> NamePartRole:
        """GIVEN or FAMILY, whichever it is more often."""
        return (
            NamePartRole.GIVEN
            if self.roles[NamePartRole.GIVEN] > self.roles[NamePartRole.FAMILY]
            else NamePartRole.FAMILY
        )


@dataclass(frozen=True, slots=True)
class ParsedMention:
    """A mention of a person with its name taken apart, and the title right before it or ""."""

    mention: PhiMention
    name: NameText
    title_before: str = ""
    sex_said: str = ""
    """M or F where a title or a word for a relative beside the name tells (`his wife, Alexis`)."""


@dataclass(frozen=True, slots=True)
class PatientNames:
    """The names of a patient taken apart, and their words by key."""

    parsed: tuple[ParsedMention, ...]
    words: Mapping[str, NamePart]


class NamesSoFar:
    """The words of a patient's names, counted as they come; a word is told once it is there."""

    def __init__(self) -> None:
        self.words: dict[str, NamePart] = {}
        self._spellings = AlikeSpellings()

    def read(self, mentions: Sequence[PhiMention], lists: NameLists) -> tuple[ParsedMention, ...]:
        """Take names apart; those that stand alone are told by these, those before, and the lists.

        A new word may be a misspelling of one that was there, or one of these.
        """
        known = _known_names(lists)
        count = len(self.words)
        parsed = [_with_context(each, _parsed(each, known), lists.language) for each in mentions]
        for each in parsed:
            _count(each, self.words, lists)
        parsed = [_with_singles(each, self.words, lists) for each in parsed]
        for each in parsed:
            _count_alone(each, self.words, lists)
        new = islice(reversed(self.words.values()), len(self.words) - count)
        self._find_variants({each.key: each for each in new}, lists)
        return tuple(parsed)

    def in_full(self, key: str) -> str:
        """The key of a name without a slip."""
        word = self.words.get(key)
        return word.variant_of or key if word else key

    def _find_variants(self, new: Mapping[str, NamePart], lists: NameLists) -> None:
        """Tell which of the new words is a misspelling, of the commonest that it may be one of.

        A word that was there before is right for those that come after it.
        """

        def rank(each: NamePart) -> tuple[bool, int, str]:
            return each.key in new, -each.count, each.key

        for word in sorted(new.values(), key=rank):
            near = (self.words[key] for key in self._spellings.near(word.key))
            for base in sorted(near, key=rank):
                typo = None if base.variant_of else _slip(base, word, lists)
                if typo:
                    word.variant_of, word.typo = base.key, typo
                    break
            self._spellings.add(word.key)


def read_names(mentions: Sequence[PhiMention], lists: NameLists) -> PatientNames:
    """Take a patient's names apart; names that stand alone are told by the others and the lists."""
    names = NamesSoFar()
    parsed = names.read(mentions, lists)
    return PatientNames(parsed, names.words)


@cache
def _known_names(lists: NameLists) -> KnownNames:
    return KnownNames(frozenset(lists.given_sexes), lists.family_names, lists.language)


def _parsed(mention: PhiMention, known: KnownNames) -> NameText:
    """Take a name apart; after the label `Apellidos:` there are family names only.

    A word alone after `Nombre:`, or after a word for a relative, is a given name.
    """
    language = known.language
    label = labelled(mention, language)
    of_family = label is NamePartRole.FAMILY
    name = parse_name_parts(without_points(mention.text), known, compounds=not of_family)
    role, instead = NamePartRole.FAMILY, (NamePartRole.GIVEN, NamePartRole.SINGLE)
    if not of_family:
        role, instead = NamePartRole.GIVEN, (NamePartRole.SINGLE,)
        of_both = _label_of_both(language).search(mention.before)
        if of_both or not (label or _kinship_before(mention.before, language)):
            return name
    words = (replace(each, role=role) if each.role in instead else each for each in name.words)
    return NameText(name.text, tuple(words))


def labelled(mention: PhiMention, language: Language) -> NamePartRole | None:
    """What a label right before a name says that it is: `Vorname:` given, `Apellidos:` family."""
    names, before = language.names, mention.before
    if _label_of_both(language).search(before):
        return None
    if _label(names.family_name_labels).search(before):
        return NamePartRole.FAMILY
    return NamePartRole.GIVEN if _label(names.given_name_labels).search(before) else None


@cache
def _label(labels: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<!\w){alternatives(labels)}\s*:?\s*$")


@cache
def _label_of_both(language: Language) -> re.Pattern[str]:
    """`Nombre y apellidos:`, behind which a name is as it is elsewhere."""
    given, family = (
        alternatives(labels)
        for labels in (language.names.given_name_labels, language.names.family_name_labels)
    )
    return re.compile(rf"(?i)(?<!\w){given}[\s,/&]+(?:\w\s+)?{family}\s*:?\s*$")


def _with_context(mention: PhiMention, name: NameText, language: Language) -> ParsedMention:
    relative = _kinship_before(mention.before, language) or _kinship_after(mention.after, language)
    title = "" if relative else _title_before(mention, language)
    kept = name.of(NamePartRole.KEPT)
    said = relative or title or (kept[0].text.lower() if kept else "")
    names = language.names
    men, women = (
        said in (*titles, *kin)
        for titles, kin in (
            (names.honorifics_men, names.kinship_men),
            (names.honorifics_women, names.kinship_women),
        )
    )
    return ParsedMention(mention, name, title, "" if men is women else "M" if men else "F")


def _kinship_before(before: str, language: Language) -> str:
    """The word for a relative that ends in a name (`his wife, Alexis`), in small letters, or "".

    One that is a title as well, the German `Frau`, is a relative's behind a possessive only.
    """
    found = re.search(r"(?:(\w+)\s+)?(\w+)(?:,?\s+|,?\s*\()$", before)
    word = found[2].lower() if found else ""
    if found is None or word not in language.kinship:
        return ""
    owner = re.fullmatch(language.cue("kin_possessives"), (found[1] or "").lower())
    return word if owner or word not in language.titles else ""


def _kinship_after(after: str, language: Language) -> str:
    """The word for a relative in `Alexis, his wife`, in small letters, or ""."""
    found = re.match(rf"(?i)(?:,\s|\s?\()(?:{language.cue('kin_possessives')})\s+(\w+)", after)
    word = found[1].lower() if found else ""
    return word if word in language.kinship else ""


def _title_before(mention: PhiMention, language: Language) -> str:
    """The title that stands right before a name, in small letters without full stop, or ""."""
    before = mention.before.split()
    word = before[-1].lower().strip(".,:(") if before else ""
    return word if word in language.titles else ""


def _count(parsed: ParsedMention, words: dict[str, NamePart], lists: NameLists) -> None:
    """Count the words of a name of several words."""
    named = parsed.name.names
    for each in named:
        word = words.setdefault(each.key, NamePart(each.key))
        word.count += 1
        word.accented |= not each.last.isascii()
        word.roles[each.role] += 1
        word.beside |= {other.key for other in named if other.key != each.key}
        if each.role is NamePartRole.GIVEN:
            _vote(word, each, parsed, lists)


def _vote(word: NamePart, name: NameWord, parsed: ParsedMention, lists: NameLists) -> None:
    """Count what the record and the name say of its bearer's sex.

    A compound's first word tells, and of two given names the first: `María José`.
    """
    if parsed.sex_said:
        word.sexes[parsed.sex_said] += _SAID
    given = parsed.name.of(NamePartRole.GIVEN)
    if given[0] is not name and (sex := lists.given_sexes.get(given[0].key)):
        word.sexes[sex] += _FIRST
    first = match_key(name.text.split()[0])
    ending = "F" if first != word.key and first[-1:] in "aª" else ""
    if sex := lists.given_sexes.get(first) or ending or lists.given_sexes.get(word.key):
        word.sexes[sex] += _LISTED


def _with_singles(
    parsed: ParsedMention, words: Mapping[str, NamePart], lists: NameLists
) -> ParsedMention:
    singles = parsed.name.of(NamePartRole.SINGLE)
    if not singles:
        return parsed
    roles = {each.start: _single_role(each, parsed, words, lists) for each in singles}
    taken = tuple(
        NameWord(each.text, each.start, each.end, roles.get(each.start, each.role), each.unit)
        for each in parsed.name.words
    )
    return replace(parsed, name=NameText(parsed.name.text, taken))


def _single_role(
    word: NameWord, parsed: ParsedMention, words: Mapping[str, NamePart], lists: NameLists
) -> NamePartRole:
    known = words.get(word.key)
    if known is not None:
        return known.role
    given, family = word.key in lists.given_sexes, word.key in lists.family_names
    if len(word.text) <= _INITIALS_LENGTH and (
        (word.text.isupper() and not parsed.title_before)
        or ((word.text.isupper() or word.text.islower()) and not (given or family))
    ):
        return NamePartRole.INITIAL
    if parsed.title_before or not given:
        return NamePartRole.FAMILY
    return NamePartRole.FAMILY if family and parsed.mention.is_staff else NamePartRole.GIVEN


def _count_alone(parsed: ParsedMention, words: dict[str, NamePart], lists: NameLists) -> None:
    """Count the words of a name alone, whose parts are told now."""
    named = parsed.name.names
    if len({each.unit for each in named}) != 1 or _is_login(parsed, words):
        return
    for each in named:
        word = words.setdefault(each.key, NamePart(each.key))
        word.accented |= not each.last.isascii()
        if not word.beside or len(named) > 1:
            word.roles[each.role] += 1
        word.count += 1
        if each.role is NamePartRole.GIVEN:
            _vote(word, each, parsed, lists)


def _is_login(parsed: ParsedMention, words: Mapping[str, NamePart]) -> bool:
    """True for `dholcomb`: a name in small letters that holds a known one and an initial."""
    text = parsed.mention.text
    if not (text.isascii() and text.isalpha() and text.islower()) or text in words:
        return False
    return any(len(key) > 2 and key in text and len(text) - len(key) <= 3 for key in words)


# ---------------------------------------------------------------- misspellings


def _slip(base: NamePart, word: NamePart, lists: NameLists) -> Typo | None:
    """The slip by which a word comes of another, None where it is a name of its own."""
    common, rare = (base, word) if base.count >= word.count else (word, base)
    if len(base.key) < _LEAST_LETTERS or rare.count > _RARE or not _may_be(common, rare, lists):
        return None
    typo = typo_between(base.key, word.key)
    return typo if typo and _is_variant(common, rare, lists) else None


def _may_be(base: NamePart, other: NamePart, lists: NameLists) -> bool:
    """True where both are the same part of a name, or what the other is nobody knows."""
    if other.role is base.role:
        return True
    known = other.key in lists.given_sexes or other.key in lists.family_names
    return not other.beside and not known


def _is_variant(base: NamePart, other: NamePart, lists: NameLists) -> bool:
    """True where a typo is likelier than another person: the same name beside it, or no name."""
    if other.beside:
        return bool(base.beside & other.beside) and not _twins(base, other, lists)
    known = lists.given_sexes.keys() if other.role is NamePartRole.GIVEN else lists.family_names
    return other.key not in known or base.count >= 2 * other.count


def _twins(base: NamePart, other: NamePart, lists: NameLists) -> bool:
    """True for `Maria` and `Mario` of one family: two names that both exist, of two sexes."""
    one, two = (lists.given_sexes.get(each.key, "") for each in (base, other))
    return bool(one and two and one != two)
