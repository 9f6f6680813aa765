"""The tags of a patient with two records, kept in a journal in memory."""

from datetime import UTC, datetime

from shared.model import Document, Layer, MergedView, Patient, PhiType, Span, Tag
from shared.project.edits import Edit
from shared.project.patient_layer import PatientLayer

DATE = PhiType("DATE", "DATE")
DOCTOR = PhiType("NAME", "DOCTOR")
TEXTS = {"1-01": "Seen by Lee on 5/9. Lee called.", "1-02": "Dr. Lee again"}
NOON = datetime(2026, 5, 9, 12, 0, 0, 123456, tzinfo=UTC)


def merged_view(texts=TEXTS):
    documents = (Document(record_id, "1", text) for record_id, text in texts.items())
    return MergedView(Patient("1", tuple(documents)))


def open_layer(view, journal, layers=None):
    stored = {record_id: Layer.of(record_id, "ana", ()) for record_id in TEXTS} | (layers or {})
    return PatientLayer(view, "ana", stored, list(journal), journal)


def at_noon(view, journal, layers=None):
    return PatientLayer(view, "ana", layers or {}, list(journal), journal, lambda: NOON)


def add(layer, start, end, phi_type=DOCTOR):
    span = Span(start, end)
    return layer.apply(Edit("tag", added=(layer.new_tag(span, Tag(span, phi_type)),)))


def marks(layer):
    return [(each.start, each.end, each.phi_type.name) for each in layer.tags]
