"""Whole names, each in the role of its person in all records of a patient."""

from shared.model import PhiType, Span
from shared.recognition.dictionaries import LOCALES, dictionaries_of
from shared.recognition.postprocessing.name_roles import assign_name_roles
from shared.recognition.recognizer import Suggestion
from tests.builders import after_pass

PATIENT, DOCTOR = PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR")
HOSPITAL, CITY = PhiType("LOCATION", "HOSPITAL"), PhiType("LOCATION", "CITY")


def suggestion(text, phrase, phi_type, confidence=0.9):
    start = text.index(phrase)
    return Suggestion(Span(start, start + len(phrase)), phi_type, confidence, "crf")


def after(*records):
    """What becomes of texts with their suggestions: (text, phrase, type, confidence) each."""
    texts = [text for text, *_ in records]
    made = [[suggestion(text, *each) for each in found] for text, *found in records]
    return [
        [(one.span.text_in(text), one.phi_type.name) for one in found]
        for text, found in zip(texts, after_pass(assign_name_roles, texts, made), strict=True)
    ]


def test_one_title_makes_a_doctor_of_all_places_of_a_name():
    first, second = after(
        ("Discussed with Dr. Okafor.", ("Okafor", DOCTOR)),
        ("Ada Okafor agrees. Okafor will call.", ("Ada Okafor", PATIENT)),
    )

    assert first == [("Okafor", "DOCTOR")]
    assert second == [("Ada Okafor", "DOCTOR")]


def test_a_degree_after_the_name_is_a_cue_as_well():
    _, (found,) = after(
        ("Lena Voss, M.D.", ("Lena Voss", DOCTOR)), ("Voss slept well.", ("Voss", PATIENT))
    )

    assert found == ("Voss", "DOCTOR")


def test_a_name_beside_a_title_keeps_the_role_that_the_title_gives():
    (found, _) = after(
        ("Seen by Dr. Kern.", ("Kern", DOCTOR)),
        ("Patient: Kern, Ida. Mr. Kern was seen.", ("Kern, Ida", PATIENT), ("Mr. Kern", PATIENT)),
    )

    assert found == [("Kern", "DOCTOR")]


def test_a_word_in_capitals_that_names_nobody_elsewhere_is_doubted():
    texts = ["DISCLAIMER\nSeen by Dr. Kern."]
    (found,) = after_pass(assign_name_roles, texts, [[suggestion(texts[0], "DISCLAIMER", DOCTOR)]])

    assert found[0].confidence < 0.5


def test_a_name_in_capitals_that_is_written_out_elsewhere_is_not_doubted():
    texts = ["KERN\nSeen by Ida Kern."]
    made = [suggestion(texts[0], "KERN", DOCTOR), suggestion(texts[0], "Ida Kern", DOCTOR)]
    (found,) = after_pass(assign_name_roles, texts, [made])

    assert found[0].confidence == 0.9


def test_a_disease_is_nobody_although_it_bears_a_name():
    texts = ["Crohn's disease in remission."]
    (found,) = after_pass(assign_name_roles, texts, [[suggestion(texts[0], "Crohn", PATIENT)]])

    assert found[0].confidence < 0.5


def test_a_title_is_no_part_of_a_name_and_no_name():
    (found,) = after(("Saw Mr. Voss and Ms. ", ("Mr. Voss", PATIENT), ("Ms. ", PATIENT)))

    assert found == [("Voss", "PATIENT")]


def test_a_name_ends_where_its_column_ends():
    (found,) = after(("VOSS,RENATA     MGH     3/4/09", ("VOSS,RENATA     MGH", PATIENT)))

    assert found == [("VOSS,RENATA", "PATIENT")]


def test_words_in_lower_case_are_no_end_of_a_name_unless_all_is():
    (found, small) = after(
        ("Ida van der Berg seems well.", ("Ida van der Berg seems", PATIENT)),
        ("seen by ida kern today", ("ida kern", DOCTOR)),
    )

    assert found == [("Ida van der Berg", "PATIENT")]
    assert small == [("ida kern", "DOCTOR")]


def test_what_a_comma_or_an_initial_tore_apart_is_put_together():
    (found, initial) = after(
        ("Name: Voss, Renata", ("Voss,", PATIENT), ("Renata", PATIENT)),
        ("signed A. Kern", ("A.", DOCTOR), ("Kern", DOCTOR)),
    )

    assert found == [("Voss, Renata", "PATIENT")]
    assert initial == [("A. Kern", "DOCTOR")]


