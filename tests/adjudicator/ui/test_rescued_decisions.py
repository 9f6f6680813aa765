"""Decisions that could not be journalled come back from a rescue file as decisions."""

import pytest

from adjudicator.decision_log import read_log
from adjudicator.session import AdjudicationSession
from shared.errors import FileFormatError
from shared.model import PhiType, Span
from tests.adjudicator.projects import make_project

ANA = ["[Lee|DOCTOR] of [Mercy|HOSPITAL] on [May|DATE] 9.", "[Kai|PATIENT] called [Roe|DOCTOR]."]
BEN = ["[Lee|PATIENT] of [Mercy|HOSPITAL] on [May 9|DATE].", "Kai called [Roe|PATIENT]."]


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path, ANA, BEN)


@pytest.fixture
def rescued(open_window, project, tmp_path):
    """Work by keys while the project's folder is away, then take it up in a new window."""

    def work(*steps, before=()):
        hand = open_window(project)
        hand.press(*before)
        hand.window.save_now()
        away = project.root.with_name("away")
        project.root.rename(away)
        rescue = hand.window._keeping.rescue
        hand.press(steps[0])
        rescue.write_rescue_file(str(tmp_path / "rescue.jsonl"))
        hand.press(*steps[1:])
        was = state(hand)
        hand.window.close()
        hand.window.close()
        away.rename(project.root)
        for lock in project.root.glob("journal/**/*.lock"):
            lock.unlink()
        again = open_window(project)
        again.window._keeping.rescue.replay_rescue_file(str(tmp_path / "rescue.jsonl"))
        return was, again

    return work


def state(hand):
    return dict(zip(hand.column(0), hand.column(4), strict=True)), sorted(hand.gold())


def log_is_gold(project):
    problems = []
    entries = list(read_log(project, ["110"], problems, checked=True))
    return not problems and not any(each.is_edited_after for each in entries) and bool(entries)


def test_decisions_come_back_with_their_edits(rescued, project):
    was, again = rescued("1", "2", "0")
    assert [*was[0].values()].count("open") == 1
    assert state(again) == was
    assert again.text("decisionCount") == "3 of 4 decided"
    assert again.said == "3 changes were recovered from the file."
    assert log_is_gold(project)


def test_one_change_is_said_as_one(rescued):
    _, again = rescued("1")
    assert again.said == "1 change was recovered from the file."


def test_what_was_undone_is_open_again(rescued, project):
    was, again = rescued("1", "2", "Ctrl+Z")
    assert state(again) == was
    assert log_is_gold(project)


def test_an_undo_of_what_the_journal_still_has_opens_that_again(rescued, project):
    was, again = rescued("Ctrl+Z", before=["1", "2"])
    assert [*was[0].values()].count("open") == 3
    assert state(again) == was
    assert log_is_gold(project)


def test_a_decision_for_another_one_takes_its_place(rescued, project):
    was, again = rescued("2", before=["1", "P"])
    assert state(again) == was
    assert log_is_gold(project)


def test_recovering_twice_changes_nothing_more(rescued, project, tmp_path):
    was, again = rescued("1", "2", "0")
    again.window._keeping.rescue.replay_rescue_file(str(tmp_path / "rescue.jsonl"))
    assert again.said == "All that the file holds is here already."
    assert state(again) == was
    assert log_is_gold(project)


def test_what_was_decided_meanwhile_gives_way_without_leaving_tags(
    open_window, rescued, project, tmp_path
):
    _, again = rescued("1")
    decided = next(each for each, said in state(again)[0].items() if said != "open")
    again.press("P", "0")
    again.window._keeping.rescue.replay_rescue_file(str(tmp_path / "rescue.jsonl"))
    assert state(again)[0][decided] != "no tag"
    assert len(again.gold()) == len(set(again.gold()))
    assert log_is_gold(project)


def test_reasons_come_back_too(project, tmp_path):
    entries = rescue_of(project, tmp_path, "title")
    with AdjudicationSession(project, "110", "carol") as session:
        assert session.replay_rescue_file(entries) == 1
        assert session.queue.reasons() == ["title"]
        assert session.replay_rescue_file(entries) == 0


def rescue_of(project, tmp_path, reason):
    with AdjudicationSession(project, "110", "carol") as session:
        session.queue.remark(session.queue[0], reason, discuss=True)
    path = project.journal_path("gold", "110")
    note = next(each for each in path.read_text().splitlines() if '"note"' in each)
    path.unlink()
    rescue = tmp_path / "rescue.jsonl"
    rescue.write_text(f'{{"op":"rescue","annotator":"gold","patient":"110"}}\n{note}\n')
    return rescue


@pytest.mark.parametrize(
    "line",
    [
        '{"op":"edit","number":9,"what":"","removed":[],"added":[],"decisions":[{"x":1}]}',
        '{"op":"note","record":"110-01","sides":[]}',
        '{"op":"edit","number":"x","what":"","removed":[],"added":[]}',
        '{"x":1}',
    ],
)
def test_a_rescue_file_that_makes_no_sense_changes_nothing(project, tmp_path, line):
    rescue = tmp_path / "rescue.jsonl"
    good = (
        '{"op":"edit","number":8,"what":"tag","removed":[],"added":[{"record":"110-02","id":"P9",'
        '"start":0,"end":3,"category":"NAME","type":"PATIENT","origin":"hand"}]}'
    )
    rescue.write_text(f'{{"op":"rescue","annotator":"gold","patient":"110"}}\n{good}\n{line}\n')
    with AdjudicationSession(project, "110", "carol") as session:
        before = list(session.tags)
        with pytest.raises(FileFormatError, match="holds an entry that Tandem cannot read"):
            session.replay_rescue_file(rescue)
        assert list(session.tags) == before


def test_tags_by_hand_come_back_once_whatever_got_their_number_meanwhile(project, tmp_path):
    away = tmp_path / "rescue.jsonl"
    with AdjudicationSession(project, "110", "carol") as session:
        session.tag(Span(19, 20), PhiType("AGE", "AGE"))
    line = project.journal_path("gold", "110").read_text().splitlines()[-2]
    assert '"AGE"' in line
    away.write_text(f'{{"op":"rescue","annotator":"gold","patient":"110"}}\n{line}\n')
    with AdjudicationSession(project, "110", "carol") as session:
        assert session.replay_rescue_file(away) == 0
        assert sum(each.phi_type.name == "AGE" for each in session.tags) == 1
