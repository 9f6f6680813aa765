"""Recognizers over texts and frames, and as estimators of scikit-learn."""

import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import tandem

TEXT = "😀 Seen by Dr. Okafor on 4/17/2068."
RECORDS = pd.DataFrame(
    {
        "record": [f"{n}-01" for n in range(12)],
        "text": [f"Seen by Dr. {name} at noon." for name in
                 ("Lee Ota Ruiz Mann Abel Kern Roth Page Soto Vega Wade Yoon").split()],
    }
)  # fmt: skip
TAGS = pd.DataFrame(
    {
        "record": RECORDS["record"],
        "start": 12,
        "end": [text.index(" at ") for text in RECORDS["text"]],
        "type": "DOCTOR",
    }
)


@pytest.fixture(scope="module")
def trained():
    return tandem.CRFRecognizer("he", folds=0).fit(RECORDS, TAGS)


def test_offsets_are_code_points_of_the_text():
    found = tandem.load_recognizer("rules")(TEXT)
    assert {TEXT[each.start : each.end] for each in found} == {each.text for each in found}
    assert "Okafor" in {each.text for each in found if each.type == "DOCTOR"}


def test_a_frame_gets_what_a_text_gets():
    recognizer = tandem.load_recognizer("rules")
    frame = tandem.suggest_frame(pd.DataFrame({"record": ["1-01"], "text": [TEXT]}), recognizer)
    assert frame[["start", "end", "type"]].to_numpy().tolist() == [
        [each.start, each.end, each.type] for each in recognizer(TEXT)
    ]


def test_types_that_are_not_asked_for_are_not_found():
    found = tandem.load_recognizer("rules", types=["DATE"])(TEXT)
    assert {each.type for each in found} == {"DATE"}


@pytest.mark.parametrize(
    ("names", "said"), [((), "name a recognizer"), (("nothing",), "nothing is not a recognizer")]
)
def test_what_cannot_be_opened_is_refused(names, said):
    with pytest.raises(tandem.TandemError, match=said):
        tandem.load_recognizer(*names)


def test_carriage_returns_would_shift_offsets_and_are_refused():
    with pytest.raises(tandem.TandemError, match="carriage returns"):
        tandem.load_recognizer("rules")("Seen\r\nby Dr. Okafor.")


def test_an_estimator_learns_and_predicts(trained):
    new = pd.DataFrame({"record": ["99-01"], "text": ["Seen by Dr. Haas at noon."]})
    assert trained.predict(new)["text"].tolist() == ["Haas"]
    assert trained.score(RECORDS, TAGS) == pytest.approx(1.0)


def test_an_estimator_can_be_cloned_and_set(trained):
    other = clone(trained).set_params(seed=7)
    assert other.get_params() == {"recognizer": "he", "folds": 0, "seed": 7, "cores": 1}
    with pytest.raises(NotFittedError):
        other.predict(RECORDS)


def test_a_saved_model_is_one_of_tandem(trained, tmp_path):
    trained.save(tmp_path / "model")
    again = tandem.load_recognizer(tmp_path / "model")
    pd.testing.assert_frame_equal(again.suggest(RECORDS), trained.predict(RECORDS))
    with pytest.raises(tandem.TandemError, match="not empty"):
        trained.save(tmp_path / "model")


def test_without_a_tag_there_is_nothing_to_learn():
    with pytest.raises(tandem.TandemError, match="nothing to train on"):
        tandem.CRFRecognizer("he", folds=0).fit(RECORDS, TAGS.head(0))
