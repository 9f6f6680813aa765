"""All surrogates of one patient: from the gold standard to new records with tags, and a review."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from shared.model import Document, Layer, Patient, Span, Tag
from shared.surrogates.articles import mend_article, mend_before_place
from shared.surrogates.dates.evidence import record_days
from shared.surrogates.dates.shift import replace_dates
from shared.surrogates.drawing import Drawer, RecordWords
from shared.surrogates.kinds import Kind, KindMap
from shared.surrogates.mentions import Mention, Surrogate, is_placeholder, mentions_of, untouched
from shared.surrogates.numbers.ages import replace_ages
from shared.surrogates.numbers.contacts import Addresses, Phones
from shared.surrogates.numbers.identifiers import Identifiers, value_of
from shared.surrogates.people.writing import Namer
from shared.surrogates.places.geography import Geography
from shared.surrogates.places.names import Institutions
from shared.surrogates.places.others import OtherPlaces, department, room
from shared.surrogates.professions import Professions, detail, relative
from shared.surrogates.splice import Mender, Spliced, splice
from shared.surrogates.wording import folded

GEOGRAPHIC = frozenset({Kind.CITY, Kind.STATE, Kind.ZIP, Kind.TERRITORY, Kind.COUNTRY})
MAY_STAY = frozenset({Kind.KEEP, Kind.AGE})
"""Kinds whose text may stay as it is."""

NO_OTHER = "no rule found another text"
CHOSEN_EARLIER = "chosen for an earlier release"
_STRIPPED = ".,;:()[]{}\"'"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person wrote for a tag of the gold standard, or for all of the patient alike.

    One that is `approved` was drawn, not written: it says that the surrogate was looked at and is
    good, and holds for as long as the same surrogate is drawn. `draft` names the draft that it was
    made for: in the next one other dates and names stand around it, so it is to be looked at.
    """

    record_id: str
    span: Span
    surrogate: str
    alike: bool = False
    approved: bool = False
    draft: str = ""


@dataclass(frozen=True, slots=True)
class SurrogateSettings:
    """How surrogates are made; `language` is "en" or "es"."""

    kinds: KindMap
    language: str = "en"
    keep_weekdays: bool = False
    choices: tuple[Choice, ...] = ()
    draft: str = ""


@dataclass(frozen=True, slots=True)
class Replacement:
    """One tag and what stands for it; `before` and `after` are the record's words around.

    `reasons` say why a person should look at it, `chosen` that a person wrote it.
    """

    record_id: str
    tag: Tag
    span: Span
    kind: Kind
    original: str
    surrogate: str
    group: str
    before: str
    after: str
    reasons: tuple[str, ...] = ()
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class SurrogatePatient:
    """A patient's records with surrogates.

    `documents` and `layers` (by record id) are what is released; `dropped` are tags that lay
    within another, by record id; `spliced` tells by record id where the old text went.
    """

    patient: Patient
    layers: Mapping[str, Layer]
    replacements: tuple[Replacement, ...]
    dropped: tuple[tuple[str, Tag], ...]
    spliced: Mapping[str, Spliced]

    @property
    def documents(self) -> tuple[Document, ...]:
        return self.patient.documents

    @property
    def review(self) -> tuple[Replacement, ...]:
        """All replacements, by group, those first that a person should look at."""
        return tuple(sorted(self.replacements, key=lambda each: (not each.reasons, each.group)))


def replace_patient(
    patient: Patient,
    gold: Mapping[str, Layer],
    settings: SurrogateSettings,
    randomness: Random,
) -> SurrogatePatient:
    """Replace every PHI of a patient, the same person, place and date the same in all records.

    `gold` is the gold standard by record id. Raises ModelError where a record has none.
    """
    found = mentions_of(patient, gold, settings.kinds)
    surrogates = _surrogates(patient, found.mentions, settings, randomness)
    chosen = _chosen(found.mentions, settings, surrogates)
    surrogates |= chosen
    written = _Written(surrogates, frozenset(chosen), settings.language)
    return _put_together(patient, gold, found.mentions, written, found.dropped)


