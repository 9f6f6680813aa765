"""The plain CRFs of the papers, trained through sklearn-crfsuite."""

import stat
import sys
from dataclasses import replace

import pytest

from shared.errors import RequestError
from shared.recognition.crf.baseline import fit_baseline
from shared.recognition.training.training_data import TrainingData
from shared.recognition.training_settings import SETTINGS

NAMES = ("he", "liu", "character", "crfd")
PLAIN = {crf.name: crf for name in NAMES for crf in SETTINGS[name].crfs}


def test_the_papers_crfs_and_no_others_are_baselines():
    baselines = {crf.name for each in SETTINGS.values() for crf in each.crfs if crf.is_baseline}
    assert baselines == set(PLAIN) == set(NAMES)


@pytest.mark.parametrize("name", PLAIN)
def test_a_baseline_is_the_crf_that_our_own_trainer_makes(examples, tmp_path, name):
    data = TrainingData(examples[:12], seed=1)
    plain = replace(PLAIN[name], iterations=8)

    data.train(plain, tmp_path / "baseline")
    data.train(replace(plain, is_baseline=False), tmp_path / "own")

    assert (tmp_path / "baseline").read_bytes() == (tmp_path / "own").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="no file modes there")
def test_a_baseline_is_readable_by_its_owner_only(tmp_path):
    fit_baseline([([["a"], ["b"]], ["O", "B-X"])], tmp_path / "crf", PLAIN["he"])

    assert stat.S_IMODE((tmp_path / "crf").stat().st_mode) == 0o600


def test_without_a_tag_there_is_nothing_to_train(tmp_path):
    with pytest.raises(RequestError, match="no record has a tag"):
        fit_baseline([([["a"], ["b"]], ["O", "O"])], tmp_path / "crf", PLAIN["he"])
