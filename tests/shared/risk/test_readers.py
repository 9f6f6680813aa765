"""What a reader covered of the gold standard."""

from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import Identifier
from shared.risk.readers import cells_by_type, read_patient, whole_patients
from tests.builders import document, layer, phi

GOLD = "[Ann Lee|PATIENT], [53|AGE], seen in [Boston|CITY] by Dr. [Petty|DOCTOR]."
ANA = "[Ann Lee|PATIENT], [53|AGE], seen in [Boston|CITY] by Dr. [Petty|PATIENT]."
BEN = "[Ann|PATIENT] Lee, [53|AGE], seen in Boston by Dr. [Petty|DOCTOR]."


def read():
    layers = {name: {"110-01": layer(source)} for name, source in (("ana", ANA), ("ben", BEN))}
    return read_patient("110", [document(GOLD)], {"110-01": layer(GOLD)}, layers)


def test_a_tag_is_covered_where_all_of_it_is_whatever_the_type() -> None:
    one = read()
    assert one.covered == {"ana": (True, True, True, True), "ben": (False, True, False, True)}


def test_cells_count_who_covered_what() -> None:
    cells = cells_by_type([read()], ("ana", "ben"))
    assert cells[phi("PATIENT")] == {(True, False): 1}
    assert cells[phi("DOCTOR")] == {(True, True): 1}


def test_a_patient_is_whole_where_nothing_is_left() -> None:
    ana, ben = (whole_patients([read()], I2B2_2014, name) for name in ("ana", "ben"))
    assert [(each.identifier, each.whole, each.patients) for each in ana] == [
        (Identifier.DIRECT, 1, 1),
        (Identifier.QUASI, 1, 1),
    ]
    assert [each.whole for each in ben] == [0, 0]
