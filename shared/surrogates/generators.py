"""A surrogate for every mention of a patient, by the kind of what it mentions."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random

from shared.language.name_lists import name_lists
from shared.model import Patient
from shared.surrogates.dates.meaning import record_days
from shared.surrogates.dates.shift import replace_dates
from shared.surrogates.drawing import RecordWords, SurrogatePicker
from shared.surrogates.mentions import PhiMention, Surrogate, by_records, untouched
from shared.surrogates.numbers.ages import replace_ages
from shared.surrogates.numbers.contacts import Addresses, Phones
from shared.surrogates.numbers.identifiers import Identifiers, value_of
from shared.surrogates.people.kinship import relative
from shared.surrogates.people.name_words import read_names
from shared.surrogates.people.name_writer import NameWriter
from shared.surrogates.places.geography import Geography
from shared.surrogates.places.institutions import InstitutionNames
from shared.surrogates.places.other_details import (
    OtherPlaces,
    Professions,
    department,
    other_detail,
    room,
)
from shared.surrogates.surrogate_kinds import (
    GEOGRAPHIC,
    NAMED_PLACES,
    SurrogateKind,
    SurrogateSettings,
)
from shared.surrogates.what_stays import may_stay
from shared.text.spelling import match_key

NO_OTHER = "no rule found another text"
_STRIPPED = ".,;:()[]{}\"'"


def generate_surrogates(
    patient: Patient,
    mentions: Sequence[PhiMention],
    settings: SurrogateSettings,
    randomness: Random,
) -> dict[int, Surrogate]:
    """Return what stands for each mention, by its number; what is alike comes out alike.

    Kinds that have to be seen together, such as dates and people, go before those that are
    replaced one mention at a time.
    """
    generators = _Generators(patient, mentions, settings, randomness)
    first = [each for each in mentions if each.kind is SurrogateKind.DATE]
    first += [each for each in mentions if each.kind is SurrogateKind.PERSON]
    found = {each.number: _GENERATE[each.kind](generators, each) for each in (*first, *mentions)}
    return {each.number: _safe(each, found[each.number], settings) for each in mentions}


def _safe(mention: PhiMention, surrogate: Surrogate, settings: SurrogateSettings) -> Surrogate:
    """Return the surrogate, or a placeholder where no rule found another text than is there."""
    if mention.text == mention.placeholder:
        return Surrogate(mention.text, surrogate.group, surrogate.reasons or (NO_OTHER,))
    kept_weekday = settings.keep_weekdays and mention.kind is SurrogateKind.DATE
    if kept_weekday or may_stay(mention.kind, mention.text, settings.language):
        return surrogate
    if surrogate.text.strip() and match_key(surrogate.text) != match_key(mention.text):
        return surrogate
    return Surrogate(mention.placeholder, surrogate.group, (NO_OTHER,))


class _Generators:
    """What generates the surrogates of one patient, each made when its kind is first met."""

    def __init__(
        self,
        patient: Patient,
        mentions: Sequence[PhiMention],
        settings: SurrogateSettings,
        randomness: Random,
    ) -> None:
        self._patient = patient
        self._mentions = mentions
        self._settings = settings
        self._randomness = randomness
        self.language = settings.language
        self.words = _words_of(tuple(each.text for each in patient.documents))

    @cached_property
    def dates(self) -> dict[int, Surrogate]:
        return replace_dates(
            self._of(SurrogateKind.DATE),
            self._randomness,
            self.language,
            keep_weekdays=self._settings.keep_weekdays,
            elsewhere=_tokens_beside(self._patient, self._mentions),
        )

    @cached_property
    def names(self) -> NameWriter:
        people = read_names(self._of(SurrogateKind.PERSON), name_lists(self.language))
        return NameWriter(people, self.language, self.words, self._randomness)

    @cached_property
    def people(self) -> dict[int, Surrogate]:
        return self.names.surrogates(self._settings.resample)

    @cached_property
    def ages(self) -> dict[int, Surrogate]:
        days = record_days(self._of(SurrogateKind.DATE), self.language)
        years = {record_id: day.year for record_id, day in days.items()}
        return replace_ages(self._of(SurrogateKind.AGE), years, self.language)

    @cached_property
    def identifiers(self) -> Identifiers:
        values = (value_of(each.text) for each in self._mentions)
        return Identifiers(values, self._randomness, self.language)

    @cached_property
    def phones(self) -> Phones:
        texts = [each.text for each in self._of(SurrogateKind.PHONE)]
        return Phones(texts, self._randomness, self.language)

    @cached_property
    def addresses(self) -> Addresses:
        return Addresses(self.names.letters, self._randomness)

    @cached_property
    def institutions(self) -> InstitutionNames:
        mentions = self._of(*NAMED_PLACES)
        return InstitutionNames(mentions, self.language, self._picker, self.geography.city_named)

    @cached_property
    def geography(self) -> Geography:
        places = self._of(*GEOGRAPHIC)
        return Geography(places, self.language, self._picker, self.identifiers)

    @cached_property
    def other_places(self) -> OtherPlaces:
        return OtherPlaces(self.language, self._picker)

    @cached_property
    def professions(self) -> Professions:
        return Professions(self.language, self._picker)

    @cached_property
    def _picker(self) -> SurrogatePicker:
        authentic = (
            self.names.authentic_words if self._of(SurrogateKind.PERSON) else frozenset[str]()
        )
        return SurrogatePicker(self.words, self._randomness, authentic)

    def _of(self, *kinds: SurrogateKind) -> list[PhiMention]:
        return [each for each in self._mentions if each.kind in kinds]


_GENERATE: Mapping[SurrogateKind, Callable[[_Generators, PhiMention], Surrogate]] = {
    SurrogateKind.DATE: lambda made, each: made.dates[each.number],
    SurrogateKind.PERSON: lambda made, each: made.people[each.number],
    SurrogateKind.AGE: lambda made, each: made.ages[each.number],
    SurrogateKind.USERNAME: lambda made, each: made.names.user_name(each),
    SurrogateKind.NUMBER: lambda made, each: made.identifiers.surrogate(each),
    SurrogateKind.SSN: lambda made, each: made.identifiers.social_security(each),
    SurrogateKind.PHONE: lambda made, each: made.phones.surrogate(each),
    SurrogateKind.EMAIL: lambda made, each: made.addresses.mail(each),
    SurrogateKind.URL: lambda made, each: made.addresses.page(each),
    SurrogateKind.IP: lambda made, each: made.addresses.machine(each),
    SurrogateKind.DEPARTMENT: lambda made, each: department(each, made.language, made.words),
    SurrogateKind.ROOM: lambda made, each: room(each, made.language, made.identifiers),
    SurrogateKind.PLACE: lambda made, each: made.other_places.surrogate(each),
    SurrogateKind.PROFESSION: lambda made, each: made.professions.surrogate(each),
    SurrogateKind.RELATIVE: lambda made, each: relative(each, made.language, made.words),
    SurrogateKind.OTHER: lambda _, each: other_detail(each),
    SurrogateKind.KEEP: lambda _, each: Surrogate(each.text, "kept"),
    **dict.fromkeys(NAMED_PLACES, lambda made, each: made.institutions.surrogate(each)),
    **dict.fromkeys(GEOGRAPHIC, lambda made, each: made.geography.surrogate(each)),
}


@lru_cache(maxsize=1)
def _words_of(texts: tuple[str, ...]) -> RecordWords:
    """The words of a patient's records, which stay the same from draw to draw."""
    return RecordWords(texts)


def _tokens_beside(patient: Patient, mentions: Sequence[PhiMention]) -> frozenset[str]:
    """What stands beside the tags between blanks, which no date should come out as."""
    tokens: set[str] = set()
    by_record = by_records(mentions)
    for document in patient.documents:
        spans = [each.tag.span for each in by_record.get(document.record_id, ())]
        for piece in untouched(document.text, spans):
            tokens.update(token.strip(_STRIPPED) for token in piece.split())
    return frozenset(tokens)