def _surrogates(
    patient: Patient, mentions: Sequence[Mention], settings: SurrogateSettings, randomness: Random
) -> dict[int, Surrogate]:
    language = settings.language
    texts = [each.text for each in patient.documents]
    words = RecordWords(texts)
    by_kind: dict[Kind, list[Mention]] = {}
    for each in mentions:
        by_kind.setdefault(each.kind, []).append(each)
    dates = by_kind.get(Kind.DATE, [])
    day_first = language != "en"
    surrogates = replace_dates(
        dates,
        randomness,
        day_first=day_first,
        keep_weekdays=settings.keep_weekdays,
        elsewhere=_tokens_beside(patient, mentions),
    )
    namer = Namer(by_kind.get(Kind.PERSON, []), language, words, randomness)
    surrogates |= namer.surrogates()
    days = record_days(dates, day_first=day_first)
    years = {record_id: day.year for record_id, day in days.items()}
    surrogates |= replace_ages(by_kind.get(Kind.AGE, []), years)
    drawer = Drawer(words, randomness, namer.authentic_words)
    writers = _writers(mentions, by_kind, namer, settings, drawer)
    for each in mentions:
        if each.number not in surrogates:
            surrogates[each.number] = writers[each.kind](each)
    return {each.number: _safe(each, surrogates[each.number], settings) for each in mentions}


def _safe(mention: Mention, surrogate: Surrogate, settings: SurrogateSettings) -> Surrogate:
    """Return the surrogate, or a placeholder where no rule found another text than is there."""
    if is_placeholder(mention.text, mention.tag.phi_type):
        return Surrogate(mention.text, surrogate.group, surrogate.reasons or (NO_OTHER,))
    if mention.kind in MAY_STAY or (settings.keep_weekdays and mention.kind is Kind.DATE):
        return surrogate
    if surrogate.text.strip() and folded(surrogate.text) != folded(mention.text):
        return surrogate
    return Surrogate(f"[{mention.tag.phi_type.name}]", surrogate.group, (NO_OTHER,))


def _writers(
    mentions: Sequence[Mention],
    by_kind: Mapping[Kind, list[Mention]],
    namer: Namer,
    settings: SurrogateSettings,
    drawer: Drawer,
) -> dict[Kind, Callable[[Mention], Surrogate]]:
    """What writes the surrogates of each kind that is replaced one mention at a time."""
    language, randomness = settings.language, drawer.randomness
    identifiers = Identifiers((value_of(each.text) for each in mentions), randomness)
    phones = Phones((each.text for each in by_kind.get(Kind.PHONE, [])), randomness)
    addresses = Addresses(namer.letters, randomness)
    named = (Kind.HOSPITAL, Kind.ORGANIZATION, Kind.STREET)
    institutions = Institutions([each for each in mentions if each.kind in named], language, drawer)
    geographic = [each for each in mentions if each.kind in GEOGRAPHIC]
    geography = Geography(geographic, language, drawer, identifiers)
    writers: dict[Kind, Callable[[Mention], Surrogate]] = {
        Kind.USERNAME: lambda each: _login(namer, each),
        Kind.NUMBER: identifiers.surrogate,
        Kind.SSN: identifiers.social_security,
        Kind.PHONE: phones.surrogate,
        Kind.EMAIL: addresses.mail,
        Kind.URL: addresses.page,
        Kind.IP: addresses.machine,
        Kind.DEPARTMENT: lambda each: department(each, language, drawer.words),
        Kind.ROOM: lambda each: room(each, identifiers),
        Kind.PLACE: OtherPlaces(language, drawer).surrogate,
        Kind.PROFESSION: Professions(language, drawer).surrogate,
        Kind.RELATIVE: lambda each: relative(each, language, drawer.words),
        Kind.OTHER: detail,
        Kind.KEEP: lambda each: Surrogate(each.text, "kept"),
    }
    writers |= dict.fromkeys(named, institutions.surrogate)
    return writers | dict.fromkeys(GEOGRAPHIC, geography.surrogate)


