"""What a release holds, what a person chose, and the encrypted map."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from shared.encryption import encrypted
from shared.errors import FileFormatError, RequestError
from shared.formats.i2b2_xml import parse_record
from shared.model import Span
from shared.surrogates.data_card import CardFacts
from shared.surrogates.key_map import FORMAT, decrypted_map, encrypted_map
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.release import (
    ReleasePlan,
    draw_new_ids,
    draw_test_part,
    release_files,
)
from shared.surrogates.review import (
    HEADER,
    choices_from_json,
    choices_in_table,
    choices_to_json,
    merged,
    review_table,
)
from shared.surrogates.surrogate_kinds import ManualSurrogate

Replaced = Callable[..., SurrogatePatient]
SOURCE = "[Dennis Holcomb|PATIENT], [Firm B|DEPARTMENT], [Room 12|ROOM], [53|AGE]"
FACTS = CardFacts("Corpus", "1", "2026-01-01", "en")
PASSPHRASE = "correct horse battery"  # noqa: S105  of no map but the test's
HERE = Path("here")


def files(replaced: Replaced, plan: ReleasePlan) -> dict[str, bytes]:
    return dict(release_files([replaced(SOURCE, "[5/9/2007|DATE]")], plan))


def test_records_as_text_and_as_xml(replaced: Replaced) -> None:
    found = files(replaced, ReleasePlan(FACTS))
    assert set(found) == {
        "text/110-01.txt", "text/110-02.txt", "xml/110-01.xml", "xml/110-02.xml",
        "data_card.md", "data_card.json",
    }  # fmt: skip
    record = parse_record(found["xml/110-01.xml"], HERE)
    assert record.text.encode() == found["text/110-01.txt"]
    assert [tag.phi_type.name for tag in record.tags] == ["PATIENT", "DEPARTMENT", "ROOM", "AGE"]


def test_unmarked_types_are_replaced_but_not_tagged(replaced: Replaced) -> None:
    plan = ReleasePlan(FACTS, unmark=frozenset({"ROOM", "DEPARTMENT"}))
    record = parse_record(files(replaced, plan)["xml/110-01.xml"], HERE)
    assert [tag.phi_type.name for tag in record.tags] == ["PATIENT", "AGE"]
    assert "Firm B" not in record.text


def test_parts_and_new_names(replaced: Replaced) -> None:
    plan = ReleasePlan(FACTS, test=frozenset({"110"}), new_ids={"110-01": "7-01", "110-02": "7-02"})
    assert "test/text/7-01.txt" in files(replaced, plan)


def test_the_card_counts_by_type_and_holds_no_phi(replaced: Replaced) -> None:
    found = files(replaced, ReleasePlan(FACTS))
    card = json.loads(found["data_card.json"])
    assert card["tags"]["NAME:PATIENT"] == {"all": 1}
    assert card["parts"]["all"] == {"patients": 1, "records": 2, "tokens": 8, "tags": 5}
    assert "| NAME: PATIENT | 1 |" in found["data_card.md"].decode()
    assert b"Holcomb" not in found["data_card.md"] + found["data_card.json"]


def test_the_card_says_in_capitals_that_a_seed_was_given(replaced: Replaced) -> None:
    facts = CardFacts("Corpus", "1", "2026-01-01", "en", seed=7)
    text = files(replaced, ReleasePlan(facts))["data_card.md"].decode()
    assert "MADE WITH --seed 7: WHOEVER KNOWS THE SEED CAN UNDO THE SURROGATES" in text


def test_the_test_part_is_drawn_by_patient(replaced: Replaced) -> None:
    from dataclasses import replace

    one = replaced(SOURCE, SOURCE)
    many = [replace(one, patient=replace(one.patient, id=str(n))) for n in range(20)]
    test = draw_test_part(many, 0.4, Random(1))
    assert len(test) == 8
    assert test != draw_test_part(many, 0.4, Random(2))


def test_new_names_tell_nothing_of_the_old(replaced: Replaced) -> None:
    ids = draw_new_ids([replaced(SOURCE, SOURCE)], Random(1))
    assert ids == {"110-01": "11-01", "110-02": "11-02"}


def test_an_edit_in_the_table_is_a_choice(replaced: Replaced) -> None:
    lines = review_table([replaced(SOURCE)]).decode().splitlines()
    assert lines[0].split(",") == list(HEADER)
    named = next(line for line in lines if ",PATIENT," in line)
    edited = named.replace(",,,110,", ",Larry Jacob,x,110,")
    table = "\n".join([lines[0], edited, *lines[2:]]).encode()
    chosen = choices_in_table(table, HERE)
    assert chosen == (ManualSurrogate("110-01", Span(0, 14), "Larry Jacob", same_text=True),)
    assert replaced(SOURCE, choices=chosen).replacements[0].surrogate == "Larry Jacob"


def test_choices_are_kept() -> None:
    choices = (
        ManualSurrogate("110-01", Span(0, 4), "Né"),
        ManualSurrogate("110-02", Span(1, 2), "x", same_text=True),
    )
    assert choices_from_json(choices_to_json(choices), HERE) == choices


def test_the_later_choice_stands() -> None:
    first, second = (
        ManualSurrogate("110-01", Span(0, 4), "a"),
        ManualSurrogate("110-01", Span(0, 4), "b"),
    )
    assert merged((first,), (second,)) == (second,)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a,b\n1,2\n", b'record,"start\n'])
def test_a_broken_table_is_refused(data: bytes) -> None:
    with pytest.raises(FileFormatError):
        choices_in_table(data, HERE)


@pytest.mark.parametrize("data", [b"{", b"[1]", b'[{"record": "a", "start": 5, "end": 2}]'])
def test_broken_choices_are_refused(data: bytes) -> None:
    with pytest.raises(FileFormatError):
        choices_from_json(data, HERE)


def test_the_map_opens_with_its_passphrase_only(replaced: Replaced) -> None:
    data = encrypted_map([replaced(SOURCE)], {"110-01": "7-01"}, PASSPHRASE)
    assert b"Holcomb" not in data
    row = decrypted_map(data, HERE, PASSPHRASE)[0]
    assert (row["original"], row["released_as"]) == ("Dennis Holcomb", "7-01")
    with pytest.raises(RequestError, match="passphrase"):
        decrypted_map(data, HERE, "another passphrase")


def test_a_short_passphrase_is_refused() -> None:
    with pytest.raises(RequestError):
        encrypted_map([], {}, "short")


@pytest.mark.parametrize("rows", [b"3", b"[3]", b"[{}]", b"[[", b'[{"record": 1e999}]'])
def test_a_map_of_something_else_is_refused(rows: bytes) -> None:
    with pytest.raises(FileFormatError, match="does not hold a map"):
        decrypted_map(encrypted(rows, FORMAT, PASSPHRASE), HERE, PASSPHRASE)


@pytest.mark.parametrize("data", [b"", b"{}\nx", b"[]", b"\xff"])
def test_what_is_no_map_is_refused(data: bytes) -> None:
    with pytest.raises(FileFormatError):
        decrypted_map(data, HERE, PASSPHRASE)
