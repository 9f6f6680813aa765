"""Places of one patient that decide with each other."""

import os
import subprocess
import sys
from pathlib import Path

from shared.model import PhiType, Span
from shared.recognition.postprocessing.mention_propagation import (
    find_other_mentions,
    propagate_mentions,
)
from shared.recognition.recognizer import Suggestion
from tests.builders import after_pass

PATIENT, DOCTOR = PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR")
STATE = PhiType("LOCATION", "STATE")
HOSPITAL, DATE = PhiType("LOCATION", "HOSPITAL"), PhiType("DATE", "DATE")


def suggestion(text, phrase, phi_type, confidence=0.97):
    start = text.index(phrase)
    return Suggestion(Span(start, start + len(phrase)), phi_type, confidence, "crf")


def heard(*records, by=propagate_mentions):
    """What becomes of texts with their suggestions: (text, phrase, type, confidence) each."""
    texts = [text for text, *_ in records]
    made = [[suggestion(text, *each) for each in found] for text, *found in records]
    return [
        [(one.span.text_in(text), one.phi_type.name, round(one.confidence, 2)) for one in found]
        for text, found in zip(texts, after_pass(by, texts, made), strict=True)
    ]


def test_a_name_in_a_header_is_found_in_the_text_part_by_part():
    _, _, (*_, found) = heard(
        ("NAME: VOSS,RENATA", ("VOSS,RENATA", PATIENT)),
        ("Renata Voss was seen.", ("Renata Voss", PATIENT)),
        ("Seen by Kern. Renata slept well.", ("Kern", DOCTOR)),
    )

    assert found[:2] == ("Renata", "PATIENT")


def test_names_that_follow_each_other_are_one():
    _, (_, found) = heard(
        ("NAME: VOSS,RENATA", ("VOSS,RENATA", PATIENT)),
        ("Seen by Kern: Renata Voss slept well.", ("Kern", DOCTOR)),
    )

    assert found[:2] == ("Renata Voss", "PATIENT")


def test_the_others_decide_of_which_type_a_doubtful_place_is():
    *_, ((text, phi_type, _),) = heard(
        ("Mrs. Voss came.", ("Voss", PATIENT)),
        ("Mrs. Voss went.", ("Voss", PATIENT)),
        ("Mrs. Voss slept.", ("Voss", PATIENT)),
        ("Voss again", ("Voss", DOCTOR, 0.5)),
    )

    assert (text, phi_type) == ("Voss", "PATIENT")


def test_what_is_sure_stays_what_it_is():
    *_, ((_, phi_type, _),) = heard(
        ("Mrs. Voss came.", ("Voss", PATIENT, 0.6)),
        ("Dr. Voss, M.D.", ("Voss", DOCTOR, 0.99)),
    )

    assert phi_type == "DOCTOR"


def test_a_disease_that_is_named_after_somebody_is_no_name():
    _, found = heard(
        ("Dr. Huntington and Dr. Huntington", ("Huntington", DOCTOR)),
        ("Huntington's disease, by Kern", ("Kern", DOCTOR)),
    )

    assert [each[0] for each in found] == ["Kern"]


def test_abbreviations_of_hospitals_are_looked_for_as_they_are_written():
    _, found = heard(
        ("Seen at NGH in May", ("NGH", HOSPITAL)),
        ("NGH records, ngh, NGHX, Kern", ("Kern", DOCTOR)),
    )

    assert [each[:2] for each in found] == [("NGH", "HOSPITAL"), ("Kern", "DOCTOR")]


def test_a_text_that_is_seldom_phi_is_not_spread():
    _, found = heard(
        ("Seen at MS in May", ("MS", HOSPITAL)),
        (f"Kern {'MS ' * 30}", ("Kern", DOCTOR)),
    )

    assert all(text == "Kern" or confidence < 0.1 for text, _, confidence in found)


def test_dates_do_not_echo():
    records = [("on 4/5 and", ("4/5", DATE)), ("strength 4/5, Kern", ("Kern", DOCTOR))]

    assert [each[0] for each in heard(*records)[1]] == ["Kern"]


def test_a_record_in_which_nothing_was_found_is_looked_through_too():
    ((text, phi_type, _),) = heard(("Mrs. Voss came.", ("Voss", PATIENT)), ("Voss",))[1]
    assert (text, phi_type) == ("Voss", "PATIENT")


