"""Simulated annotators fail as often as those of the paper, and in its ways."""

from collections import Counter

import pytest

from shared.agreement.comparison import Comparison
from shared.agreement.measures import STRICT, TOKEN, score
from shared.model import Origin
from shared.synthetic import annotate, fabricate


@pytest.fixture(scope="module")
def corpus():
    return list(fabricate(60, seed=2))


@pytest.fixture(scope="module")
def layers(corpus):
    return {
        name: {k: v for each in corpus for k, v in annotate(each, name, seed=1).items()}
        for name in ("ana", "ben")
    }


def comparisons(corpus, layers):
    return [
        Comparison(document, layers[document.record_id].tags, each.gold[document.record_id].tags)
        for each in corpus
        for document in each.patient.documents
    ]


def test_the_same_seed_gives_the_same_layers(corpus):
    assert annotate(corpus[0], "ana", 1) == annotate(corpus[0], "ana", 1)


def test_two_annotators_fail_in_different_places(corpus):
    marks = [
        {tag.mark for layer in annotate(corpus[0], name, 1).values() for tag in layer.tags}
        for name in ("ana", "ben")
    ]
    assert marks[0] != marks[1]


def test_layers_name_their_annotator_and_record(corpus):
    found = annotate(corpus[0], "ana", 1)
    assert list(found) == [each.record_id for each in corpus[0].patient.documents]
    assert {layer.annotator for layer in found.values()} == {"ana"}


@pytest.mark.parametrize("name", ["ana", "ben"])
def test_agreement_with_the_gold_standard_is_that_of_table_2(corpus, layers, name):
    compared = comparisons(corpus, layers[name])
    strict, token = score(compared, STRICT), score(compared, TOKEN)
    assert strict.micro.ratios.f1 == pytest.approx(0.895, abs=0.02)
    assert token.micro.ratios.f1 == pytest.approx(0.930, abs=0.02)


def test_the_faults_of_the_paper_occur(corpus, layers):
    faults = Counter()
    for each in corpus:
        for document in each.patient.documents:
            gold = each.gold[document.record_id].tags
            marks = {tag.mark for tag in gold}
            spans = {tag.span: tag.phi_type for tag in gold}
            for tag in layers["ana"][document.record_id].tags:
                text = tag.span.text_in(document.text)
                if tag.mark in marks:
                    continue
                if tag.span in spans:
                    faults[f"{spans[tag.span].category} as {tag.phi_type.category}"] += 1
                for name in ("2/2", "OSH", "Dr. ", "'s"):
                    faults[name] += name in text
                faults["point"] += text.endswith(".")
    assert all(
        faults[name] for name in ("ID as ID", "LOCATION as LOCATION", "2/2", "OSH", "Dr. ", "point")
    )


def test_tags_of_a_layer_do_not_overlap(layers):
    for layer in layers["ana"].values():
        ends = [0, *(tag.end for tag in layer.tags)]
        assert all(tag.start >= end for tag, end in zip(layer.tags, ends, strict=False))


def test_repeats_are_tagged_in_one_go(layers):
    origins = Counter(tag.origin for layer in layers["ana"].values() for tag in layer.tags)
    assert set(origins) == {Origin.HAND, Origin.ANNOTATE_ALL}
    assert 0.05 < origins[Origin.ANNOTATE_ALL] / origins.total() < 0.5
