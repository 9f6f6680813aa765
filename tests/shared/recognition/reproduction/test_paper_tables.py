import pytest

from shared.errors import RequestError
from shared.language.patterns import patterns_in
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import EntityKind, PersonRole
from shared.recognition.features.sets import feature_set
from shared.recognition.registry import DICTIONARIES, HEURISTICS
from shared.recognition.reproduction.corpora import CORPORA
from shared.recognition.reproduction.paper_tables import (
    chosen_tables,
    paper_named,
    papers,
    reproduced,
)
from shared.recognition.reproduction.tagged_tables import token_settings
from shared.recognition.rules import Rules
from shared.recognition.training_settings import SETTINGS
from tests.builders import document

ROWS = [
    (paper, table, row)
    for paper in map(paper_named, papers())
    for table in paper.tables
    for row in table.rows
]
OF_WORDS = ("stat-deid", "sibanda")


@pytest.mark.parametrize("name", papers())
def test_a_paper_says_where_it_is_from_and_why_figures_differ(name):
    paper = paper_named(name)
    assert paper.citation
    assert paper.why
    assert paper.left_out
    assert all(table.why for table in paper.tables)
    numbers = [table.number for table in paper.tables]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(("paper", "table", "row"), ROWS)
def test_each_row_can_be_measured(paper, table, row):
    assert len(row.figures) == len(table.figures)
    asks = row.asks
    if "kind" in asks:
        EntityKind(asks["kind"])
    if "role" in asks:
        PersonRole(asks["role"])
    if "like" in asks:
        assert I2B2_2014.type_for(EntityKind(asks["like"]))
    if "corpus" in asks:
        assert asks["corpus"] in CORPORA
    for system in asks.get("system", "").split("+") if "system" in asks else ():
        check_system(system, paper.name in OF_WORDS)


def check_system(system, of_words):
    name, _, features = system.partition("/")
    if of_words:
        assert name in SETTINGS or name in (DICTIONARIES, HEURISTICS)
        assert not features or feature_set(features).is_local
    elif system.startswith("token"):
        groups = token_settings().crfs[0].features.groups
        without = system.partition("-")[2]
        assert not without or set(without.split(",")) <= set(groups)
    else:
        assert system in {"rules", *SETTINGS}


@pytest.mark.parametrize(
    ("paper", "table", "row"), [each for each in ROWS if "P" in each[1].figures]
)
def test_the_f_measure_printed_is_that_of_the_precision_and_recall_printed(paper, table, row):
    named = dict(zip(table.figures, row.figures, strict=True))
    precision, recall = named["P"], named["R"]
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0.0
    rounding = 0.4 if paper.name == "sibanda" else 0.06
    assert named["F"] == pytest.approx(f1, abs=rounding)


def test_rules_of_liu_find_the_examples_of_their_table():
    patterns = patterns_in(paper_named("liu").patterns, None)
    rules = Rules(patterns, I2B2_2014)
    text = (
        "call (871) 720-9439, 171-289-0968 or 659-5187. Fax: 648-875-5821\nMR 453-39-84-4, "
        "544-84-52; gmichael@kcm.org, from 198.168.2.78"
    )
    found = rules.suggest([document(text)])[0]
    assert [(each.phi_type.name, each.span.text_in(text)) for each in found] == [
        ("PHONE", "(871) 720-9439"),
        ("PHONE", "171-289-0968"),
        ("PHONE", "659-5187"),
        ("FAX", "648-875-5821"),
        ("MEDICALRECORD", "453-39-84-4"),
        ("MEDICALRECORD", "544-84-52"),
        ("EMAIL", "gmichael@kcm.org"),
        ("IPADDR", "198.168.2.78"),
    ]


def test_tables_are_chosen_by_number_and_others_refused():
    paper = paper_named("liu")
    assert [table.number for table in chosen_tables(paper, [6, 3, 6])] == [6, 3]
    assert chosen_tables(paper, []) == paper.tables
    with pytest.raises(RequestError, match="there are 3, 4, 5, 6"):
        chosen_tables(paper, [7])
    with pytest.raises(RequestError, match="no paper"):
        paper_named("nobody")


def test_ours_stand_before_the_paper_by_test():
    printed = paper_named("he").tables[0]
    made = reproduced(printed, ("other", "same"), lambda row: [(1.0, None, 3.25), (4.0, 5.0, 6.0)])
    assert made.headers == (
        *("", "other P", "other R", "other F", "same P", "same R", "same F"),
        *("paper P", "paper R", "paper F"),
    )
    assert made.cells()[0][:6] == ("i2b2 token", "1.00", "-", "3.25", "4.00", "5.00")
    first = made.as_json()["rows"][0]
    assert first["ours"]["other"] == {"P": 1.0, "R": None, "F": 3.25}
    assert first["paper"]["F"] == 95.14