def test_a_particle_of_a_name_is_no_name_where_a_sentence_begins_with_it():
    _, found = heard(
        ("Mr. van der Heide came.", ("van der Heide", PATIENT)),
        ("Seen by Kern. Der patient slept. Van Der Heide left.", ("Kern", DOCTOR)),
    )

    assert [text for text, *_ in found] == ["Kern", "Van Der Heide"]


def test_what_rules_are_sure_of_is_found_elsewhere_and_takes_nothing_from_another_rule():
    records = (
        ("Mrs. Voss came.", ("Voss", PATIENT, 0.9)),
        ("Mrs. Voss went.", ("Voss", PATIENT, 0.9)),
        ("Then Dr. Voss called Voss.", ("Voss", DOCTOR, 0.6)),
    )
    *_, (doctor, _) = heard(*records)
    *_, kept = heard(*records, by=find_other_mentions)

    assert doctor[1:] != ("DOCTOR", 0.6)
    assert kept[0] == ("Voss", "DOCTOR", 0.6)
    assert kept[1][:2] == ("Voss", "PATIENT")


def test_what_agrees_is_surer_by_the_rules_too():
    first, _, _ = heard(
        *((f"On {day} in Kern House.", ("Kern House", HOSPITAL, 0.7)) for day in range(3)),
        by=find_other_mentions,
    )
    assert first[0][2] > 0.7


def test_a_place_is_found_where_it_stands_by_itself_alone():
    _, found = heard(
        ("Lives in Kern-on-Sea now.", ("Kern-on-Sea", PhiType("LOCATION", "CITY"))),
        ("He likes Kern-on-Seaside, xKern-on-Sea and\nKern-on-Sea.", ("likes", DATE, 0.4)),
    )
    assert [each[0] for each in found if each[1] == "CITY"] == ["Kern-on-Sea"]


OVERLAPPING = """
from tests.shared.recognition.postprocessing.test_mention_propagation import *
houses = ["Mill Farm", "Farm Gate", "Gate Hill", "Hill Park", "Park West", "West Wood"]
seen = [(f"Seen at {each}.", (each, HOSPITAL)) for each in houses]
whole = ("Sent on to Mill Farm Gate Hill Park West Wood.",)
print(heard(*seen, whole, by=find_other_mentions)[-1])
"""


def test_what_overlaps_and_is_as_sure_is_found_alike_in_every_process():
    found = [
        subprocess.run(
            [sys.executable, "-c", OVERLAPPING],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            cwd=Path(__file__).parents[4],
            capture_output=True,
            check=True,
        ).stdout
        for seed in range(1, 5)
    ]
    assert len({*found}) == 1
    assert b"HOSPITAL" in found[0]


def test_a_name_is_found_in_a_text_without_capitals():
    *_, found = heard(
        ("NAME: VOSS,RENATA", ("VOSS,RENATA", PATIENT)),
        ("renata voss slept well. seen by kern.", ("kern", DOCTOR)),
    )

    assert [each[:2] for each in found] == [("renata voss", "PATIENT"), ("kern", "DOCTOR")]


def test_small_words_of_other_texts_are_no_names():
    *_, found = heard(
        ("Dr. Rose, Dr. Rose", ("Rose", DOCTOR)),
        ("The sedimentation rate rose. Seen by Kern.", ("Kern", DOCTOR)),
    )

    assert [each[0] for each in found] == ["Kern"]


def test_the_letters_of_a_state_tell_nothing_of_the_same_letters_elsewhere():
    *_, found = heard(
        ("Santa Rosa, CA 92543", ("CA", STATE)),
        ("GLU 98, CA 8.8, seen by Kern", ("CA", STATE, 0.3), ("Kern", DOCTOR)),
    )

    assert ("CA", "STATE", 0.3) in found


def test_a_state_by_its_name_does():
    *_, found = heard(
        ("Santa Rosa, Nevada", ("Nevada", STATE)),
        ("Raised in Nevada, seen by Kern", ("Nevada", STATE, 0.3), ("Kern", DOCTOR)),
    )

    assert [each[1] for each in found if each[0] == "Nevada" and each[2] > 0.5] == ["STATE"]
