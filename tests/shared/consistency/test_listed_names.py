"""Names that lists know are found untagged, whole, and no words in their place."""

import pytest

from shared.consistency.check import check_patient
from shared.consistency.findings import LIKELY, FindingKind
from shared.consistency.patient_records import PatientRecords
from shared.model import Document, Layer, PhiType, Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import EntityKind, PhiTraits
from shared.model.schema import SchemaCategory, SchemaType
from tests.builders import document, layer, tagged_records

AROUND = "He was seen in the clinic today with his wife. {} The patient will call."


def names_in(
    *said: str, schema: Schema = I2B2_2014, certainty: float = LIKELY
) -> list[tuple[str, float]]:
    records = tuple(
        Document(f"1-{number:02}", "1", AROUND.format(each))
        for number, each in enumerate(said, start=1)
    )
    layers = tuple(Layer.of(each.record_id, "gold", ()) for each in records)
    found = check_patient(PatientRecords(records, layers, schema), certainty=certainty)
    return [(each.text, each.certainty) for each in found if "name of a person" in each.why]


@pytest.mark.parametrize(
    "name",
    [
        *("Mary Smith", "Whitaker, John", "WHITAKER, ANNA", "John Q. Whitaker", "Anna de Souza"),
        *("Mary Ann Smith-Jones", "Patrick O'Brien", "Patrick O’Brien", "Jerry Nguyen"),
    ],
)
def test_a_name_of_both_its_parts_is_found_whole(name: str) -> None:
    assert names_in(f"Here is {name} again.") == [(name, 0.9)]


@pytest.mark.parametrize("name", ["Rose Long", "Long, Rose"])
def test_a_name_whose_parts_are_words_too_is_less_certain(name: str) -> None:
    assert names_in(f"Here is {name} again.") == [(name, 0.7)]


@pytest.mark.parametrize("name", ["Perry", "Taylor", "Powell", "Evans"])
def test_a_common_family_name_that_is_no_word_is_found_alone(name: str) -> None:
    assert names_in(f"It is {name} again.") == [(name, 0.6)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("It was for Wexhurst then.", "Wexhurst"),
        ("They went to Munising, where it began.", "Munising"),
        ("He is alone; Sechrist, his friend, drives.", "Sechrist"),
        ("Wexhurst reads.", ""),  # any word has a capital there
        ("Of Medical Reasoning and more.", ""),
        ("It was the wexhurst then.", ""),
        ("He has Wexhurst disease.", ""),
        ("It is of the Glasgow kind.", ""),
        ("It is of the Kocher kind.", ""),  # German eponyms are
        ("She takes Lipitor now.", ""),
    ],
)
def test_a_word_that_nothing_explains_is_doubtful_amid_a_sentence(said: str, told: str) -> None:
    assert names_in(said) == []
    assert names_in(said, certainty=0.2) == ([(told, 0.4)] if told else [])


def test_where_too_little_is_known_of_notes_it_is_no_doubt() -> None:
    text = "El paciente fue visto hoy en la consulta con su mujer. Lo leyó después Wexhurst aquí."
    record = Document("1-01", "1", text)
    records = PatientRecords((record,), (Layer.of("1-01", "gold", ()),), I2B2_2014)
    assert list(check_patient(records, certainty=0.0)) == []


def test_a_name_ends_with_the_sentence() -> None:
    assert names_in("This is Francesca. Whitaker it was.") == [
        ("Francesca", 0.6),
        ("Whitaker", 0.6),
    ]


def test_what_stands_in_small_letters_in_another_record_is_a_word_when_alone() -> None:
    assert names_in("Whitaker called.", "Used as whitaker was.") == []
    assert names_in("Anna Whitaker called.", "Used as whitaker was.") == [("Anna Whitaker", 0.9)]


def test_what_belongs_to_somebody_is_found_without_that() -> None:
    assert names_in("It is Whitaker's cup.") == [("Whitaker", 0.6)]


@pytest.mark.parametrize("said", ["write to a.whitaker@mercy.example/whitaker", "x/Whitaker"])
def test_a_part_of_something_else_is_none(said: str) -> None:
    assert names_in(said) == []


def test_what_is_tagged_is_not_told() -> None:
    source = "Here is [Mary Whitaker|PATIENT] again, and the wife of the patient."
    assert check_patient(tagged_records([document(source)], [layer(source)])) == ()


def test_a_schema_without_people_has_no_type_for_them() -> None:
    days = SchemaType(PhiType("DATE", "DATE"), traits=PhiTraits.of(EntityKind.DATE))
    schema = Schema("days", (SchemaCategory("DATE", (days,)),))
    text = AROUND.format("Here is Mary Whitaker, 123-45-6789, a.lee@mercy.example.")
    record = Document("1-01", "1", text)
    found = check_patient(
        PatientRecords((record,), (Layer.of("1-01", "gold", ()),), schema),
        (FindingKind.LOOKALIKE,),
    )
    told = {each.text: each.phi_type for each in found}
    assert told == dict.fromkeys(("Mary Whitaker", "123-45-6789", "a.lee@mercy.example"))


