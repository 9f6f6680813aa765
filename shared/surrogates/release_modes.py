"""The modes of a release: what stands for the mentions of a patient in each of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from shared.language.languages import Language
from shared.model import Patient
from shared.surrogates.generators import generate_surrogates
from shared.surrogates.keyed import keyed
from shared.surrogates.leak_check import Leak, LeakRules, old_span, places_cleared
from shared.surrogates.mentions import PhiMention, Surrogate, SurrogatePatient
from shared.surrogates.safe_harbor import before_year, safe_harbor
from shared.surrogates.safe_harbor_check import ReleasedTag, find_identifiers
from shared.surrogates.splice import ArticleRule, article_rule
from shared.surrogates.surrogate_kinds import (
    GEOGRAPHIC,
    ReleaseMode,
    SurrogateKind,
    SurrogateSettings,
)
from shared.surrogates.tags import tagged


def _agreeing(mention: PhiMention, language: Language) -> ArticleRule:
    return article_rule(language, is_place=mention.kind in GEOGRAPHIC)


def _as_it_is(_mention: PhiMention, _language: Language) -> ArticleRule:
    return lambda before, _old, _new: before


def _nothing(
    _new: SurrogatePatient, _settings: SurrogateSettings, _rules: LeakRules
) -> Iterable[Leak]:
    return ()


def _identifiers(
    new: SurrogatePatient, settings: SurrogateSettings, rules: LeakRules
) -> Iterable[Leak]:
    """What Safe Harbor names and the new records have, unless a person said that it is none."""
    names = {each.original for each in new.replacements if each.kind is SurrogateKind.PERSON}
    cleared = places_cleared(new, rules.cleared)
    for document in new.documents:
        record_id = document.record_id
        tags = [
            ReleasedTag(tag.span, settings.kinds.kind(tag.phi_type), tag.phi_type.name)
            for tag in new.layers[record_id].tags
        ]
        for found in find_identifiers(document.text, tags, names, settings.language):
            if not any(each.contains(found.span) for each in cleared.get(record_id, ())):
                old = old_span(new, record_id, found.span)
                what = f"Safe Harbor: {found.what}"
                yield Leak(new.patient.id, record_id, found.span, what, None, old)


class ModeRules(NamedTuple):
    """How a mode replaces.

    `make` returns what stands for each mention of a patient, by its number, `articles` how the
    words before it are set right, `check` what must not be in the new records in this mode alone.
    """

    make: Callable[[Patient, Sequence[PhiMention], SurrogateSettings, Random], dict[int, Surrogate]]
    articles: Callable[[PhiMention, Language], ArticleRule]
    check: Callable[[SurrogatePatient, SurrogateSettings, LeakRules], Iterable[Leak]] = _nothing
    years_stay: bool = False
    """Whether the years of dates are left as they are."""
    needs_map: bool = False
    """Whether it is for those who keep the map from originals to what stands for them."""


MODES: Mapping[ReleaseMode, ModeRules] = {
    ReleaseMode.SURROGATE: ModeRules(generate_surrogates, _agreeing),
    ReleaseMode.TAGS: ModeRules(tagged, _as_it_is),
    ReleaseMode.KEYED: ModeRules(keyed, _as_it_is, needs_map=True),
    ReleaseMode.SAFE_HARBOR: ModeRules(safe_harbor, before_year, _identifiers, years_stay=True),
}
