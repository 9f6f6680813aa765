"""Surrogates in frames: what is in doubt does not go out."""

import pandas as pd
import pytest

import tandem

RECORDS = pd.DataFrame(
    {
        "record": ["110-01", "110-02", "120-01"],
        "text": ["Kai Petty came on 4/17/2068.", "Mr. Petty feels well.", "Nothing to report."],
    }
)
TAGS = pd.DataFrame({"record": ["110-01", "110-01"], "start": [0, 18], "end": [9, 27],
                     "type": ["PATIENT", "DATE"]})  # fmt: skip


def release(**options):
    return tandem.surrogate_frame(RECORDS, TAGS, seed=1, **options)


def test_what_is_doubtful_is_held_back():
    made = release()
    assert "110-02" not in set(made.records["record"])
    assert made.held_back["record"].tolist().count("110-02") == 1
    assert not made.records["text"].str.contains("Petty").any()


def test_or_covered():
    made = release(doubtful="mask")
    text = made.records.set_index("record").loc["110-02", "text"]
    assert "Petty" not in text
    assert made.held_back.empty


def test_tags_are_at_their_new_places():
    made = release(doubtful="mask")
    texts = made.records.set_index("record")["text"]
    for row in made.tags.itertuples():
        assert texts[row.record][row.start : row.end] == row.text


def test_a_seed_draws_the_same_again_and_none_does_not():
    first, again = release(doubtful="mask"), release(doubtful="mask")
    pd.testing.assert_frame_equal(first.records, again.records)
    drawn = {
        tandem.surrogate_frame(RECORDS, TAGS, doubtful="mask").records["text"][0] for _ in range(6)
    }
    assert len(drawn) > 1


def test_tags_mode():
    text = release(doubtful="mask", mode="tags").records["text"][0]
    assert "[PATIENT" in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"mode": "fast"}, "mode: there is no fast"),
        ({"doubtful": "release"}, "doubtful: there is no release"),
        ({"doubtful": "keep-list"}, "needs a file of places"),
        ({"mode": "keyed"}, "mode keyed and a key go together"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, said):
    with pytest.raises(tandem.TandemError, match=said):
        release(**options)