@pytest.mark.parametrize(
    ("source", "text"),
    [("[Whitaker, |PATIENT]Diana", "Diana"), ("[Zorblax|PATIENT] Mary Whitaker", "Mary Whitaker")],
)
def test_what_is_left_of_a_name_that_a_tag_touches_is_told(source: str, text: str) -> None:
    source = f"Here is {source} again, and the wife of the patient."
    found = check_patient(tagged_records([document(source)], [layer(source)]))
    assert text in {each.text for each in found if each.kind is FindingKind.LOOKALIKE}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("It was by O. Metcalf-Cushman then.", ["O. Metcalf-Cushman"]),
        ("In 1999, T. Nazarian; again.", ["T. Nazarian"]),
        ("Well.\nF. Mashburn\n", ["F. Mashburn"]),
        ("Reviewed w/ Cedric Ruggles.", ["Cedric Ruggles"]),
        ("A. Continuexa it.", []),
        ("It is hepatitis C. Zosyngar was given.", []),
        ("Of Dukes B. Zosyngar was given.", []),
        ("It grew E. Coli and H. Pylori.", []),
        ("Here is Cedric Ruggles disease again.", []),
    ],
)
def test_a_name_before_a_word_that_no_list_has(said: str, told: list[str]) -> None:
    assert [text for text, _ in names_in(said)] == told


def test_a_word_that_stands_in_small_letters_elsewhere_is_explained() -> None:
    assert names_in("Then Cedric Ruggles it.", "He ruggles well.") == []
    assert names_in("Then Cedric Ruggles it.") == [("Cedric Ruggles", 0.65)]


@pytest.mark.parametrize("source", ["Francesca [Zorblax|HOSPITAL]", "Francesca [Zorblax 12|ROOM]"])
def test_a_given_name_is_told_where_the_word_behind_it_is_tagged(source: str) -> None:
    source = f"Here is {source} again, and the wife of the patient."
    found = check_patient(tagged_records([document(source)], [layer(source)]))
    assert "Francesca" in {each.text for each in found}


def test_the_fix_of_a_tag_that_is_too_short_needs_no_finding_beside_it() -> None:
    source = "Here is [Mary|PATIENT] Whitaker again, and the wife of the patient."
    (found,) = check_patient(tagged_records([document(source)], [layer(source)]))
    assert (found.kind, found.text) == (FindingKind.BOUNDARY, "Mary")


@pytest.mark.parametrize(
    ("around", "phi"),
    [
        ("El paciente fue visto hoy con su mujer. La matrícula {}.", "1234 BCD"),
        ("El paciente fue visto hoy con su mujer. El usuario {}.", "eokafor12"),
        ("Der Patient wurde heute mit seiner Frau gesehen. Kennzeichen {}.", "B-MW 1234"),
        ("Der Patient wurde heute mit seiner Frau gesehen. Hier ist {}.", "Mehmet Yılmaz"),
    ],
)
def test_what_tells_who_somebody_is_needs_no_type_in_other_languages(around: str, phi: str) -> None:
    days = SchemaType(PhiType("DATE", "DATE"), traits=PhiTraits.of(EntityKind.DATE))
    schema = Schema("days", (SchemaCategory("DATE", (days,)),))
    record = Document("1-01", "1", around.format(phi))
    found = check_patient(PatientRecords((record,), (Layer.of("1-01", "gold", ()),), schema))
    assert (phi, None) in {(each.text, each.phi_type) for each in found}


@pytest.mark.parametrize("name", ["Schmidt", "Müller", "Wagner", "Schröder"])
def test_a_common_german_family_name_that_is_no_word_is_found_alone(name: str) -> None:
    text = f"Der Patient wurde heute mit seiner Frau gesehen. Später wurde {name} gerufen."
    record = Document("1-01", "1", text)
    found = check_patient(PatientRecords((record,), (Layer.of("1-01", "gold", ()),), I2B2_2014))
    assert name in {each.text for each in found}


@pytest.mark.parametrize(
    ("around", "is_told"),
    [
        ("Tinel negative, Hawkins positive. {}", False),
        ("Now Hawkins and Neer were positive. {}", False),
        ("Of the left foot: Colles, Jones and Lisfranc fractures. {}", False),
        ("Grade was Ann Arbor IIB then. {}", False),
        ("Later Hawkins positive for influenza. {}", True),
        ("Then Hawkins and Powell rang. {}", True),
        ("Now Hawkins was positive. {}", True),
    ],
)
def test_a_test_or_disease_is_told_by_its_result_and_by_others_beside_it(
    around: str, is_told: bool
) -> None:
    told = {text for text, _ in names_in(around.format("He is well."))}
    assert bool(told & {"Hawkins", "Jones", "Ann"}) is is_told


@pytest.mark.parametrize(("said", "told"), [("Gordon negativ.", 0), ("Gordon rief an.", 1)])
def test_so_it_is_in_german(said: str, told: int) -> None:
    text = f"Der Patient wurde heute mit seiner Frau gesehen. Später war {said}"
    record = Document("1-01", "1", text)
    found = check_patient(PatientRecords((record,), (Layer.of("1-01", "gold", ()),), I2B2_2014))
    assert sum(each.text == "Gordon" for each in found) == told


@pytest.mark.parametrize(
    ("around", "name"),
    [
        ("The patient was seen today with his wife. COVID: {} positive, and well.", "Powell"),
        ("Der Patient wurde heute mit seiner Frau gesehen. COVID: {} positiv.", "Schmidt"),
        ("El paciente fue visto hoy con su mujer y está bien. Covid: {} positivo.", "Fernández"),
    ],
)
def test_a_result_makes_no_test_of_somebody(around: str, name: str) -> None:
    record = Document("1-01", "1", around.format(name))
    found = check_patient(PatientRecords((record,), (Layer.of("1-01", "gold", ()),), I2B2_2014))
    assert name in {each.text for each in found}
