"""Who is who in a patient's records, told record by record and never told anew.

A name in full means whoever is known, by this record and those before it, with the same first name
and all of these family names: by a nickname, its initial, with one slip of a typist, in any order.
So do its parts in two fields of a form (`Vorname:`, `Name:`). A word alone, several without a first
name, and initials mean the only one who has them. A title or a word for a relative beside them
rules out who is the only one but of the other sex, and whoever is known by the other title and no
first name; it picks none of two with first names. What could be two who are known is neither of
them but somebody of its own, whom nothing later makes anybody else: `Miller` beside Anna and Bob
Miller, and `Mr. Miller`, too.

Whoever is known by less of a name (`Miller`, `A. Miller`, `AM`, `Noa Gil`) is the one who is first
named with more of it, where a record brings only one such and no other is known. Of two who are
known by less of the same name it is the one by more of it, or by the family name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from shared.language.languages import Language
from shared.language.name_lists import NameLists, name_lists
from shared.language.name_parts import NamePartRole, NameWord
from shared.model import PhiType
from shared.surrogates.mentions import PhiMention
from shared.surrogates.people.name_plan import nicknames_of
from shared.surrogates.people.name_words import NamesSoFar, ParsedMention, labelled
from shared.text.spelling import match_key

_WORD = re.compile(r"[^\W\d_]+")
_NEAR = 40
"""So many characters lie at most between two fields of a form."""
_INITIALS = re.compile(r"[A-Z]\.?(?:[ -]?[A-Z]\.?){1,3}")


class NameForm(NamedTuple):
    """How much of a name stands somewhere, in keys without slips.

    With a first name, in full or as its initial (`a.`), and family names; or some words of which
    it does not matter what they are; or initials.
    """

    first: str = ""
    family: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    """All given and family names."""
    initials: str = ""
    sex: str = ""
    """M or F where it is said beside a name that is not in full."""

    @property
    def group(self) -> str:
        """How much it is: full, part or initials."""
        return "full" if self.first else "part" if self.words else "initials"


@dataclass(slots=True, eq=False)
class _KnownPerson:
    """Somebody by the most of the name that is known.

    `said` is the sex by titles and words for relatives, `listed` that of the first name in lists.
    """

    number: int
    form: NameForm
    said: str = ""
    listed: str = ""
    is_unclear: bool = False
    """Whether it may be somebody else who is known."""
    same_as: "_KnownPerson | None" = None
    initials: set[str] = field(default_factory=set[str])

    @property
    def itself(self) -> "_KnownPerson":
        return self.same_as or self

    def may_be(self, sex: str) -> bool:
        """False for somebody whose first name is not known, where records say another sex."""
        return bool(self.form.first) or not (sex and self.said) or sex == self.said


class KnownPeople:
    """The people of one patient's records so far."""

    def __init__(self) -> None:
        self._names = NamesSoFar()
        self._people: dict[PhiType, _PeopleOfType] = {}

    def read(self, mentions: Sequence[PhiMention], language: Language) -> Mapping[int, int]:
        """Return a number for whom each mention of a record means, within its type.

        What holds no name is left out.
        """
        lists = name_lists(language)
        parsed = self._names.read(mentions, lists)
        forms = [self._form(each) for each in parsed]
        for at, (one, other) in enumerate(pairwise(parsed)):
            given, family = _fields(one, other, language)
            if given and family:
                forms[at] = forms[at + 1] = self._together(given, family)
        by_type: dict[PhiType, list[tuple[ParsedMention, NameForm]]] = {}
        for each, form in zip(parsed, forms, strict=True):
            if form:
                by_type.setdefault(each.mention.tag.phi_type, []).append((each, form))
        found: dict[int, int] = {}
        for phi_type, own in by_type.items():
            people = self._people.setdefault(phi_type, _PeopleOfType())
            found |= people.read(own, lists)
        return found

    def _together(self, given: Sequence[NameWord], family: Sequence[NameWord]) -> NameForm:
        first, *others = (self._names.in_full(each.key) for each in (*given, *family))
        own = frozenset(self._names.in_full(each.key) for each in family)
        return NameForm(first, own, frozenset((first, *others)))

    def _form(self, parsed: ParsedMention) -> NameForm | None:
        name, key = parsed.name, self._names.in_full
        if any(map(str.isdigit, name.text)):
            return None
        given, family, initials = (
            [key(each.key) for each in name.of(role)]
            for role in (NamePartRole.GIVEN, NamePartRole.FAMILY, NamePartRole.INITIAL)
        )
        words = frozenset((*given, *family))
        firsts = given or [f"{each}." for each in initials]
        if family and firsts:
            return NameForm(firsts[0], frozenset(family), words)
        if words:
            return NameForm(words=words, sex=parsed.sex_said)
        if _INITIALS.fullmatch(parsed.mention.text):
            return NameForm(initials="".join(_WORD.findall(match_key(parsed.mention.text))))
        return None


