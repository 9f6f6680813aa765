"""What a trained model says about itself, in JSON beside the model."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from shared.errors import FileFormatError, NewerVersionError, RequestError, StorageError
from shared.outside import MALFORMED, parse_json_object, read_bounded
from shared.recognition.features import FeatureSet
from shared.recognition.labels import Scheme, type_name
from shared.recognition.recognizer import Example
from shared.recognition.training_settings import (
    NO_FEATURES,
    CombinationMethod,
    CrfSettings,
    Learner,
    NetworkSettings,
    RecognizerSettings,
    Units,
)

VERSION = 2
CARD = "card.json"
LARGEST_CARD = 1_000_000
"""Bytes of a card, which are some thousand."""
THRESHOLD = 0.47
"""From this confidence on suggestions are shown and written: half of what F1 is about."""
NOTICE = (
    "This model holds words of the records it was trained on. Treat it as protected health "
    "information: do not pass it on with a de-identified corpus."
)


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What a model was made of and how well it did on patients it had not seen.

    `scores` are strict, per type and under "all", of cross-validation by patient, empty where
    there was none; `recall_level` is the probability of being outside below which recall mode
    covers a token.
    """

    settings: RecognizerSettings
    schema: str
    types: tuple[str, ...]
    records: int
    patients: int
    corpus: str
    trained: str
    has_confidence_model: bool = False
    threshold: float = THRESHOLD
    recall_level: float = 0.95
    scores: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    notice: str = NOTICE


def corpus_hash(examples: Sequence[Example]) -> str:
    """Return one SHA-256 over the records and their tags, the same in any order."""
    digests = sorted(_digest(example) for example in examples)
    return sha256("".join(digests).encode()).hexdigest()


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def card_table(card: ModelCard) -> dict[str, Any]:
    return {"tandem_model": VERSION, **asdict(card)}


def format_card(card: ModelCard) -> str:
    return json.dumps(card_table(card), ensure_ascii=False, indent=1) + "\n"


def model_version(folder: Path) -> str:
    """Say which model lies in `folder`: another string once it was trained on other records.

    Raises what `read_card` does.
    """
    return f"{folder.name} {read_card(folder).corpus}"


def read_card(folder: Path) -> ModelCard:
    """Read the card of the model in `folder`.

    Raises StorageError where there is none or it cannot be read, FileFormatError, or
    NewerVersionError for a model of a later Tandem.
    """
    path = folder / CARD
    try:
        data = read_bounded(path, LARGEST_CARD)
    except StorageError as error:
        if path.is_file():
            raise
        raise StorageError(
            folder, "holds no model; give a folder that tandem train wrote"
        ) from error
    try:
        table = parse_json_object(data)
        version = int(table.pop("tandem_model"))
        if version > VERSION:
            raise NewerVersionError(path, version, VERSION)
        if version < VERSION:
            raise FileFormatError(path, "has an older version of models; train it again")
        return _card(table)
    except (RequestError, *MALFORMED) as error:
        raise FileFormatError(
            path, "is not the card of a Tandem model; choose another model or train it again"
        ) from error


def _card(table: dict[str, Any]) -> ModelCard:
    settings = cast("dict[str, Any]", table.pop("settings"))
    settings["postprocessing"] = tuple(map(str, settings["postprocessing"]))
    settings["combination"] = CombinationMethod(settings["combination"])
    settings["learner"] = Learner(settings.get("learner", Learner.CRF))
    settings["features"] = _features(settings.get("features", {"groups": ()}))
    crfs = tuple(_crf(each) for each in settings.pop("crfs"))
    networks = tuple(_network(each) for each in settings.pop("networks", ()))
    types = tuple(str(name) for name in table.pop("types"))
    scores = {
        str(name): {str(key): float(value) for key, value in row.items()}
        for name, row in table.pop("scores").items()
    }
    return ModelCard(
        settings=RecognizerSettings(crfs=crfs, networks=networks, **settings),
        types=types,
        scores=scores,
        **table,
    )


def _crf(table: dict[str, Any]) -> CrfSettings:
    features = _features(table.pop("features"))
    scheme, units = Scheme(table.pop("scheme")), Units(table.pop("units"))
    return CrfSettings(features=features, scheme=scheme, units=units, **table)


def _network(table: dict[str, Any]) -> NetworkSettings:
    features, dilations = _features(table.pop("features")), tuple(table.pop("dilations"))
    return NetworkSettings(features=features, dilations=dilations, **table)


def _features(table: dict[str, Any]) -> FeatureSet:
    if not table["groups"]:
        return NO_FEATURES
    return FeatureSet(tuple(table["groups"]), int(table["window"]), tuple(table["locales"]))


def _digest(example: Example) -> str:
    digest = sha256(example.document.text.encode("utf-8", "surrogatepass"))
    for tag in example.tags:
        digest.update(f"{tag.start} {tag.end} {type_name(tag.phi_type)}\n".encode())
    return digest.hexdigest()
