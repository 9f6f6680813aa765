"""What the card of a release says of attacks and use is what was measured, never less."""

from dataclasses import replace

from adjudicator.release_risk import ReleaseRisk
from adjudicator.release_statements import attack_figures, attack_statements, utility_figures
from shared.risk.attack import Attacker, AttackFigures, PlantedMiss, SuspicionCounts
from shared.risk.utility import KeptIntervals, LostF1, NewWords
from tests.builders import phi

WITH_TAGS, TEXT_ALONE, COUNTING = Attacker


def miss(*suspected_by: Attacker, held_up: bool = False) -> PlantedMiss:
    return PlantedMiss(phi("PATIENT"), held_up, frozenset(suspected_by))


def figures(*misses: PlantedMiss) -> AttackFigures:
    counts = {
        WITH_TAGS: (SuspicionCounts(4, 3, ((10, 3),)),),
        TEXT_ALONE: (SuspicionCounts(300, 1),),
        COUNTING: (SuspicionCounts(),),
    }
    return AttackFigures(misses, counts)


PLANTED = figures(
    miss(WITH_TAGS, held_up=True),
    miss(WITH_TAGS, TEXT_ALONE, held_up=True),
    miss(WITH_TAGS),
    miss(),
)
RISK = ReleaseRisk(
    (),
    7,
    {0.01: figures(), 0.05: PLANTED},
    (LostF1(0.95, 0.00123, -0.0011, 0.0042), LostF1(0.95, -0.0005, -0.0021, 0.0)),
    KeptIntervals(1234, 1200, 20, 10),
    40,
    frozenset(map(str, range(10))),
)


def said(risk: ReleaseRisk) -> str:
    return "\n".join(sentence for each in attack_statements(risk) for sentence in each.says)


def test_every_figure_stands_beside_what_it_is_of():
    text = said(RISK)
    assert "1 % left: no PHI was drawn, so nothing can be told." in text
    assert "5 % left, 4 places in all: 2 of 4 (6.7 % to 93.3 %) would have held the release" in text
    assert "2 would have gone out" in text
    assert "finds 3 of 4 (19.4 % to 99.4 %), 1 of the 2 that would have gone out, and is" in text
    assert "is right in 75 % of what is suspected" in text
    assert "finds 0 of 4 (0 % to 60.3 %), 0 of the 2 that would have gone out, and suspects" in text
    assert "3 of 4 (19.4 % to 99.4 %) stay hidden, 2 of the 2" in text
    assert "first 10 such places 30 % where 1 % had been left and 30 % where 5 %" in text


def test_a_loss_is_never_said_smaller_than_it_is():
    text = said(RISK)
    assert "it lost 0.002 (-0.002 to 0.005)" in text
    assert "released lost 0.000 (-0.003 to 0.000)" in text.replace("-0.000", "0.000")


def test_precision_is_never_said_lower_than_it_is():
    assert "is right in 0.4 % of what is suspected" in said(RISK)  # 1 of 300


def test_pairs_of_dates_that_differ_are_told_with_the_reason():
    text = said(RISK)
    assert "Of 1,234 pairs of full dates of one patient 1,200 are as many days apart" in text
    assert "20 have a date more than 90 years before" in text
    assert "10 have a date that names no day any more" in text
    assert "4 differ for no known reason" in text


def test_where_nothing_can_be_compared_the_card_says_so():
    text = said(replace(RISK, losses=None, intervals=KeptIntervals()))
    assert "there are no days between dates to compare" in text
    assert "strict F1" not in text


def test_what_was_known_by_heart_is_told_beside_the_loss():
    text = said(replace(RISK, new_words=(NewWords(400, 120, 100), NewWords(400, 390, 320))))
    assert "30.0 % of the tags with words or numbers that this one read had one that was" in text
    assert "97.5 % where they were released" in text
    assert "it found 83.3 % where they were authentic, 82.1 % where they were released" in text
    assert "by heart" not in said(RISK)
    every = replace(RISK, new_words=(NewWords(4, 0, 0), NewWords(4, 4, 1)))
    assert "0.0 % of the tags with words" in said(every)
    assert "Of those with a new one" not in said(every)
    assert "by heart" not in said(replace(every, losses=None))


def test_what_new_words_do_not_explain_is_told_beside_the_loss():
    alike = LostF1(0.9512, 0.0041, -0.0012, 0.0078, 0.0312)
    text = said(replace(RISK, alike=alike))
    assert "it would have had a strict F1 of 0.951" in text
    assert "lost 0.005 (-0.002 to 0.008), for other reasons than that its words are new" in text
    assert "3.2 % of the released tags are like none that was authentic" in text
    assert "like none" not in said(replace(RISK, alike=replace(alike, unmatched=0.0)))
    assert "for other reasons" not in said(RISK)
    told = utility_figures(replace(RISK, alike=alike))["measured_on_release_as_familiar"]
    assert told == {"f1": 0.9512, "lost": 0.0041, "interval": [-0.0012, 0.0078]}


def test_the_figures_are_those_of_the_sentences():
    (none, planted) = attack_figures(RISK)["planted"]  # type: ignore[misc]
    assert none["attackers"]["with tags"]["recall"] is None
    assert planted["held_up"] == 2
    assert planted["attackers"]["with tags"]["found"] == 3
    assert planted["attackers"]["with tags"]["found_of_unnoticed"] == 1
    assert planted["attackers"]["counting names"]["precision"] is None
    assert utility_figures(RISK)["otherwise"] == 4
    assert utility_figures(RISK)["trained_on_release"] == {
        "f1": 0.95, "lost": 0.0012, "interval": [-0.0011, 0.0042],
    }  # fmt: skip
