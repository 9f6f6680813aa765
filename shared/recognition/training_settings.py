"""How a recognizer is trained: values that, with the records, decide what comes out."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from shared.errors import RequestError
from shared.recognition.dictionaries import LOCALES
from shared.recognition.features import FEATURE_SETS, FeatureSet
from shared.recognition.labels import Scheme


class Units(StrEnum):
    """What a CRF labels; words are those of Stat De-id, which have features of their own."""

    TOKENS = "tokens"
    WORDS = "words"
    CHARACTERS = "characters"


class Learner(StrEnum):
    """What a recognizer is: CRFs, or something else that the papers compare with.

    HMM: the hidden Markov model of Bikel and others (1999); SVM and WINNOW: linear models of words
    by their local context, as in Uzuner and others (2008).
    """

    CRF = "crf"
    HMM = "hmm"
    SVM = "svm"
    WINNOW = "winnow"


NO_FEATURES = FeatureSet(())


class CombinationMethod(StrEnum):
    """How the findings of several CRFs become one.

    STACKED: of all that any of them finds, what is surest, span by span. AVERAGED: their marginal
    probabilities are averaged and decoded again. PRIORITY: where findings overlap, the CRF that is
    named first wins, as in Liu et al. (2015), section 3.4, where characters go before tokens.
    """

    STACKED = "stacked"
    AVERAGED = "averaged"
    PRIORITY = "priority"


@dataclass(frozen=True, slots=True)
class CrfSettings:
    """One CRF. `negatives` is the share of stretches without PHI that training keeps.

    `features` are those of tokens. `c1` and `c2` weigh the L1 and L2 norms, `rare` leaves out
    attributes seen less often. `dropout` is the share of attributes of particular words that
    training leaves out by chance, so that the others, which carry over to other records, get their
    due (Sutton et al. 2006). sklearn-crfsuite trains what `is_baseline`. Raises RequestError for a
    name that cannot be that of a file, and for features of other units than these.
    """

    name: str
    features: FeatureSet
    scheme: Scheme = Scheme.BIO
    units: Units = Units.TOKENS
    negatives: float = 0.25
    iterations: int = 60
    c1: float = 0.1
    c2: float = 0.01
    rare: int = 0
    dropout: float = 0.0
    is_baseline: bool = False

    def __post_init__(self) -> None:
        _refuse_name(self.name)
        if self.features.is_local != (self.units is Units.WORDS):
            raise RequestError(f"{self.name} labels {self.units}; choose features of these")

    @property
    def file(self) -> str:
        """The name of its file in a model's folder."""
        return f"{self.name}.crfsuite"


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """A CRF over a small convolutional network, which training with PyTorch makes.

    `features` are those of tokens, without n-grams and windows. `negatives` is the share of lines
    far from PHI that an epoch keeps, `rare` leaves out attributes seen less often, `dropout` is the
    share of attributes of particular words that each batch leaves out. A token's attributes are
    summed up to `vector` numbers; each layer has `width`, and sees tokens its dilation apart.
    Raises RequestError for a name that cannot be that of a file, and for features of words.
    """

    name: str
    features: FeatureSet
    negatives: float = 0.2
    rare: int = 2
    dropout: float = 0.3
    epochs: int = 9
    rate: float = 2e-3
    vector: int = 96
    width: int = 160
    dilations: tuple[int, ...] = (1, 1, 2, 4)

    def __post_init__(self) -> None:
        _refuse_name(self.name)
        if self.features.is_local:
            raise RequestError(f"{self.name} labels {Units.TOKENS}; choose features of these")

    @property
    def file(self) -> str:
        """The name of its file in a model's folder."""
        return f"{self.name}.npz"


def _refuse_name(name: str) -> None:
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name):
        raise RequestError(f"{name!r} cannot be the name of a CRF; use a-z, 0-9 and -")


@dataclass(frozen=True, slots=True)
class RecognizerSettings:
    """A recognizer: its CRFs (none of another learner), and whether a confidence model is fitted.

    `networks` are CRFs too, over networks; they come after the others wherever CRFs are counted.

    The confidence model is fitted to what the CRFs make of patients that they were not trained on,
    in `folds` parts; 0 or 1 parts mean none, and the CRFs' mean probability is the confidence.
    `postprocessing` names the passes that suggestions go through, in order. `features` are those of
    a linear model of words, as each CRF has its own.
    """

    name: str
    crfs: tuple[CrfSettings, ...]
    folds: int = 0
    combination: CombinationMethod = CombinationMethod.STACKED
    seed: int = 1
    postprocessing: tuple[str, ...] = ()
    learner: Learner = Learner.CRF
    features: FeatureSet = NO_FEATURES
    networks: tuple[NetworkSettings, ...] = ()

    @property
    def members(self) -> tuple[CrfSettings | NetworkSettings, ...]:
        """All CRFs, linear or over networks, in the order in which what they find is listed."""
        return *self.crfs, *self.networks


STANDARD_PASSES = (
    "high_precision_rules",
    "listed_places",
    "ambiguous_dates",
    "name_completion",
    "name_roles",
    "mention_propagation",
    "name_completion",
    "name_roles",
    "record_numbers",
)
"""Names are completed and given their roles again where names were found that were overlooked."""

