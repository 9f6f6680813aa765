"""What is looked up is what a look at everything finds."""

from random import Random

from shared.language.date_mentions import DateMention, Day
from shared.language.languages import language
from shared.model import PhiType
from shared.surrogates.lookups import DayLookup, NameLookup, NumberLookup
from shared.text.spelling import typo_between

TYPES = [PhiType("A", name) for name in ("ONE", "TWO", "THREE")]


def test_numbers_in_a_run_are_those_that_a_search_for_each_finds_in_their_order() -> None:
    rng = Random(3)
    for _ in range(300):
        numbers = {
            "".join(rng.choices("01", k=rng.randint(6, 9))): rng.choice(TYPES) for _ in range(9)
        }
        run = "".join(rng.choices("01", k=rng.randint(0, 24)))
        every = ((run.find(number), number, phi_type) for number, phi_type in numbers.items())
        assert list(NumberLookup(numbers).within(run)) == [each for each in every if each[0] >= 0]


def test_a_word_one_slip_from_names_has_the_type_of_the_last_of_them() -> None:
    rng = Random(4)
    for _ in range(300):
        parts = {
            "".join(rng.choices("ab", k=rng.randint(3, 8))): rng.choice(TYPES) for _ in range(12)
        }
        lookup = NameLookup(parts, {})
        word = "".join(rng.choices("ab", k=rng.randint(3, 9)))
        found = None
        for part, phi_type in parts.items():
            typo = typo_between(part, word)
            is_near = word[0] == part[0] and min(len(word), len(part)) >= 5
            if is_near and typo and (typo.kind != "change" or len(part) > 6):
                found = phi_type
        assert lookup.misspelt(word) == (None if word in parts else found)


def test_a_word_in_capitals_that_is_cut_is_the_name_that_it_begins() -> None:
    lookup = NameLookup({"michelangelo": TYPES[0], "michelin": TYPES[1]}, {})
    assert lookup.held_by("MICHELAN", "michelan") == TYPES[0]
    assert lookup.held_by("MICHELI", "micheli") == TYPES[1]
    assert lookup.held_by("MICHEL", "michel") is None
    assert lookup.held_by("Michelan", "michelan") is None


def test_a_title_may_be_glued_to_a_name_in_any_case() -> None:
    lookup = NameLookup({"hickman": TYPES[0], "ruiz": TYPES[1]}, {}, language("en").titles)
    assert lookup.held_by("drhickman", "drhickman") == TYPES[0]
    assert lookup.held_by("Mrsruiz", "mrsruiz") == TYPES[1]
    assert lookup.held_by("prohickman", "prohickman") is None
    spanish = NameLookup({"ruiz": TYPES[1]}, {}, language("es").titles)
    assert spanish.held_by("draruiz", "draruiz") == TYPES[1]
    german = NameLookup({"kern": TYPES[0]}, {}, language("de").titles)
    assert german.held_by("Fraukern", "fraukern") == TYPES[0]


def test_days_are_the_same_by_any_reading_and_a_month_needs_its_year() -> None:
    lookup = DayLookup({Day(3, 4, 2071): TYPES[0], Day(4, 3, None): TYPES[1],
                        Day(5, None, 2071): TYPES[2]})  # fmt: skip

    def same(*readings: Day) -> PhiType | None:
        return lookup.same(DateMention(0, 1, readings))

    assert same(Day(4, 3, 2071), Day(3, 4, 2071)) == TYPES[0]
    assert same(Day(4, 3, 1999)) == TYPES[1]
    assert same(Day(3, 4, 2072)) is None
    assert same(Day(5, None, 71)) == TYPES[2]
    assert same(Day(5, None, None)) is None
