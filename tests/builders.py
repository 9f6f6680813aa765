"""Documents and tags written as marked-up strings: `Seen by [Dr. Lee|DOCTOR] on [3/4|DATE].`"""

import re
from collections.abc import Callable, Iterable, Sequence

from shared.consistency.check import check_patient
from shared.consistency.findings import EXACT_KINDS, Finding
from shared.consistency.patient_records import PatientRecords
from shared.model import Document, Layer, Patient, PhiTraits, PhiType, Schema, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion

_MARKED = re.compile(r"\[([^\[\]|]+)\|([A-Z_-]+)\]")


def phi(name: str, schema: Schema = I2B2_2014) -> PhiType:
    """The PHI type of this name, whatever its category."""
    return next(each.phi_type for each in schema.types() if each.name == name)


def traits(name: str, schema: Schema = I2B2_2014) -> PhiTraits:
    """What the PHI type of this name is."""
    return schema.traits_of(phi(name, schema))


def tagged_records(
    documents: Iterable[Document], layers: Iterable[Layer], schema: Schema = I2B2_2014
) -> PatientRecords:
    """The records of a patient, ready to be checked."""
    return PatientRecords(documents, layers, schema)


def exact_findings(documents: Iterable[Document], layers: Iterable[Layer]) -> tuple[Finding, ...]:
    """Every untagged place of a patient's records whose very text is tagged elsewhere in them."""
    return check_patient(tagged_records(documents, layers), EXACT_KINDS, certainty=0.0)


def after_pass(
    run: Callable[[PatientSuggestions], PatientSuggestions],
    texts: Sequence[str],
    found: Sequence[Sequence[Suggestion]],
    schema: Schema = I2B2_2014,
) -> list[tuple[Suggestion, ...]]:
    """What a pass leaves of the suggestions in a patient's texts."""
    before = PatientSuggestions(tuple(texts), tuple(map(tuple, found)), schema, "crf")
    return list(run(before).found)


def marked_up(source: str, schema: Schema = I2B2_2014) -> tuple[str, tuple[Tag, ...]]:
    """Return the plain text of `source` and the tags written into it as `[text|TYPE]`."""
    text, tags, done = "", [], 0
    for found in _MARKED.finditer(source):
        text += source[done : found.start()]
        tags.append(Tag(Span(len(text), len(text) + len(found[1])), phi(found[2], schema)))
        text += found[1]
        done = found.end()
    return text + source[done:], tuple(tags)


def document(source: str, record_id: str = "110-01") -> Document:
    """The document of a marked-up string; its patient is the part before the last `-`."""
    return Document(record_id, record_id.rpartition("-")[0], marked_up(source)[0])


def layer(source: str, record_id: str = "110-01", annotator: str = "ana") -> Layer:
    """The layer of the tags in a marked-up string."""
    return Layer.of(record_id, annotator, marked_up(source)[1])


def patient(*sources: str, patient_id: str = "110") -> Patient:
    """A patient whose records 01, 02, ... are these marked-up strings."""
    records = enumerate(sources, start=1)
    return Patient(patient_id, tuple(document(one, f"{patient_id}-{n:02}") for n, one in records))


def marked_records(schema: Schema, *sources: str) -> PatientRecords:
    """The records of a patient with the tags, of a schema, that are written into these strings."""
    told = [marked_up(source, schema) for source in sources]
    documents = [Document(f"110-{n:02}", "110", text) for n, (text, _) in enumerate(told, start=1)]
    layers = [
        Layer.of(each.record_id, "ana", tags)
        for each, (_, tags) in zip(documents, told, strict=True)
    ]
    return PatientRecords(documents, layers, schema)


def texts(tags: tuple[Tag, ...], text: str) -> list[tuple[str, str]]:
    """What each tag marks and as what, for assertions that a person can read."""
    return [(tag.span.text_in(text), tag.phi_type.name) for tag in tags]
