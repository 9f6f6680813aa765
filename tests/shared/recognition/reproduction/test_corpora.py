from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import RequestError
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.dictionaries import CLINIC, LOCALES, dictionaries_of
from shared.recognition.recognizer import Example
from shared.recognition.reproduction.corpora import (
    AMBIGUOUS,
    CORPORA,
    RANDOM,
    UNKNOWN,
    corpus_of,
    hosts_of,
    terms_in,
)
from shared.recognition.reproduction.notes import notes_without_names
from shared.recognition.reproduction.other_words import InventedNames, RandomNames, WordWanted
from shared.recognition.reproduction.placing import (
    PhiSlot,
    filled,
    plain_text,
    sentences_with_phi,
    template_of,
    unwrapped,
)
from shared.recognition.reproduction.word_counts import gold_words
from shared.synthetic.pools import pools
from tests.builders import document, layer

NOTES = [
    "CHIEF COMPLAINT\nKnee pain.\nMartha Collins is here for her knee. The knee hurts on stairs.\n"
    "She was seen on 03/04/2071. The swelling is worse at night.",
    "PLAN\nThe knee is stable, the stairs are hard. Return to Boston Clinic. Lasix was stopped.",
]


def example(source, record_id="7-1"):
    return Example(document(source, record_id), layer(source, record_id).tags)


def parts_of(corpus):
    return {"training": corpus.training, **corpus.tests}


def words_of_template(template):
    return [piece for piece in template if isinstance(piece, PhiSlot)]


@pytest.mark.parametrize("name", CORPORA)
def test_all_that_is_placed_is_gold(name, hosts):
    for records in parts_of(corpus_of(name, hosts, seed=1)).values():
        for record in records:
            for span in record.special:
                assert any(tag.span.contains(span) for tag in record.example.tags)


@pytest.mark.parametrize("name", CORPORA)
def test_each_slot_becomes_one_tag_of_its_class_and_the_rest_of_the_text_stays(name, hosts):
    corpus = corpus_of(name, hosts, seed=1)
    for template, record in zip(hosts.training, corpus.training, strict=True):
        tags, text = record.example.tags, record.example.document.text
        assert [tag.phi_type for tag in tags] == [
            each.phi_type for each in words_of_template(template)
        ]
        rest, done = [], 0
        for tag in tags:
            rest.append(text[done : tag.start])
            done = tag.end
        assert "".join([*rest, text[done:]]) == "".join(
            piece for piece in template if isinstance(piece, str)
        )


def test_ambiguous_words_stand_in_the_same_part_untagged_too(hosts):
    for records in parts_of(corpus_of(AMBIGUOUS, hosts, seed=1)).values():
        words = gold_words(records)
        untagged = {word.text for word in words if word.phi_type is None}
        special = {
            span.text_in(record.example.document.text).lower()
            for record in records
            for span in record.special
        }
        assert special
        bare = {part for word in untagged for part in word.replace("-", "/").split("/")}
        assert special <= bare


def test_no_invented_name_and_no_term_is_in_any_list(hosts):
    known = dictionaries_of((*LOCALES, CLINIC))
    for name in (AMBIGUOUS, UNKNOWN):
        for records in parts_of(corpus_of(name, hosts, seed=1)).values():
            placed = {
                span.text_in(record.example.document.text).lower()
                for record in records
                for span in record.special
            }
            assert placed
            assert not placed & known.words.keys()


def test_shares_of_ambiguous_words_are_those_of_the_paper(practice, tests):
    hosts = hosts_of(practice, tests, (), 100, seed=1)
    special: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for word in gold_words(corpus_of(AMBIGUOUS, hosts, seed=1).training):
        if word.phi_type is not None and len(word.text) > 3 and word.text.isalpha():
            words[word.phi_type.name] += 1
            special[word.phi_type.name] += word.is_special
    assert 0.55 < special["DOCTOR"] / words["DOCTOR"] < 0.95
    assert 0.3 < special["PATIENT"] / words["PATIENT"] < 0.7


def test_random_names_are_of_other_lists_than_fabricated_patients_have():
    standard = pools("practice")
    drawn = {RandomNames().draw(WordWanted(kind=None), Random(n)).text for n in range(300)}
    assert len(drawn) > 200
    assert len(drawn & set(standard.family.words)) < len(drawn) / 5


