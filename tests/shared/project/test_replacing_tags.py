"""What stands in place of a tag has an id that is its own in its record."""

from shared.model import Document, Layer, MergedView, Patient, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.patient_layer import PatientLayer
from shared.project.tag_operations import TagOperations

DOCTOR, PATIENT = PhiType("NAME", "DOCTOR"), PhiType("NAME", "PATIENT")


def test_a_tag_in_another_record_takes_no_id_that_is_given_there():
    view = MergedView(
        Patient("1", (Document("1-01", "1", "Kai"), Document("1-02", "1", "Lee Ito")))
    )
    stored = {each: Layer.of(each, "ana", ()) for each in ("1-01", "1-02")}
    layer = PatientLayer(view, "ana", stored, [], [])
    hands, there = TagOperations(view, layer, I2B2_2014), view.section("1-02").start
    (kai,) = hands.tag(Span(0, 3), PATIENT).added
    (lee,) = hands.tag(Span(there, there + 3), DOCTOR).added
    assert (kai.tag_id, lee.tag_id) == ("P0", "P0")
    hands.replace([(kai, [(Span(there + 4, there + 7), DOCTOR)])])
    assert [each.key for each in layer.tags] == [("1-02", "P0"), ("1-02", "P1")]
    layer.undo()
    assert list(layer.tags) == [kai, lee]
