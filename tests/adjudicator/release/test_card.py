"""What the data card says of what may be left, at the release and after it."""

import json
import os

import pytest

from adjudicator.release.card import rewrite_card
from adjudicator.release.session import ReleaseSession
from shared.errors import ChangedOnDiskError, FileFormatError, RequestError, StorageError
from shared.model import Layer
from shared.project.assignments import State
from shared.surrogates.residual_risk import RiskStatement
from tests.adjudicator.release.sessions import SOURCES, make, out, reviewed, without_digest
from tests.builders import marked_up

SAID = RiskStatement("attack", "An attack", ("Nothing was found.",))
DAY = "2026-11-23"


@pytest.fixture
def released(session, tmp_path):
    reviewed(session).release(out(tmp_path))
    return tmp_path / "out"


def read_twice(project, missed_by_ben=()):
    """Both annotators have done every patient, but for what ben missed in these records."""
    for each in project.assignments():
        for document in project.patient(each.patient_id).documents:
            tags = marked_up(SOURCES[document.record_id])[1]
            if each.annotator == "ben" and document.record_id in missed_by_ben:
                tags = tags[1:]
            layer = Layer.of(document.record_id, each.annotator, tags)
            project.write_layer(each.annotator, document, layer, None)
        project.set_state(each.patient_id, each.annotator, State.DONE)


def card_of(folder):
    return json.loads((folder / "data_card.json").read_text())["residual_risk"]


def test_where_nobody_read_twice_the_card_says_that_it_cannot_be_told(released):
    said = card_of(released)
    assert not said["missed"]["told"]
    assert not said["all_or_nothing"]["told"]
    text = (released / "data_card.md").read_text()
    assert text.count("This cannot be told: no patient of these was read by two") == 2
    assert "estimated at" not in text


def test_a_release_says_what_both_may_have_missed_and_of_whom_each_found_all(tmp_path):
    project = make(tmp_path, SOURCES)
    read_twice(project, missed_by_ben=["110-01"])
    reviewed(ReleaseSession(project)).release(out(tmp_path))
    said = card_of(tmp_path / "out")
    assert said["missed"]["figures"]["patients"] == 2
    assert "all 2 patients" in said["missed"]["says"][0]
    one, two = said["all_or_nothing"]["says"]
    assert one.startswith("Annotator 1 found all direct identifiers of 2 of 2 patients (15.8 %")
    assert "all quasi-identifiers of 1 of 2 patients" in two


def test_no_name_no_record_and_no_text_is_in_it(tmp_path):
    project = make(tmp_path, SOURCES)
    read_twice(project, missed_by_ben=["110-01"])
    reviewed(ReleaseSession(project)).release(out(tmp_path, new_ids=True))
    card = (tmp_path / "out" / "data_card.json").read_text()
    card += (tmp_path / "out" / "data_card.md").read_text()
    for word in ("Holcomb", "Petty", "110", "111", '"ana"', "Ana", "ben "):
        assert word not in without_digest(card)


def test_a_layer_that_cannot_be_read_does_not_stop_the_release_but_is_said(tmp_path):
    project = make(tmp_path, SOURCES)
    read_twice(project)
    (project.root / "layers" / "ana" / "111-01.xml").write_bytes(b"<x")
    reviewed(ReleaseSession(project)).release(out(tmp_path))
    assert "could not be read" in card_of(tmp_path / "out")["missed"]["says"][0]


def test_what_is_asked_later_is_added_to_both_files(released):
    before = (released / "data_card.md").read_text()
    rewrite_card(released, [SAID], DAY)
    assert list(card_of(released)) == ["missed", "all_or_nothing", "audits", "attack"]
    text = (released / "data_card.md").read_text()
    assert text.replace(f"### An attack\n\nAsked on {DAY}.\n\nNothing was found.\n\n", "") == before


def test_where_the_second_file_cannot_be_written_the_first_is_as_it_was(released, monkeypatch):
    before = {each.name: each.read_bytes() for each in released.glob("data_card.*")}
    replace, moves = os.replace, iter(range(1))

    def once(source, target):
        if str(target).endswith(".json"):
            raise OSError(28, "No space left on device")
        next(moves, None)
        replace(source, target)

    monkeypatch.setattr(os, "replace", once)
    with pytest.raises(StorageError):
        rewrite_card(released, [SAID], DAY)
    assert {each.name: each.read_bytes() for each in released.glob("data_card.*")} == before


def test_a_card_that_changes_meanwhile_is_not_overwritten(released, monkeypatch):
    from adjudicator.release import card

    real = card.with_statements

    def meanwhile(*args):
        (released / "data_card.md").write_text("mine")
        return real(*args)

    monkeypatch.setattr(card, "with_statements", meanwhile)
    with pytest.raises(ChangedOnDiskError):
        rewrite_card(released, [SAID], DAY)
    assert (released / "data_card.md").read_text() == "mine"
    assert "attack" not in card_of(released)


def test_what_is_no_release_is_refused(tmp_path, released):
    with pytest.raises(RequestError, match="not a release"):
        rewrite_card(tmp_path, [SAID], DAY)
    (released / "data_card.json").write_text("[]")
    with pytest.raises(FileFormatError, match="not a data card"):
        rewrite_card(released, [SAID], DAY)
