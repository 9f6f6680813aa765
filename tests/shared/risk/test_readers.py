"""What a reader covered of the gold standard."""

from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import Identifier
from shared.risk.readers import ReaderCounts, read_patient, whole_patients
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
    cells = ReaderCounts.of(read(), I2B2_2014).cells
    assert cells[phi("PATIENT")] == {(True, False): 1}
    assert cells[phi("DOCTOR")] == {(True, True): 1}


def test_a_patient_is_whole_where_nothing_is_left() -> None:
    found = whole_patients(ReaderCounts.of(read(), I2B2_2014))
    ana, ben = ([each for each in found if each.reader == name] for name in ("ana", "ben"))
    assert [(each.identifier, each.whole, each.patients) for each in ana] == [
        (Identifier.DIRECT, 1, 1),
        (Identifier.QUASI, 1, 1),
    ]
    assert [each.whole for each in ben] == [0, 0]


def test_counts_add_up() -> None:
    one = ReaderCounts.of(read(), I2B2_2014)
    three = ReaderCounts.added([one, ReaderCounts.added([one, one]), ReaderCounts.added([])])
    assert three.patients == 3
    assert three.cells[phi("PATIENT")] == {(True, False): 3}
    assert [(each.whole, each.patients) for each in whole_patients(three)] == [
        (3, 3),
        (3, 3),
        (0, 3),
        (0, 3),
    ]
