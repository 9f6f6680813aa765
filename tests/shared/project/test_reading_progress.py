"""What was on the screen, and how long it took."""

from hypothesis import given
from hypothesis import strategies as st

from shared.model import MergedView, Span
from shared.project.reading_progress import ReadingProgress
from tests.builders import patient

VIEW = MergedView(patient("Seen by Lee.", "\n  \n", "Called again."))


def test_at_first_nothing_was_seen_but_white_space_needs_no_eyes():
    assert ReadingProgress(VIEW).unread_records() == ["110-01", "110-03"]


def test_a_screen_may_show_parts_of_several_records():
    news = ReadingProgress(VIEW).record_visible(Span(5, 22))
    assert [(each["record"], each["start"], each["end"]) for each in news] == [
        ("110-01", 5, 12),
        ("110-02", 0, 4),
        ("110-03", 0, 4),
    ]


def test_what_was_seen_in_pieces_was_seen():
    reading = ReadingProgress(VIEW)
    reading.record_visible(Span(0, 6))
    assert reading.first_unread() == 6
    reading.record_visible(Span(4, 12))
    assert reading.unread_records() == ["110-03"]


def test_what_was_seen_before_is_no_news():
    reading = ReadingProgress(VIEW)
    reading.record_visible(Span(0, 10))
    assert reading.record_visible(Span(2, 8)) == []


def test_the_journal_tells_what_was_seen():
    entries = ReadingProgress(VIEW).record_visible(Span(0, len(VIEW.text)))
    assert ReadingProgress(VIEW, entries).unread_records() == []


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), max_size=12))
def test_unseen_is_what_no_screen_has_shown(screens):
    reading, shown = ReadingProgress(VIEW), set()
    for start, length in screens:
        reading.record_visible(Span(start, start + length))
        shown |= set(range(start, start + length))
    expected = [
        section.record_id
        for section in VIEW.sections
        if any(
            at not in shown and not VIEW.text[at].isspace()
            for at in range(section.start, section.end)
        )
    ]
    assert reading.unread_records() == expected


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), max_size=12))
def test_the_unread_share_is_kept_up_as_if_it_were_counted_anew(screens):
    kept_up = ReadingProgress(VIEW)
    entries = []
    for start, length in screens:
        kept_up.share()
        entries += kept_up.record_visible(Span(start, start + length))
        anew = ReadingProgress(VIEW, entries)
        assert kept_up.share() == anew.share()
        for section in VIEW.sections:
            share = kept_up.unread_share(section.record_id)
            assert share == anew.unread_share(section.record_id)
            assert bool(share) == (section.record_id in kept_up.unread_records())


def test_a_record_of_white_space_or_of_nothing_is_never_unread():
    reading = ReadingProgress(MergedView(patient("", " \n\x1c\u3000", " a")))
    assert [reading.unread_share(each) for each in ("110-01", "110-02", "110-03")] == [0, 0, 1]
    reading.record_visible(Span(0, 10))
    assert reading.share() == 1