_Found = dict[_KnownPerson, None]
"""People, each once, in the order in which they were found."""


def _fields(
    one: ParsedMention, other: ParsedMention, language: Language
) -> tuple[tuple[NameWord, ...], tuple[NameWord, ...]]:
    """The given and the family names of two fields of one form, nothing where they are none."""
    roles = NamePartRole.GIVEN, NamePartRole.FAMILY
    first, second = one.mention, other.mention
    if first.tag.phi_type == second.tag.phi_type and second.tag.start - first.tag.end <= _NEAR:
        labels = labelled(first, language), labelled(second, language)
        fields = dict(zip(labels, (one, other), strict=True))
        if fields.keys() == set(roles):
            given, family = (fields[role].name.of(role) for role in roles)
            return given, family
    return (), ()


class _PeopleOfType:
    """The people of one type, with what leads to each."""

    def __init__(self) -> None:
        self._lists: NameLists
        self._count = 0
        self._by_first: dict[tuple[str, str], _Found] = {}
        """By first name, initial (`a.`) or nickname (`~ann`), and each family name."""
        self._by_word: dict[str, _Found] = {}
        self._by_nickname: dict[str, _Found] = {}
        self._by_initials: dict[str, _Found] = {}

    def read(
        self, mentions: Sequence[tuple[ParsedMention, NameForm]], lists: NameLists
    ) -> Mapping[int, int]:
        """Return the number of whom each mention of a record means.

        More of a name is read before less, so that less of it may mean the same.
        """
        self._lists = lists
        forms = sorted(
            dict.fromkeys(form for _, form in mentions),
            key=lambda each: (-len(each.words), -len(each.first)),
        )
        meant: dict[NameForm, _KnownPerson] = {}
        for group in ("full", "part", "initials"):
            before = self._count
            meant |= {form: self._who(form) for form in forms if form.group == group}
            for parsed, form in mentions:
                if form.group == group:
                    self._learn(parsed, form, meant[form])
            for person in {each: None for each in meant.values() if each.number >= before}:
                self._join(person, before)
        return {each.mention.number: meant[form].itself.number for each, form in mentions}

    def _who(self, form: NameForm) -> _KnownPerson:
        """Whom a form means: somebody new where that is nobody who is known, or one of many."""
        every = self._fitting(form)
        clear = [each for each in every if not each.is_unclear]
        if len(clear) == 1 and not _of_two_sexes(form, clear[0]):
            return clear[0]
        same = [each for each in every if each.form == form]
        bare = form._replace(sex="")
        same += [each for each in every if each.is_unclear and each.form == bare]
        if same:
            return same[0]
        return self._new(bare if clear[1:] else form, is_unclear=len(clear) > 1)

    def _fitting(self, form: NameForm, without: _KnownPerson | None = None) -> list[_KnownPerson]:
        """All who are known to have what a form has of a name; by a nickname only where none else.

        `without` counts as nobody.
        """
        find = {"full": self._in_full, "part": self._in_part, "initials": self._of_initials}
        for some in find[form.group](form):
            found = dict.fromkeys(each.itself for each in some)
            if every := [each for each in found if each is not without and each.may_be(form.sex)]:
                return sorted(every, key=_number)
        return []

    def _in_full(self, form: NameForm) -> Iterator[Iterable[_KnownPerson]]:
        family = min(form.family)
        same = [each.itself for each in self._by_first.get((form.first, family), ())]
        few = min((self._by_word.get(each, {}) for each in form.words), key=len)
        turned = few if form.family < form.words else ()
        yield (
            *(each for each in same if form.family <= each.form.family),
            *(each for each in turned if form.words == each.itself.form.words),
        )
        names = (f"~{form.first}", *self._nicknames(form.first))
        near = (each.itself for name in names for each in self._by_first.get((name, family), ()))
        yield (each for each in near if form.family <= each.form.family)
        yield (each for each in turned if form.words <= each.itself.form.family)  # `Gil Vals`

    def _in_part(self, form: NameForm) -> Iterator[Iterable[_KnownPerson]]:
        found = [self._by_word.get(each, {}) for each in form.words]
        few = min(found, key=len)
        yield (each for each in few if all(each in other for other in found))
        if len(form.words) == 1:
            yield self._by_nickname.get(min(form.words), ())

    def _of_initials(self, form: NameForm) -> Iterator[Iterable[_KnownPerson]]:
        letters = form.initials
        yield self._by_initials.get(letters, ())
        every = self._by_initials.get(letters[0] + letters[-1], ())
        yield (each for each in every if len(letters) not in map(len, each.itself.initials))

    def _new(self, form: NameForm, *, is_unclear: bool) -> _KnownPerson:
        listed = self._lists.given_sexes.get(form.first, "")
        person = _KnownPerson(self._count, form, form.sex, listed, is_unclear)
        self._count += 1
        for word in form.words:
            self._by_word.setdefault(word, {})[person] = None
        if form.first:
            self._lead_by_first(form.first, person)
        if form.initials:
            self._by_initials.setdefault(form.initials, {})[person] = None
        return person

    def _lead_by_first(self, first: str, person: _KnownPerson) -> None:
        names = {first, f"{first[0]}."}
        nicknames = self._nicknames(first)
        names.update(f"~{each}" for each in nicknames)
        for family in person.form.family:
            for name in names:
                self._by_first.setdefault((name, family), {})[person] = None
        for each in nicknames:
            self._by_nickname.setdefault(each, {})[person] = None

    def _nicknames(self, first: str) -> list[str]:
        """The nicknames of a first name; names of two sexes are two people's."""
        if first.endswith(".") or not self._lists.language.names.nicknames:
            return []
        sexes = self._lists.given_sexes
        sex = sexes.get(first)
        return [
            each for each in nicknames_of(first) if not sex or sexes.get(each, sex) in (sex, "")
        ]

    def _learn(self, parsed: ParsedMention, form: NameForm, person: _KnownPerson) -> None:
        """Note what a mention tells of whom it means; of somebody unclear it tells nothing."""
        if person.is_unclear:
            return
        for each in _all_initials(parsed) if form.words else (form.initials,):
            self._by_initials.setdefault(each, {})[person] = None
            person.initials.add(each)
        person.said = person.said or parsed.sex_said
        if not person.form.first:
            person.form = form if form.first else person.form._replace(sex=person.said)
            person.listed = self._lists.given_sexes.get(form.first, "")
        if form.first and not form.first.endswith("."):
            self._lead_by_first(form.first, person)

    def _join(self, new: _KnownPerson, before: int) -> None:
        """Let somebody who is new be the one who is known by less of the name, if there is one."""
        known: list[_KnownPerson] = []
        for each in self._known_by_less(new, before):
            fitting = [one for one in self._fitting(each.form, each) if not one.is_unclear]
            if fitting == [new] and not _of_two_sexes(each.form, new):
                known.append(each)
            elif new in fitting and len(fitting) > 1:
                each.is_unclear, each.form = True, each.form._replace(sex="")
        rank = max((_rank(each, new) for each in known), default=None)
        best = [each for each in known if _rank(each, new) == rank]
        if len(best) == 1 and not new.is_unclear:
            new.same_as = best[0]
            best[0].form, best[0].listed = new.form, new.listed
            best[0].said = new.said or best[0].said

    def _known_by_less(self, new: _KnownPerson, before: int) -> list[_KnownPerson]:
        """Those of the people before who may be known by a part of somebody's name."""
        form = new.form
        some = [self._by_first.get((f"{form.first[:1]}.", each), {}) for each in form.family]
        some += [self._by_word.get(each, {}) for each in form.words]
        some += [self._by_word.get(each, {}) for each in self._nicknames(form.first)]
        some += [self._by_initials.get(each, {}) for each in sorted(new.initials)]
        found = dict.fromkeys(each.itself for people in some for each in people)
        return [
            each
            for each in sorted(found, key=_number)
            if each.number < before
            and not each.is_unclear
            and (not each.form.first or each.form.words < form.words)
        ]


def _number(person: _KnownPerson) -> int:
    return person.number


def _of_two_sexes(form: NameForm, person: _KnownPerson) -> bool:
    sex = person.said or person.listed
    return bool(form.sex and sex and form.sex != sex)


def _rank(person: _KnownPerson, new: _KnownPerson) -> tuple[bool, int, bool]:
    """How much of somebody's name a person is known by: the family name more than the first."""
    words = person.form.words
    return bool(person.form.first), len(words), bool(words & new.form.family)


def _all_initials(parsed: ParsedMention) -> set[str]:
    """The first letters of a name, as it stands and given names first; all, and the outer ones."""
    roles = NamePartRole
    named = parsed.name.of(roles.GIVEN, roles.INITIAL), parsed.name.of(roles.FAMILY)
    turned = [letter for words in named for each in words if (letter := each.key[:1])]
    words = [word[0] for word in _WORD.findall(match_key(parsed.mention.words))]
    return {
        form
        for letters in ("".join(words), "".join(turned))
        if len(letters) > 1
        for form in (letters, letters[0] + letters[-1])
    }
