"""Scores of folders are those of `tandem score`, and add up."""

import json

import pandas as pd
import pytest

import tandem
from shared.commands.main import main

RECORDS = pd.DataFrame({"record": ["1-01", "2-01"], "text": ["Kai of Mercy.", "Mia left."]})
GOLD = pd.DataFrame({"record": ["1-01", "1-01", "2-01"], "start": [0, 7, 0], "end": [3, 12, 3],
                     "type": ["PATIENT", "HOSPITAL", "PATIENT"]})  # fmt: skip


@pytest.fixture
def folders(tmp_path):
    """The whole of both sides, and the first record alone, by name."""
    corpora = {
        "gold": (RECORDS, GOLD),
        "mine": (RECORDS, GOLD.drop(index=1)),
        "first": (RECORDS.head(1), GOLD.head(1)),
        "second": (RECORDS.tail(1), GOLD.tail(1)),
    }
    for name, (records, tags) in corpora.items():
        tandem.write(tandem.TaggedCorpus.of(records, tags), tmp_path / name, "i2b2")
    return {name: tmp_path / name for name in corpora}


def test_a_score_is_that_of_the_command(folders, capsys):
    score = tandem.score(folders["mine"], folders["gold"])
    main(["score", str(folders["mine"]), str(folders["gold"]), "--json", "-"])
    told = json.loads(capsys.readouterr().out)["measures"]
    frame = score.frame().set_index(["measure", "types"])
    assert score.f1 == pytest.approx(0.8)
    for name, by_types in told.items():
        for types, scores in by_types.items():
            assert frame.loc[(name, types), "f1"] == pytest.approx(scores["micro"]["f1"])
            assert frame.loc[(name, types), "macro_f1"] == pytest.approx(scores["macro"]["f1"])


def test_scores_of_parts_add_up_to_that_of_the_whole(folders):
    whole = tandem.score(folders["mine"], folders["gold"])
    parts = [tandem.score(folders[each], folders["gold"]) for each in ("first", "second")]
    both = parts[0] + parts[1]
    pd.testing.assert_frame_equal(both.frame(), whole.frame())
    assert len(both) == len(whole) == 2
    assert set(both.left_out) == {"1-01", "2-01"}  # each was missing in one of the parts


def test_how_the_files_are_to_be_read_can_be_said(folders):
    assert tandem.score(folders["mine"], folders["gold"], "i2b2").f1 == pytest.approx(0.8)
    with pytest.raises(tandem.TandemError, match="no option colour"):
        tandem.score(folders["mine"], folders["gold"], options={"colour": "red"})
    with pytest.raises(tandem.TandemError, match="no format text"):
        tandem.score(folders["mine"], folders["gold"], "text")


def test_nothing_to_compare_is_refused(folders, tmp_path):
    tandem.write(
        tandem.TaggedCorpus.of(RECORDS.assign(text="x"), GOLD.head(0)), tmp_path / "x", "i2b2"
    )
    with pytest.raises(tandem.TandemError, match="have different texts"):
        tandem.score(folders["mine"], tmp_path / "x")


def test_counts_of_frames_add_up_to_the_scores_of_folders(folders):
    records, gold = (frame.assign(patient=frame["record"].str[0]) for frame in (RECORDS, GOLD))
    mine = gold.drop(index=1)
    whole = tandem.score(folders["mine"], folders["gold"]).frame()
    parts = [
        tandem.score_frame(*(each[each["patient"] == name] for each in (records, mine, gold)))
        for name in ("1", "2")
    ]
    assert_frame_equal = pd.testing.assert_frame_equal
    assert_frame_equal(tandem.scores_of_counts(pd.concat(parts)), whole)
    assert_frame_equal(tandem.scores_of_counts(tandem.score_frame(records, mine, gold)), whole)
    with pytest.raises(tandem.TandemError, match="has no column patient"):
        tandem.score_frame(records, GOLD, gold)


def test_what_readers_covered_adds_up(folders):
    records, gold = (frame.assign(patient=frame["record"].str[0]) for frame in (RECORDS, GOLD))
    told = tandem.risk_frame(records, gold, gold, gold.drop(index=1))
    cells = told["rows"].set_index(["type", "readers"])["tags"]
    assert cells.to_dict() == {("PATIENT", "11"): 2, ("HOSPITAL", "10"): 1}
    assert told["sizes"]["patients"].sum() == 2
    assert told["outside"].empty