def _login(namer: Namer, mention: Mention) -> Surrogate:
    new = namer.login(mention.text)
    return Surrogate(new, f"user {new.lower()}")


def _tokens_beside(patient: Patient, mentions: Sequence[Mention]) -> frozenset[str]:
    """What stands beside the tags between blanks, which no date should come out as."""
    tokens: set[str] = set()
    for document in patient.documents:
        spans = [each.tag.span for each in mentions if each.record_id == document.record_id]
        for piece in untouched(document.text, spans):
            tokens.update(token.strip(_STRIPPED) for token in piece.split())
    return frozenset(tokens)


def _chosen(
    mentions: Sequence[Mention], settings: SurrogateSettings, drawn: Mapping[int, Surrogate]
) -> dict[int, Surrogate]:
    """What a person chose, by number of the mention; a choice for one goes before one for all."""
    chosen: dict[int, Surrogate] = {}
    by_place = {(each.record_id, each.tag.span): each for each in mentions}
    for choice in sorted(settings.choices, key=lambda each: not each.alike):
        mention = by_place.get((choice.record_id, choice.span))
        if mention is None:
            continue
        for each in alike(mention, mentions) if choice.alike else [mention]:
            own = drawn[each.number]
            if not choice.approved or own.text == choice.surrogate:
                old = not choice.approved and choice.draft not in ("", settings.draft)
                reasons = (CHOSEN_EARLIER,) if old else ()
                chosen[each.number] = Surrogate(choice.surrogate, own.group, reasons)
    return chosen


def alike(one: Mention, mentions: Iterable[Mention]) -> list[Mention]:
    """Return the mentions with the same words and type, itself among them."""
    return [
        each
        for each in mentions
        if each.words == one.words and each.tag.phi_type == one.tag.phi_type
    ]


@dataclass(frozen=True, slots=True)
class _Written:
    """The surrogates by number of their mention, those that a person chose, and the language."""

    surrogates: Mapping[int, Surrogate]
    chosen: frozenset[int]
    language: str

    def mender(self, mention: Mention) -> Mender:
        """What mends the article before a mention."""
        spanish_place = self.language == "es" and mention.kind in GEOGRAPHIC
        return mend_before_place if spanish_place else mend_article


def _put_together(
    patient: Patient,
    gold: Mapping[str, Layer],
    mentions: Sequence[Mention],
    written: _Written,
    dropped: tuple[tuple[str, Tag], ...],
) -> SurrogatePatient:
    surrogates = written.surrogates
    documents: list[Document] = []
    layers: dict[str, Layer] = {}
    replacements: list[Replacement] = []
    spliced: dict[str, Spliced] = {}
    for document in patient.documents:
        own = [each for each in mentions if each.record_id == document.record_id]
        new = splice(
            document.text,
            [each.tag.span for each in own],
            [surrogates[each.number].text for each in own],
            [written.mender(each) for each in own],
        )
        documents.append(replace(document, text=new.text))
        spliced[document.record_id] = new
        here = [
            _replacement(each, span, surrogates[each.number], chosen=each.number in written.chosen)
            for each, span in zip(own, new.spans, strict=True)
        ]
        replacements += here
        layers[document.record_id] = _layer(gold[document.record_id], here)
    return SurrogatePatient(
        Patient(patient.id, tuple(documents)), layers, tuple(replacements), dropped, spliced
    )


def _replacement(
    mention: Mention, span: Span, surrogate: Surrogate, *, chosen: bool
) -> Replacement:
    return Replacement(
        mention.record_id,
        mention.tag,
        span,
        mention.kind,
        mention.text,
        surrogate.text,
        surrogate.group,
        mention.before,
        mention.after,
        surrogate.reasons,
        chosen,
    )


def _layer(gold: Layer, replacements: Iterable[Replacement]) -> Layer:
    """The tags at their new places; comments and unknown parts stay behind, they may hold PHI."""
    tags = (
        Tag(each.span, each.tag.phi_type, each.tag.id, origin=each.tag.origin)
        for each in replacements
    )
    return Layer.of(gold.record_id, gold.annotator, tags)
