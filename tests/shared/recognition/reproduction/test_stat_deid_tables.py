import pytest

from shared.recognition.recognizer import Suggestion
from shared.recognition.reproduction import stat_deid_tables
from shared.recognition.reproduction.paper_tables import paper_named
from shared.recognition.reproduction.stat_deid_tables import StatDeidTables
from shared.recognition.reproduction.word_counts import gold_words

TABLES = {table.number: table for table in paper_named("stat-deid").tables}


def who_knows(share):
    """A system that finds every n-th tag and nothing else."""

    def read(system, training, tests, schema, seed):
        return {
            test: [
                tuple(
                    Suggestion(tag.span, tag.phi_type, 1.0, system)
                    for at, tag in enumerate(each.tags)
                    if at % share == 0
                )
                for each in records
            ]
            for test, records in tests.items()
        }

    return read


@pytest.fixture
def maker(hosts):
    return StatDeidTables(hosts, seed=1)


def rows_of(made):
    return {row.names: row.ours for row in made.rows}


@pytest.mark.parametrize("number", [4, 5, 8, 9, 10, 11, 12])
def test_who_finds_all_has_all_in_every_table(number, maker, monkeypatch):
    monkeypatch.setattr(stat_deid_tables, "read_by", who_knows(1))
    for ours in rows_of(maker.table(TABLES[number])).values():
        assert ours == ((100.0, 100.0, 100.0),) * 2


@pytest.mark.parametrize("number", [4, 10, 11])
def test_who_finds_a_half_lacks_recall_of_phi_and_precision_of_the_rest(number, maker, monkeypatch):
    monkeypatch.setattr(stat_deid_tables, "read_by", who_knows(2))
    for names, ours in rows_of(maker.table(TABLES[number])).items():
        for precision, recall, f1 in ours:
            assert (precision == 100) == (names[1] == "PHI")
            assert (recall == 100) == (names[1] == "Non-PHI")
            assert min(precision, recall) < f1 < 100


def test_recall_of_invented_words_is_theirs_alone(maker, monkeypatch):
    monkeypatch.setattr(stat_deid_tables, "read_by", who_knows(1))
    assert set(rows_of(maker.table(TABLES[13])).values()) == {((100.0,), (100.0,))}


def test_words_of_the_corpora_add_up(maker, hosts):
    sizes = rows_of(maker.table(TABLES[1]))
    test = next(iter(hosts.tests))
    corpus = maker.corpus("random")
    words = gold_words([*corpus.training, *corpus.tests[test]])
    assert sum(ours[0][0] for ours in sizes.values()) == len(words)
    assert all(ours[0][0] > 0 for ours in sizes.values())


def test_no_name_of_the_out_of_vocabulary_corpus_is_in_a_list_of_names(maker):
    listed = rows_of(maker.table(TABLES[3]))
    random, _, unknown = listed[("Patients in lists of names",)][0]
    assert unknown == 0 < random


def test_ambiguous_words_are_counted_on_both_sides(maker):
    ours = {names[0]: figures[0][0] for names, figures in rows_of(maker.table(TABLES[2])).items()}
    assert ours["Doctor"] > 0
    assert ours["Non-PHI"] > 0


def test_groups_of_features_alone_are_trained_and_read(maker):
    made = rows_of(maker.table(TABLES[16]))
    alone = made[("Lexical bigrams", "PHI")][0][2]
    assert 0 < alone < 100


def test_the_systems_are_trained_and_read(maker):
    made = rows_of(maker.table(TABLES[4]))
    assert made[("Stat De-id", "PHI")][0][2] > 40
    assert made[("H+D", "PHI")][0][2] > 20
