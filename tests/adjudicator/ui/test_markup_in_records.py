"""What a record has between `<` and `>` is text wherever the window shows it."""

from tests.adjudicator.projects import make_project
from tests.markup import labels_that_would_read_markup, reads_as_markup, tip_shown, tips

ANA = ["[<b>Kai</b>|PATIENT] saw [<img src='/etc/x.png'>|DOCTOR] &lt; <b>Kai</b>."]
BEN = ["<b>Kai</b> saw [<img src='/etc/x.png'>|HOSPITAL] &lt; <b>Kai</b>."]


def test_no_label_and_no_tooltip_makes_markup_of_it(open_window, tmp_path, qtbot):
    hand = open_window(make_project(tmp_path, ANA, BEN))
    hand.press("1")
    assert labels_that_would_read_markup(hand.window) == []
    assert any("&lt;img" in each for each in tips(hand.window))
    assert [each for each in tips(hand.window) if reads_as_markup(each)] == []
    shown = tip_shown(hand.table, 0, 0)
    assert "Kai" in shown
    assert not reads_as_markup(shown)