_QUICK = CrfSettings("quick", FEATURE_SETS["quick"])
_WIDE = CrfSettings("wide", FEATURE_SETS["wide"])
_FULL = CrfSettings("full", FEATURE_SETS["full"], Scheme.BIOES)

_GENERAL = CrfSettings(
    "general", FEATURE_SETS["general"], negatives=0.5, c1=0.2, c2=0.3, dropout=0.5
)
_HE = CrfSettings("he", FEATURE_SETS["he"], is_baseline=True)
_LIU = CrfSettings("liu", FEATURE_SETS["liu"], is_baseline=True)
_CHARACTER = CrfSettings(
    "character",
    NO_FEATURES,
    Scheme.BIOES,
    Units.CHARACTERS,
    negatives=0.1,
    iterations=40,
    rare=2,
    is_baseline=True,
)

_CRFD = CrfSettings(
    "crfd",
    FEATURE_SETS["stat-deid"],
    units=Units.WORDS,
    negatives=1.0,
    rare=2,
    is_baseline=True,
)

_CNN = NetworkSettings("cnn-1", FEATURE_SETS["network"])
"""Two differ by chance alone, which their name begins."""
_SMALL_CNN = replace(_CNN, rare=6, vector=64)

SETTINGS = {
    "token": RecognizerSettings("token", (_QUICK,)),
    "growing": RecognizerSettings("growing", (_QUICK, _WIDE)),
    "general": RecognizerSettings("general", (_GENERAL,), postprocessing=STANDARD_PASSES),
    "broad": RecognizerSettings(
        "broad",
        (replace(_GENERAL, c1=0.4),),
        postprocessing=STANDARD_PASSES,
        networks=(_SMALL_CNN,),
    ),
    "character": RecognizerSettings("character", (_CHARACTER,)),
    "ensemble": RecognizerSettings("ensemble", (_QUICK, _WIDE, _FULL), folds=5),
    "neural": RecognizerSettings(
        "neural",
        (_QUICK, _WIDE, _FULL),
        folds=5,
        networks=(_CNN, replace(_CNN, name="cnn-2")),
    ),
    "averaged": RecognizerSettings(
        "averaged", (_QUICK, _WIDE, _FULL), combination=CombinationMethod.AVERAGED
    ),
    "liu": RecognizerSettings("liu", (_CHARACTER, _LIU), combination=CombinationMethod.PRIORITY),
    "he": RecognizerSettings("he", (_HE,)),
    "stat-deid": RecognizerSettings(
        "stat-deid", (), learner=Learner.SVM, features=FEATURE_SETS["stat-deid"]
    ),
    "snow": RecognizerSettings("snow", (), learner=Learner.WINNOW, features=FEATURE_SETS["snow"]),
    "crfd": RecognizerSettings("crfd", (_CRFD,)),
    "identifinder": RecognizerSettings("identifinder", (), learner=Learner.HMM),
}
"""What `tandem train --recognizer` offers. `neural` is the best, and is trained with PyTorch;
`ensemble` is the best without, `growing` the best that learns from few records in seconds, `token`
the fastest; `general` is for records unlike those it was trained on, and `broad` is better at that
by a small network; `he`, `liu`, `character`, `stat-deid`, `snow`, `crfd` and `identifinder` are the
papers'."""

BEST, BEST_WITHOUT_NETWORKS = "neural", "ensemble"
"""What is trained where nothing else is asked for, with PyTorch and without."""
FEW_RECORDS, MANY_RECORDS = 30, 150
BACKGROUND_ITERATIONS = 40
"""After so many iterations a CRF of few records is as good as it gets."""


def settings_for(records: int) -> RecognizerSettings:
    """Return the settings to retrain with in the background, after so many finished records.

    Two CRFs are better than one as long as both are trained in seconds; the ensemble, with a
    confidence model, is worth minutes once much has been done. Networks are not trained meanwhile.
    """
    if records >= MANY_RECORDS:
        return SETTINGS[BEST_WITHOUT_NETWORKS]
    quick = SETTINGS["growing" if records < FEW_RECORDS else "token"]
    return replace(
        quick, crfs=tuple(replace(crf, iterations=BACKGROUND_ITERATIONS) for crf in quick.crfs)
    )


def settings_for_language(
    settings: RecognizerSettings, codes: tuple[str, ...]
) -> RecognizerSettings:
    """Return settings whose features look words up in what is known of these languages.

    Those of the usual ones stay as they are.
    """
    if set(codes) <= set(LOCALES):
        return settings

    def spoken(features: FeatureSet) -> FeatureSet:
        if features == NO_FEATURES:
            return features
        kept = (each for each in features.locales if each not in LOCALES)
        return replace(features, locales=tuple(dict.fromkeys((*codes, *kept))))

    return replace(
        settings,
        features=spoken(settings.features),
        crfs=tuple(replace(crf, features=spoken(crf.features)) for crf in settings.crfs),
        networks=tuple(replace(each, features=spoken(each.features)) for each in settings.networks),
    )


def named_settings(name: str) -> RecognizerSettings:
    """Return the settings of that name. Raises RequestError."""
    if name not in SETTINGS:
        known = ", ".join(SETTINGS)
        raise RequestError(f"there is no recognizer {name} to train; there are {known}")
    return SETTINGS[name]
