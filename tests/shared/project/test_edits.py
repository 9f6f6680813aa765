"""Edits on their way: in steps, and as the journal has them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.model import Document, MergedView, Origin, Patient, PhiType, Span, Tag
from shared.project import edits
from shared.project.edits import Edit, PlacedTag, Writing, at_once, edit_from_entry
from shared.project.written import WrittenList, written

VIEW = MergedView(Patient("1", (Document('1-"01"', "1", "x" * 40), Document("1-02", "1", "y"))))
texts = st.text(max_size=5)
tags = st.builds(
    lambda start, length, *more: PlacedTag.of(
        VIEW, '1-"01"', Tag(Span(start, start + length), *more)
    ),
    st.integers(0, 20),
    st.integers(1, 20),
    st.builds(PhiType, texts, texts),
    texts,
    texts,
    st.sampled_from(Origin),
    st.none() | st.floats(0, 1),
    st.lists(st.tuples(texts, texts), max_size=2).map(tuple),
)


def as_dictionary(placed):
    """What the journal says of a tag, the slow way."""
    tag = placed.tag
    said = {"record": placed.record_id, "id": tag.id, "start": tag.start, "end": tag.end}
    said |= {"category": tag.phi_type.category, "type": tag.phi_type.name}
    said |= {"origin": tag.origin.value}
    said |= {"comment": tag.comment} if tag.comment else {}
    said |= {} if tag.confidence is None else {"confidence": tag.confidence}
    return said | ({"attributes": list(map(list, tag.attributes))} if tag.attributes else {})


@given(st.lists(tags, max_size=3), st.lists(tags, max_size=3))
def test_what_is_written_item_by_item_is_json(removed, added):
    edit = Edit("mend", tuple(removed), tuple(added))
    entry = at_once(Writing().entry(edit))
    slowly = {
        "what": "mend",
        "removed": list(map(as_dictionary, removed)),
        "added": list(map(as_dictionary, added)),
    }
    assert written(entry) == json.dumps(slowly, ensure_ascii=False, separators=(",", ":"))
    assert entry == slowly
    assert edit_from_entry(VIEW, entry) == edit


def test_a_list_that_is_written_reads_as_the_list():
    held = WrittenList(['{"a":1}', '{"a":2}'])
    assert (len(held), held[1], held[:1]) == (2, {"a": 2}, [{"a": 1}])
    assert held == [{"a": 1}, {"a": 2}]
    assert held != [{"a": 1}]
    assert held != "ab"


def test_many_tags_are_written_in_steps(monkeypatch):
    monkeypatch.setattr(edits, "PORTION", 2)
    placed = [
        PlacedTag.of(VIEW, "1-02", Tag(Span(0, 1), PhiType("A", "B"), str(n))) for n in range(5)
    ]
    steps = Writing().entry(Edit("tag", added=tuple(placed)))
    assert [next(steps), next(steps)] == [None, None]
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert [each["id"] for each in end.value.value["added"]] == ["0", "1", "2", "3", "4"]


def test_many_tags_are_not_written_again_when_they_are_undone(monkeypatch):
    monkeypatch.setattr(edits, "PORTION", 2)
    one, other = [
        Edit(
            "tag", added=tuple(PlacedTag.of(VIEW, "1-02", Tag(Span(0, 1), kind)) for _ in range(3))
        )
        for kind in (PhiType("A", "B"), PhiType("A", "C"))
    ]
    writer = Writing()
    first = at_once(writer.entry(one))
    assert at_once(writer.entry(other))["added"][0]["type"] == "C"
    with pytest.raises(StopIteration) as end:
        next(writer.entry(one.reversed()))
    assert end.value.value["removed"] is first["added"]
    assert end.value.value["added"] == []
