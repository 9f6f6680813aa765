"""What practice patients have that is in no list."""

import pytest

from shared.synthetic.invented_names import blended_names, invented_lists

LISTS = {
    "trade fields": ["bus", "school"],
    "trade heads": ["driver", "clerk"],
    "brands": ["Acme", "Star"],
    "organizations": ["{family} Foods", "{family} and {family}", "First Bank"],
    "other places": ["Lake {family}", "the Delta"],
    "place names": ["Moose", "Otter"],
}
KNOWN = {"professions": {"bus driver"}, "organizations": set(), "other places": set()}


def test_trades_firms_and_places_are_put_together():
    made = invented_lists(LISTS, KNOWN)

    assert set(made["professions"]) == {"bus clerk", "school driver", "school clerk"}
    assert set(made["organizations"]) == {"Acme Foods", "Star Foods"}
    assert set(made["other places"]) == {"Lake Moose", "Lake Otter"}


def test_what_is_made_is_the_same_every_time():
    assert invented_lists(LISTS, KNOWN) == invented_lists(LISTS, KNOWN)


def test_blended_names_take_a_share_of_the_draws_and_are_nobodys():
    names = [("Renata", 3.0), ("Valdez", 1.0), ("Osgood", 1.0)]
    made = blended_names(names, {"Revaldez"})

    assert sum(weight for _, weight in made) == pytest.approx(0.6 * 5)
    assert not {name for name, _ in made} & {"Renata", "Valdez", "Osgood", "Revaldez"}
