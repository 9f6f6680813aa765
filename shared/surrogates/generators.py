"""A surrogate for every mention of a patient, by the kind of what it mentions."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from shared.model import Patient
from shared.surrogates.dates.meaning import record_days
from shared.surrogates.dates.shift import replace_dates
from shared.surrogates.drawing import RecordWords, SurrogatePicker
from shared.surrogates.mentions import PhiMention, Surrogate, untouched
from shared.surrogates.numbers.ages import replace_ages
from shared.surrogates.numbers.contacts import Addresses, Phones
from shared.surrogates.numbers.identifiers import Identifiers, value_of
from shared.surrogates.people.name_writer import NameWriter
from shared.surrogates.places.geography import Geography, may_stay
from shared.surrogates.places.institutions import InstitutionNames
from shared.surrogates.places.other_details import (
    OtherPlaces,
    Professions,
    department,
    other_detail,
    relative,
    room,
)
from shared.surrogates.surrogate_kinds import GEOGRAPHIC, SurrogateKind, SurrogateSettings
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
    language = settings.language
    texts = [each.text for each in patient.documents]
    words = RecordWords(texts)
    by_kind: dict[SurrogateKind, list[PhiMention]] = {}
    for each in mentions:
        by_kind.setdefault(each.kind, []).append(each)
    dates = by_kind.get(SurrogateKind.DATE, [])
    surrogates = replace_dates(
        dates,
        randomness,
        language,
        keep_weekdays=settings.keep_weekdays,
        elsewhere=_tokens_beside(patient, mentions),
    )
    names = NameWriter(by_kind.get(SurrogateKind.PERSON, []), language, words, randomness)
    surrogates |= names.surrogates()
    days = record_days(dates, language)
    years = {record_id: day.year for record_id, day in days.items()}
    surrogates |= replace_ages(by_kind.get(SurrogateKind.AGE, []), years, language)
    picker = SurrogatePicker(words, randomness, names.authentic_words)
    writers = _writers(mentions, by_kind, names, settings, picker)
    for each in mentions:
        if each.number not in surrogates:
            surrogates[each.number] = writers[each.kind](each)
    return {each.number: _safe(each, surrogates[each.number], settings) for each in mentions}


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


def _writers(
    mentions: Sequence[PhiMention],
    by_kind: Mapping[SurrogateKind, list[PhiMention]],
    names: NameWriter,
    settings: SurrogateSettings,
    picker: SurrogatePicker,
) -> dict[SurrogateKind, Callable[[PhiMention], Surrogate]]:
    """What writes the surrogates of each kind that is replaced one mention at a time."""
    language, randomness = settings.language, picker.randomness
    identifiers = Identifiers((value_of(each.text) for each in mentions), randomness, language)
    numbers = [each.text for each in by_kind.get(SurrogateKind.PHONE, [])]
    phones = Phones(numbers, randomness, language)
    addresses = Addresses(names.letters, randomness)
    named = (SurrogateKind.HOSPITAL, SurrogateKind.ORGANIZATION, SurrogateKind.STREET)
    institutions = InstitutionNames(
        [each for each in mentions if each.kind in named], language, picker
    )
    geographic = [each for each in mentions if each.kind in GEOGRAPHIC]
    geography = Geography(geographic, language, picker, identifiers)
    writers: dict[SurrogateKind, Callable[[PhiMention], Surrogate]] = {
        SurrogateKind.USERNAME: lambda each: _login(names, each),
        SurrogateKind.NUMBER: identifiers.surrogate,
        SurrogateKind.SSN: identifiers.social_security,
        SurrogateKind.PHONE: phones.surrogate,
        SurrogateKind.EMAIL: addresses.mail,
        SurrogateKind.URL: addresses.page,
        SurrogateKind.IP: addresses.machine,
        SurrogateKind.DEPARTMENT: lambda each: department(each, language, picker.words),
        SurrogateKind.ROOM: lambda each: room(each, language, identifiers),
        SurrogateKind.PLACE: OtherPlaces(language, picker).surrogate,
        SurrogateKind.PROFESSION: Professions(language, picker).surrogate,
        SurrogateKind.RELATIVE: lambda each: relative(each, language, picker.words),
        SurrogateKind.OTHER: other_detail,
        SurrogateKind.KEEP: lambda each: Surrogate(each.text, "kept"),
    }
    writers |= dict.fromkeys(named, institutions.surrogate)
    return writers | dict.fromkeys(GEOGRAPHIC, geography.surrogate)


def _login(names: NameWriter, mention: PhiMention) -> Surrogate:
    new = names.login(mention.text)
    return Surrogate(new, f"user {new.lower()}")


def _tokens_beside(patient: Patient, mentions: Sequence[PhiMention]) -> frozenset[str]:
    """What stands beside the tags between blanks, which no date should come out as."""
    tokens: set[str] = set()
    for document in patient.documents:
        spans = [each.tag.span for each in mentions if each.record_id == document.record_id]
        for piece in untouched(document.text, spans):
            tokens.update(token.strip(_STRIPPED) for token in piece.split())
    return frozenset(tokens)