def test_the_same_seed_gives_the_same_corpus_and_another_one_another(hosts):
    texts = [
        [each.example.document.text for each in corpus_of(RANDOM, hosts, seed).training]
        for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_sentences_of_training_and_test_are_other_ones(practice, tests):
    ours, theirs = (
        {plain_text(each) for each in sentences_with_phi(records) if len(plain_text(each)) > 25}
        for records in (practice, tests["other"])
    )
    assert ours
    assert not ours & theirs


@given(st.sampled_from(["ADA LOVELACE", "Lovelace, Ada K.", "A. Lovelace", "Ada", "de la Cruz"]))
def test_a_name_keeps_the_form_in_which_it_was_written(name):
    template = template_of(example(f"Seen: [{name}|PATIENT] today"))
    text = filled(template, 1, InventedNames(()), Random(3)).example.document.text
    new = text.removeprefix("Seen: ").removesuffix(" today")
    signs = [sign for sign in name if not sign.isalpha()]
    assert [sign for sign in new if not sign.isalpha()] == signs
    assert new.isupper() == name.isupper()
    assert ("de la" in new) == ("de la" in name)
    assert new != name


def test_a_hospital_keeps_its_common_words_and_dates_their_text():
    template = template_of(
        example("At [Mercy Hospital|HOSPITAL] on [3/4/2071|DATE], age [77|AGE].")
    )
    record = filled(template, 1, InventedNames(()), Random(3))
    text = record.example.document.text
    assert text.endswith("Hospital on 3/4/2071, age 77.")
    assert "Mercy" not in text
    assert [tag.phi_type.name for tag in record.example.tags] == ["HOSPITAL", "DATE"]
    assert [span.text_in(text) for span in record.special] == [text.split()[1]]


def test_a_city_of_two_words_is_one_word_of_the_corpus():
    template = template_of(example("Lives in [Fort Worth|CITY]."))
    record = filled(template, 1, InventedNames(()), Random(3))
    assert len(record.special) == 1
    assert len(record.example.document.text.split()) == 3


def test_lines_that_a_program_broke_are_joined_at_the_same_offsets():
    line = "word " * 14 + "end"
    text = f"{line}\nof the sentence that went over the line and on\n\nHEADING\nshort"
    joined = unwrapped(text)
    assert len(joined) == len(text)
    assert joined == text.replace("end\nof", "end of", 1)


def test_sentences_of_notes_that_may_name_somebody_are_left_out():
    kept = [sentence for line in notes_without_names(NOTES)[0] for sentence in line]
    assert "The knee hurts on stairs." in kept
    assert "The swelling is worse at night." in kept
    assert not any(word in " ".join(kept) for word in ("Martha", "2071"))
    others = [sentence for line in notes_without_names(NOTES)[1] for sentence in line]
    assert "Lasix was stopped." in others
    assert not any("Boston" in each for each in others)


def test_notes_are_parted_and_sentences_with_phi_stand_between_theirs(practice, tests):
    notes = [f"{note} Note number {number}." for number in range(4) for note in NOTES]
    hosts = hosts_of(practice, tests, notes, 3, seed=1)
    assert len(hosts.training) == len(hosts.tests["other"]) == 3
    numbers = [
        {word for word in plain_text(each).split() if word[:-1].isdigit() and word[-1] == "."}
        for each in (*hosts.training, *hosts.tests["other"])
    ]
    assert all(numbers)
    own = {n for each in hosts.training for n in plain_text(each).split(" Note number ")[1:]}
    test = {n for each in hosts.tests["other"] for n in plain_text(each).split(" Note number ")[1:]}
    assert not own & test
    assert any(words_of_template(each) for each in hosts.training)


def test_one_note_is_refused(practice, tests):
    with pytest.raises(RequestError, match="one note"):
        hosts_of(practice, tests, NOTES[:1], 3, seed=1)


def test_terms_are_no_slips_and_in_no_list():
    templates = [
        ("the bimalleolar fracture and the pain",),
        ("bimalleolar again",),
        ("oncewritten",),
    ]
    assert terms_in(templates) == ("bimalleolar",)


def test_every_type_with_a_class_has_one_of_the_seven():
    from shared.recognition.reproduction.phi_classes import class_of

    classes = {class_of(each.phi_type) for each in I2B2_2014.types()} - {None}
    assert len(classes) == 7
