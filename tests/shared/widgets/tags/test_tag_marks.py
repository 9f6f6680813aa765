"""Each tag is marked on the page where it is, whatever is noted on it and when."""

from dataclasses import replace

import pytest

from shared.model import Span, Tag
from shared.project.edits import Edit, PlacedTag
from shared.widgets.document.marks import MarkStyle
from shared.widgets.tags.tag_marks import TagMarks
from tests.builders import phi

TEXT = "Seen by Dr. Lee on 5/9."


def placed(span: Span, comment: str = "") -> PlacedTag:
    tag = Tag(span, phi("DOCTOR"), "P0", comment)
    return PlacedTag(span.start, span.end, "1-01", "P0", tag)


def shown(view, style=MarkStyle.TAG) -> list[tuple[str, str]]:
    return [(each.span.text_in(TEXT), each.note) for each in view.marks() if each.style is style]


@pytest.fixture
def view(show_view):
    return show_view(TEXT)


@pytest.fixture
def marks(view):
    return TagMarks(view, lambda _: "#D55E00")


def test_a_note_on_a_tag_as_it_was_moves_no_mark_back(view, marks):
    """Notes follow edits some time later: the tag may have been changed again by then."""
    before, after = placed(Span(8, 15)), placed(Span(12, 15))
    marks.show([before])
    marks.apply_edit(Edit("move edge", (before,), (after,)))
    marks.note_of = lambda _: "a title is no part of a name"
    marks.refresh([before])
    assert shown(view) == [("Lee", "a title is no part of a name")]


def test_a_note_on_a_tag_that_is_gone_shows_nothing(view, marks):
    tag = placed(Span(8, 15))
    marks.show([tag])
    marks.apply_edit(Edit("remove", (tag,)))
    marks.refresh([tag])
    assert view.marks() == []


def test_a_note_leaves_the_sign_of_a_comment(view, marks):
    tag = placed(Span(12, 15), "sure?")
    marks.show([tag])
    marks.refresh([replace(tag)])
    assert shown(view, MarkStyle.NOTE) == [("Lee", "sure?")]