def test_a_small_word_before_a_hospital_is_no_part_of_it():
    (found,) = after(("came from the Mercy Clinic", ("from the Mercy Clinic", HOSPITAL)))

    assert found == [("Mercy Clinic", "HOSPITAL")]


def test_places_are_left_as_they_are():
    (found,) = after(("in Bath, and", ("Bath,", CITY)))

    assert found == [("Bath,", "CITY")]


def test_headings_and_everyday_words_are_known_to_be_no_names():
    words = dictionaries_of((*LOCALES, "clinic")).words

    assert "heading" in words["impression"]
    assert "everyday" in words["ability"]
    assert "everyday" not in dictionaries_of().words.get("ability", ())


def test_two_people_with_the_same_given_name_are_two():
    first, second = after(
        ("Dr. Ida Berg agrees.", ("Ida Berg", DOCTOR)),
        ("Ida Kern slept well.", ("Ida Kern", PATIENT)),
    )

    assert (first, second) == ([("Ida Berg", "DOCTOR")], [("Ida Kern", "PATIENT")])


def test_a_given_name_alone_is_its_family_s():
    *_, (found,) = after(
        ("Seen by Dr. Ada Okafor.", ("Ada Okafor", DOCTOR)), ("Ada called.", ("Ada", PATIENT))
    )

    assert found == ("Ada", "DOCTOR")


def test_kinship_beside_a_name_and_work_before_it_are_cues():
    (wife,), (nurse,), *_ = after(
        ("His wife, Lena Voss, came.", ("Lena Voss", DOCTOR)),
        ("Charge nurse: Ada Okafor", ("Ada Okafor", PATIENT)),
        ("Lena Voss. Ada Okafor", ("Lena Voss", DOCTOR), ("Ada Okafor", PATIENT)),
    )

    assert (wife[1], nurse[1]) == ("PATIENT", "DOCTOR")


def test_who_is_neither_the_patient_nor_kin_is_a_doctor_unless_that_is_sure():
    patient = [("Mr. Kern was seen.", ("Kern", PATIENT))] * 3
    *_, stranger, sure, brother = after(
        *patient,
        ("Talked with Ada Okafor.", ("Ada Okafor", PATIENT, 0.7)),
        ("Name: Ida Berg.", ("Ida Berg", PATIENT, 0.99)),
        ("The brother agrees. Jan Voss", ("Jan Voss", PATIENT, 0.7)),
    )

    assert [each[0][1] for each in (stranger, sure, brother)] == ["DOCTOR", "PATIENT", "PATIENT"]


def test_who_is_seldom_taken_for_the_patient_is_a_doctor():
    *_, colleague, header = after(
        *[("Mr. Kern was seen.", ("Kern", PATIENT))] * 4,
        ("My colleague Ida Berg agrees.", ("Ida Berg", PATIENT, 0.99)),
        ("VOSS,ADA   711\nAdmitted.", ("VOSS,ADA", PATIENT, 0.99)),
    )

    assert [each[0][1] for each in (colleague, header)] == ["DOCTOR", "PATIENT"]


def test_a_title_decides_on_the_spot():
    found = after(
        *[("Ada Okafor slept.", ("Ada Okafor", PATIENT, 0.99))] * 5,
        ("Dr. Okafor operated.", ("Okafor", PATIENT, 0.9)),
    )

    assert found[-1] == [("Okafor", "DOCTOR")]


def test_a_hyphenated_name_is_one_word():
    (major,), (bravo,) = after(
        ("Dr. Cook-Major agrees.", ("Cook-Major", DOCTOR)),
        ("Ida Bravo-Major slept.", ("Ida Bravo-Major", PATIENT)),
    )

    assert (major[1], bravo[1]) == ("DOCTOR", "PATIENT")


def test_the_label_of_a_name_says_whose_it_is():
    (doctor,), (patient,) = after(
        ("Physician name: Ada Okafor", ("Ada Okafor", PATIENT)),
        ("Name: Lena Voss", ("Lena Voss", DOCTOR, 0.5)),
    )

    assert (doctor[1], patient[1]) == ("DOCTOR", "PATIENT")


def test_words_of_clinics_are_doubted():
    text = "Lena Voss, MD\nAssociate Professor"
    made = [suggestion(text, "Lena Voss", DOCTOR), suggestion(text, "Associate Professor", DOCTOR)]

    ((voss, other),) = after_pass(assign_name_roles, [text], [made])

    assert (voss.confidence, other.confidence) == (0.9, 0.45)


def test_a_service_after_the_name_is_a_cue():
    ((found,),) = after(("Read with Julia Voss (Radiology).", ("Julia Voss", PATIENT)))

    assert found == ("Julia Voss", "DOCTOR")
