"""Feature sets: which groups a CRF sees. Named, so that an ablation is a command."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shared.errors import RequestError
from shared.recognition.dictionaries import CLINIC, LOCALES
from shared.recognition.features import context, layout, lexicon, word_shapes
from shared.recognition.local_context.features import LOCAL_GROUPS, SNOW, STAT_DEID

WORD_GROUPS: dict[str, word_shapes.WordGroup] = {
    "word": word_shapes.lower,
    "affixes": word_shapes.affixes,
    "all-affixes": word_shapes.all_affixes,
    "orthography": word_shapes.orthography,
}
"""Read for every token within the window."""

PLACE_GROUPS = {
    "glue": layout.glue,
    "gap": layout.gap,
    "chunk": layout.chunk,
    "field": layout.field,
    "section": layout.section,
    "sentence": layout.sentence,
    "ngrams": context.ngrams,
    "outer-ngrams": context.outer_ngrams,
    "shape-ngrams": context.shape_ngrams,
    "elsewhere": context.elsewhere,
    "lowered": context.lowered,
}
"""Read for the token itself."""

WORD_LIST_GROUPS = {
    "lexicon": lexicon.dictionary_names,
    "places-and-dates": lexicon.place_and_date_lists,
}
"""Read for every token within the window, from dictionaries."""

LEXICON_GROUPS = {
    "phrases": lexicon.dictionary_phrases,
    "heads": lexicon.heads,
    "triggers": lexicon.triggers,
    "classes": lexicon.classes,
    "other-places": lexicon.other_places,
}
GROUPS = (
    *WORD_GROUPS,
    *WORD_LIST_GROUPS,
    *PLACE_GROUPS,
    *LEXICON_GROUPS,
    "patterns",
    "taught",
    "taught-near",
    *LOCAL_GROUPS,
)


WIDEST = 10
"""Tokens to each side that word groups may be read for."""


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """Names of groups, and how many tokens to each side word groups are read for.

    `locales` name the dictionaries of groups that look words up. Raises RequestError for a name
    that is no group, for groups of words and of tokens in one set, and for a window below 0 or
    above `WIDEST`.
    """

    groups: tuple[str, ...]
    window: int = 2
    locales: tuple[str, ...] = LOCALES

    def __post_init__(self) -> None:
        if not 0 <= self.window <= WIDEST:
            raise RequestError(f"a window of features has 0 to {WIDEST} tokens, not {self.window}")
        for name in self.groups:
            if name not in GROUPS:
                known = ", ".join(GROUPS)
                raise RequestError(f"there is no feature group {name}; there are {known}")
        if self.is_local and not LOCAL_GROUPS.keys() >= set(self.groups):
            known = ", ".join(LOCAL_GROUPS)
            raise RequestError(f"{known} are groups of words; they go with no others")

    @property
    def looks_up(self) -> bool:
        """Whether any group asks the dictionaries."""
        return self.is_local or any(
            name in WORD_LIST_GROUPS or name in LEXICON_GROUPS for name in self.groups
        )

    @property
    def is_local(self) -> bool:
        """Whether any group is of words as Stat De-id cuts them, not of tokens."""
        return any(name in LOCAL_GROUPS for name in self.groups)

    def without(self, group: str) -> "FeatureSet":
        return replace(self, groups=tuple(name for name in self.groups if name != group))


_HE = ("word", "affixes", "orthography")
_LIU = ("word", "all-affixes", "orthography", "ngrams", "shape-ngrams", "section", "sentence")
_PLACE = ("glue", "chunk", "elsewhere", "lexicon", "phrases")

FEATURE_SETS = {
    "he": FeatureSet((*_HE, "places-and-dates")),
    "liu": FeatureSet(_LIU),
    "quick": FeatureSet((*_HE, *_PLACE, "triggers", "taught")),
    "wide": FeatureSet((*_LIU, *_PLACE, "classes")),
    "full": FeatureSet(
        (*_HE, *_PLACE, "triggers", "field", "ngrams", "outer-ngrams", "taught", "taught-near")
    ),
    "network": FeatureSet(
        (
            *_HE,
            *_PLACE,
            "gap",
            "triggers",
            "field",
            "lowered",
            "patterns",
            "taught",
        ),
        window=0,
    ),
    "stat-deid": FeatureSet(STAT_DEID, locales=(*LOCALES, CLINIC)),
    "snow": FeatureSet(SNOW, locales=(*LOCALES, CLINIC)),
    "general": FeatureSet(
        (
            *_HE,
            "glue",
            "gap",
            "chunk",
            "lexicon",
            "phrases",
            "heads",
            "triggers",
            "classes",
            "field",
            "lowered",
            "other-places",
            "patterns",
        ),
        locales=(*LOCALES, CLINIC),
    ),
}
"""`he` and `liu` are those of He et al. (2015), table 2, and Liu et al. (2015), without parts of
speech, `stat-deid` and `snow` those of words in Uzuner et al. (2008); the others are ours: `quick`
for the single CRF, all three for the ensemble, `network` for CRFs over networks, and `general` for
records unlike those that it was trained on."""


def together(sets: Sequence[FeatureSet]) -> FeatureSet:
    """Return the set of all that any of these sees."""
    return FeatureSet(
        tuple({name: None for each in sets for name in each.groups}),
        max(each.window for each in sets),
        tuple({name: None for each in sets for name in each.locales}),
    )


def feature_set(names: str) -> FeatureSet:
    """Return the set of that name, or of the groups named with commas between.

    Raises RequestError where a name is neither.
    """
    if names in FEATURE_SETS:
        return FEATURE_SETS[names]
    return FeatureSet(tuple(name.strip() for name in names.split(",") if name.strip()))
