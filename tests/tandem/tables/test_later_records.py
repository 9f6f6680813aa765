"""What comes later into an archive changes nothing that was released of it, but for masks."""

import re

import pytest

from tests.tandem.tables.conftest import Archive

KEYED = ("--doubtful", "mask", "--mode", "keyed", "--key", "key")


def is_masked_further(before: str, after: str) -> bool:
    """Whether one text is the other but for masks, `[DOCTOR]`, that lie over more of it."""
    pieces = re.split(r"\[[A-Z]+\]", after)
    return re.fullmatch(".+?".join(map(re.escape, pieces)), before, re.DOTALL) is not None


@pytest.mark.parametrize("tags", ["gold.parquet", "tags.parquet"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_records_of_today_come_out_the_same_next_year(small: Archive, tags: str, count: int):
    places = small.notes.sort_values("record").groupby("patient").cumcount()
    today = small.notes[places.reindex(small.notes.index) < count]
    name = f"{tags}-{count}"
    today.to_parquet(small / f"today-{name}.parquet", index=False)
    frame = small.frame(tags)
    own = frame[frame["record"].isin(today["record"])]
    own.to_parquet(small / f"own-{name}.parquet", index=False)
    said = (f"today-{name}.parquet", "--tags", f"own-{name}.parquet", *KEYED)
    assert small.run("surrogate", *said, "--out", f"first-{name}.parquet") == 0
    said = ("notes.parquet", "--tags", tags, *KEYED)
    assert small.run("surrogate", *said, "--out", f"later-{name}.parquet") == 0
    first, later = (
        dict(zip(made["record"], made["text"], strict=True))
        for made in (small.frame(f"first-{name}.parquet"), small.frame(f"later-{name}.parquet"))
    )
    there = first.keys() & later.keys()
    assert len(there) > len(today) / 2
    changed = [each for each in there if first[each] != later[each]]
    assert tags == "tags.parquet" or len(changed) < len(there) / 4  # tags that are right
    assert all(is_masked_further(first[each], later[each]) for each in changed)


def test_a_text_with_another_pseudonym_is_not_taken_for_masked_further():
    before = "[PATIENT-BCDFGHJKLM] came. Anna is well."
    assert is_masked_further(before, "[PATIENT-BCDFGHJKLM] came. [PATIENT] is well.")
    assert not is_masked_further(before, "[PATIENT-BCDFGHJKLX] came. [PATIENT] is well.")
