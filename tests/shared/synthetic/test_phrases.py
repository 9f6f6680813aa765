"""The phrase books: nothing in them leads nowhere."""

import pytest

from shared.synthetic.phrases import TEMPLATE_FILES, phrases
from shared.synthetic.pools import TEMPLATES_TO_LEARN, read_template
from shared.synthetic.slots import SLOTS
from shared.synthetic.template import (
    Alternatives,
    Maybe,
    Several,
    Slot,
    TemplateRule,
    read_lists,
)

LONG = 24
"""Shorter phrases are the same by chance."""
SUBJECTS = {"main", "study", "operation", "specimen"}


@pytest.fixture(params=["standard", "held-out", *TEMPLATES_TO_LEARN])
def books(request):
    return phrases(request.param)


def nodes(template):
    for node in template:
        yield node
        if isinstance(node, Alternatives):
            for each in node.alternatives:
                yield from nodes(each)
        if isinstance(node, Maybe):
            yield from nodes(node.template)


def all_nodes(books):
    for templates in (*books.rules.values(), *books.notes.values()):
        for template in templates:
            yield from nodes(template)


def test_at_least_eight_kinds_of_note(books):
    assert len(books.kinds) >= 8


def test_every_slot_is_known(books):
    assert {node.name for node in all_nodes(books) if isinstance(node, Slot)} <= set(SLOTS)


def test_every_rule_is_there(books):
    asked = {node.name for node in all_nodes(books) if isinstance(node, TemplateRule)}
    asked |= {node.rule for node in all_nodes(books) if isinstance(node, Several)}
    missing = [name for name in asked if name.partition(".")[0] not in SUBJECTS]
    assert not set(missing) - set(books.rules)


def test_every_illness_says_what_notes_ask_of_it(books):
    for name in books.conditions:
        for part in ("cc", "hpi", "pmh", "plan", "exam", "course", "meds"):
            assert books.rules[f"{name}.{part}"]


@pytest.mark.parametrize("others", ["standard", *TEMPLATES_TO_LEARN])
def test_the_held_out_set_shares_no_sentence_with_phi(others):
    standard, held_out = phrases(others), phrases("held-out")
    names = set(standard.rules) & set(held_out.rules)
    shared = {
        name
        for name in names
        if set(standard.rules[name]) & set(held_out.rules[name])
        and any(
            isinstance(node, Slot)
            and node.name
            not in {
                "n",
                "nl",
                "^",
                "tab",
                "he",
                "He",
                "his",
                "His",
                "him",
                "himself",
                "man",
                "an",
                "line",
                "kin",
            }
            for template in standard.rules[name]
            for node in nodes(template)
        )
    }
    assert not shared


def test_sets_by_other_authors_share_no_phrase_with_each_other_nor_with_the_standard_ones():
    authors = [each for each in TEMPLATES_TO_LEARN if each != "practice"]
    seen = set()
    for files in (TEMPLATE_FILES["practice"], *(TEMPLATE_FILES[each] for each in authors)):
        own = {
            alternative
            for file in files
            for alternatives in read_lists(read_template("templates", f"{file}.txt")).values()
            for alternative in alternatives
            if "{" in alternative and len(alternative) > LONG
        }
        assert not own & seen
        seen |= own
