"""Surrogate names written in the form of the authentic ones; user names and mail boxes too."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import NamedTuple

from shared.language.languages import Language
from shared.language.name_lists import name_lists
from shared.language.name_parts import NamePartRole, NameText, NameWord
from shared.surrogates.drawing import RecordWords, draw_until
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.people.name_plan import NamePlan, plan_names
from shared.surrogates.people.name_words import ParsedMention, PatientNames
from shared.text.spelling import match_case, match_key, without_accents

_NAME_LENGTH = 5
NOT_A_NAME = "no name could be recognised here"
NO_FITTING_NAME = "no name with the initial it should have was left"


class NameWriter:
    """The surrogate names of one patient."""

    def __init__(
        self, names: PatientNames, language: Language, avoid: RecordWords, randomness: Random
    ) -> None:
        """Draw all names; `avoid` is what no surrogate may be."""
        lists = name_lists(language)
        self._language, self._lists, self._names = language, lists, names
        self._avoid = avoid
        self._invented: dict[str, str] = {}
        self._plan = plan_names(names, lists, avoid, randomness)
        self._randomness = randomness
        self._joined = _joined_forms(self._names, self._plan)
        self._particles = _particle_initials(self._names)
        self._people = _people(self._names, self._plan)
        self._logins: dict[str, str] = {}

    @property
    def authentic_words(self) -> frozenset[str]:
        """The words of all authentic names, folded."""
        return frozenset(self._names.words)

    def surrogates(self, resample: float = 0.0) -> dict[int, Surrogate]:
        """The surrogate of every name by number of the mention.

        With the probability `resample` a mention has a name of its own, as somebody else of the
        same sex; it still counts as the person's.
        """
        found = {each.mention.number: self._surrogate(each) for each in self._names.parsed}
        for each in self._names.parsed if resample else ():
            if self._randomness.random() < resample:
                number = each.mention.number
                found[number] = replace(self._redrawn(each), group=found[number].group)
        return found

    def _redrawn(self, parsed: ParsedMention) -> Surrogate:
        """Another name for one mention; what is known of its words is told by all mentions."""
        words = self._names.words
        own = [words[each.key] for each in parsed.name.words if each.key in words]
        own += [words[each.variant_of] for each in own if each.variant_of in words]
        names = PatientNames((parsed,), {each.key: each for each in own})
        alone = NameWriter(names, self._language, self._avoid, self._randomness)
        return alone.surrogates()[parsed.mention.number]

    def user_name(self, mention: PhiMention) -> Surrogate:
        new = self.login(mention.text)
        return Surrogate(new, f"user {new.lower()}")

    def login(self, text: str) -> str:
        """The surrogate of a user name: names and initials as planned, other digits.

        The same user name gets the same surrogate.
        """
        key = text.lower()
        if key not in self._logins:
            self._logins[key] = self._fresh_login(key)
        return match_case(self._logins[key], text)

    def letters(self, text: str) -> str:
        """Letters run together, the names among them replaced and the others as initials."""
        key = match_key(text)
        at = start = 0
        pieces: list[str] = []
        while at < len(key):
            known = next((each for each in self._joined if key.startswith(each, at)), "")
            if known:
                pieces += (self._unknown(key[start:at]), self._joined[known])
                at = start = at + len(known)
            else:
                at += 1
        return "".join((*pieces, self._unknown(key[start:])))

    def _unknown(self, letters: str) -> str:
        """Initials for few letters, a name for so many that they may be one."""
        if len(letters) < _NAME_LENGTH:
            return self._plan.initials.text(letters)
        if letters not in self._invented:
            first = self._plan.initials.letter(letters[0]).upper()
            names = self._lists.family.common.get(first) or self._lists.family.rarer.get(first, ())
            free = [name for name in map(match_key, names) if name not in self._avoid.folded]
            self._invented[letters] = (
                self._randomness.choice(free) if free else self._plan.initials.text(letters)
            )
        return self._invented[letters]

    def _fresh_login(self, key: str) -> str:
        letters = "".join(char for char in key if char.isalpha())
        taken = {key, *self._logins.values()}
        new = draw_until(
            lambda: self._in_login_format(key, self._initials(letters) or self.letters(letters)),
            lambda new: new not in taken,
        )
        return new if new != key else "user"

    def _in_login_format(self, key: str, letters: str) -> str:
        """Return the letters with digits and signs where `key` has them."""
        digits_first = key[:1].isdigit()
        signs = [char for char in key if not char.isalnum()]
        digits = "".join(str(self._randomness.randrange(10)) for char in key if char.isdigit())
        if not signs:
            return digits + letters if digits_first else letters + digits
        rest = iter(letters)
        fresh = iter(digits)
        fill_format = "".join(
            next(rest, "") if char.isalpha() else next(fresh) if char.isdigit() else char
            for char in key
        )
        return fill_format + "".join(rest)

    def _surrogate(self, parsed: ParsedMention) -> Surrogate:
        name = parsed.name
        has_name = any(each.role is not NamePartRole.KEPT for each in name.words)
        if not has_name or any(map(str.isdigit, name.text)):  # digits would stay as they are
            return Surrogate(parsed.mention.placeholder, "person unknown", (NOT_A_NAME,))
        pieces: list[str] = []
        at = 0
        for word in name.words:
            pieces += (name.text[at : word.start], self._word(word, name))
            at = word.end
        new = "".join((*pieces, name.text[at:]))
        odd = any(each.key in self._plan.odd for each in name.words)
        return Surrogate(new, self._group(name, new), (NO_FITTING_NAME,) if odd else ())

    def _word(self, word: NameWord, name: NameText) -> str:
        if word.role in (NamePartRole.KEPT, NamePartRole.PARTICLE):
            return word.text
        if word.role is NamePartRole.INITIAL:
            return self._initial(word, name)
        planned = self._plan.words.get(word.key)
        if planned is None:
            return match_case(self.login(word.text), word.text)
        return match_case(without_accents(planned) if word.last.isascii() else planned, word.text)

    def _initial(self, word: NameWord, name: NameText) -> str:
        if len(word.text) > 1:
            return match_case(self._initials(word.text) or self._plan.initials.text(word.text),
                              word.text)  # fmt: skip
        if len(name.words) > 1 and all(len(each.text) == 1 for each in name.words):
            together = "".join(each.text for each in name.words)
            new = self._initials(together)
            if new:
                return match_case(new[name.words.index(word)], word.text)
        return self._plan.initials.letter(word.text)

    def _initials(self, letters: str) -> str:
        """The initials of somebody whose family name keeps its particle; "" for anybody else."""
        return self._particles.get(letters.upper(), "") and (
            self._plan.initials.text(letters.upper()[:-1]) + letters.upper()[-1]
        )

    def _group(self, name: NameText, new: str) -> str:
        keys = [_person_key(each.key, self._names, self._plan) for each in name.names]
        found = [self._people[key] for key in keys if key in self._people]
        people = set(found[0]).intersection(*found) if found else set[_Person]()
        initials = [each.key[:1] for each in name.of(NamePartRole.INITIAL)]
        if len(people) > 1 and initials:
            people = {each for each in people if each.given[:1] == initials[0]}
        if len(people) == 1:
            person = people.pop()
            keys = [*dict.fromkeys((person.given, *person.family))]
        named = [self._plan.words[key] for key in keys if key in self._plan.words]
        return f"person {' '.join(named) or new}"


class _Person(NamedTuple):
    """Somebody by the keys of the given and of the family names."""

    given: str
    family: tuple[str, ...]


def _joined_forms(names: PatientNames, plan: NamePlan) -> dict[str, str]:
    """Words as they stand in user names, the longest first: `vanderberg` beside `berg`."""
    forms = {key: match_key(new) for key, new in plan.words.items() if len(key) > 2}
    for parsed in names.parsed:
        words = parsed.name.words
        for place, word in enumerate(words):
            if word.role is not NamePartRole.PARTICLE:
                continue
            run = [word]
            for other in words[place + 1 :]:
                run.append(other)
                if other.role is not NamePartRole.PARTICLE:
                    break
            if run[-1].key in plan.words:
                front = "".join(each.key for each in run[:-1])
                forms.setdefault(front + run[-1].key, front + match_key(plan.words[run[-1].key]))
    forms = {key.replace("'", ""): new.replace("'", "") for key, new in forms.items()}
    return dict(sorted(forms.items(), key=lambda form: (-len(form[0]), form[0])))


def _particle_initials(names: PatientNames) -> dict[str, str]:
    """The initials of people whose family name begins with a particle (`JV` for J. van Berg)."""
    found: dict[str, str] = {}
    for parsed in names.parsed:
        particles = parsed.name.of(NamePartRole.PARTICLE)
        given = parsed.name.of(NamePartRole.GIVEN, NamePartRole.INITIAL)
        if particles and given:
            letters = "".join(each.text[0] for each in given[:2]) + particles[0].text[0]
            for form in (letters, letters[0] + letters[-1]):
                found[without_accents(form).upper()] = particles[0].text
    return found


def _people(names: PatientNames, plan: NamePlan) -> Mapping[str, frozenset[_Person]]:
    """Whose a word may be, by names of several words.

    Whoever is named with fewer family names is the one who is named with more.
    """
    people: set[_Person] = set()
    words: dict[_Person, set[str]] = {}
    for parsed in names.parsed:
        given, family = (
            [_person_key(each.key, names, plan) for each in parsed.name.of(role)]
            for role in (NamePartRole.GIVEN, NamePartRole.FAMILY)
        )
        if given and family:
            person = _Person(given[0], tuple(dict.fromkeys(family)))
            people.add(person)
            words.setdefault(person, set()).update(given, family)
    by_given: dict[str, list[_Person]] = {}
    for person in people:
        by_given.setdefault(person.given, []).append(person)
    found: dict[str, set[_Person]] = {}
    for person, own in words.items():
        whole = _in_full(person, by_given[person.given])
        for key in own:
            found.setdefault(key, set()).add(whole)
    return {key: frozenset(each) for key, each in found.items()}


def _in_full(person: _Person, people: Iterable[_Person]) -> _Person:
    """The one of the people, all of one given name, with more family names; else the person."""
    fuller = [each for each in people if set(each.family) > set(person.family)]
    fullest = [
        each for each in fuller if not any(set(other.family) > set(each.family) for other in fuller)
    ]
    return fullest[0] if len(fullest) == 1 else person


def _person_key(key: str, names: PatientNames, plan: NamePlan) -> str:
    """The key of a name as its bearer has it in full, without a typo."""
    word = names.words.get(key)
    base = word.variant_of or key if word else key
    return plan.nicknames.get(base, base)
