"""Holes in the gold standard: what was taken out is tagged elsewhere, and the check finds it."""

from collections import Counter

import pytest

from shared.errors import RequestError
from shared.synthetic import fabricate, remove_repeats
from tests.builders import exact_findings


@pytest.fixture(scope="module")
def corpus():
    return list(fabricate(30, seed=4))


def tag_count(corpus):
    return sum(len(layer.tags) for each in corpus for layer in each.gold.values())


def tagged_texts(fabricated):
    return Counter(
        " ".join(tag.span.text_in(document.text).split())
        for document in fabricated.patient.documents
        for tag in fabricated.gold[document.record_id].tags
    )


def test_so_many_tags_are_gone_and_no_others(corpus):
    holey, removed = remove_repeats(corpus, 30, seed=1)
    assert tag_count(holey) == tag_count(corpus) - 30
    assert len({(each.record_id, each.tag.id) for each in removed}) == 30


def test_their_texts_are_tagged_elsewhere_in_the_patient(corpus):
    holey, removed = remove_repeats(corpus, 200, seed=2)
    left = {each.patient.id: tagged_texts(each) for each in holey}
    documents = {d.record_id: d for each in corpus for d in each.patient.documents}
    for each in removed:
        text = " ".join(each.tag.span.text_in(documents[each.record_id].text).split())
        assert left[each.patient_id][text]


@pytest.mark.parametrize("seed", range(5))
def test_the_consistency_check_finds_them_all(corpus, seed):
    holey, removed = remove_repeats(corpus, 30, seed)
    found = {
        (finding.record_id, finding.span)
        for each in holey
        for finding in exact_findings(each.patient.documents, each.gold.values())
    }
    assert {(each.record_id, each.tag.span) for each in removed} <= found


def test_the_same_seed_takes_the_same(corpus):
    assert remove_repeats(corpus, 30, 1) == remove_repeats(corpus, 30, 1)


def test_more_than_there_are_is_refused(corpus):
    with pytest.raises(RequestError, match="fabricate more"):
        remove_repeats(corpus[:1], 5000, 1)
