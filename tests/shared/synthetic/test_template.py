"""The little language of the notes."""

import pytest

from shared.errors import ModelError
from shared.synthetic.template import (
    Alternatives,
    Maybe,
    Several,
    Slot,
    TemplateRule,
    parse_book,
    parse_template,
)


@pytest.mark.parametrize(
    ("source", "nodes"),
    [
        ("plain", ("plain",)),
        ("{date today us}.", (Slot("date", ("today", "us")), ".")),
        ("{@main.hpi}", (TemplateRule("main.hpi"),)),
        ("{a|b}", (Alternatives((("a",), ("b",))),)),
        ("{a|{he} b}", (Alternatives((("a",), (Slot("he", ()), " b"))),)),
        ("{?30 x {he}}", (Maybe(30, ("x ", Slot("he", ()))),)),
        ("{*2-4 advice}", (Several("*", 2, 4, "advice"),)),
        ("{-1-2 advice}", (Several("-", 1, 2, "advice"),)),
        ("{^}{n 1.0-2.5}", (Slot("^", ()), Slot("n", ("1.0-2.5",)))),
    ],
)
def test_every_form_is_parsed(source, nodes):
    assert parse_template(source) == nodes


def test_an_open_brace_is_refused():
    with pytest.raises(ModelError, match="not closed"):
        parse_template("Seen {date today")


def test_a_book_joins_continued_lines():
    book = parse_book("# comment\n== cc\n- chest\n  pain\n- {a|\n  b}\n")
    assert book == {"cc": (("chest pain",), (Alternatives((("a",), ("b",))),))}
