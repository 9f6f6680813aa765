"""What a network is trained on, as numbers."""

from random import Random

import numpy as np

from shared.recognition.neural.batches import (
    LEAST_BATCHES,
    LEAST_TOKENS,
    MOST_TOKENS,
    BatchMaker,
    LabelledTokens,
    training_tokens,
)

NAME = "NAME:PATIENT"


def labelled(words, tagged=(), lines=1):
    """A document of lines of as many words each, one segment a line."""
    words = words.split()
    size = len(words) // lines
    labels = [f"S-{NAME}" if at in tagged else "O" for at in range(len(words))]
    attributes = [[f"w={word}", "all"] for word in words]
    return LabelledTokens(
        attributes, words, labels, [[(at, at + size)] for at in range(0, len(words), size)]
    )


def maker(*documents, negatives=1.0, dropout=0.0, rare=1):
    return BatchMaker(training_tokens(iter(documents), rare), negatives, dropout, margin=2)


def one_batch(made, seed=1):
    (batch,) = made.batches(Random(seed))
    return batch


def names_of(batch, made):
    """The attributes of each row by their names."""
    names = list(made.tokens.attributes)
    ends = [*batch.offsets[1:], len(batch.attributes)]
    return [
        [names[each] for each in batch.attributes[first:last]]
        for first, last in zip(batch.offsets, ends, strict=True)
    ]


def test_pieces_lie_one_after_the_other_with_empty_rows_around_each():
    made = maker(labelled("Ann b", {0}), labelled("b c", {1}))
    batch = one_batch(made)

    assert batch.is_token.tolist() == [0, 0, 1, 1, 0, 0, 1, 1, 0, 0]
    assert [each for each in names_of(batch, made) if each] in (
        [["w=Ann", "all"], ["w=b", "all"], ["w=b", "all"], ["w=c", "all"]],
        [["w=b", "all"], ["w=c", "all"], ["w=Ann", "all"], ["w=b", "all"]],
    )
    assert sorted(batch.segments) == [(2, 4), (6, 8)]
    tagged = made.tokens.labels.index(f"S-{NAME}")
    assert sorted(np.flatnonzero(batch.labels == tagged).tolist()) in ([2, 7], [3, 6])
    assert len(batch.letters) == 3


def test_labels_are_all_that_a_tag_may_need():
    assert maker(labelled("Ann b", {0})).tokens.labels == (
        *("O", f"B-{NAME}", f"I-{NAME}", f"E-{NAME}", f"S-{NAME}"),
    )


def test_lines_far_from_phi_are_left_out_but_for_a_share():
    one = labelled("a b c d e f g h i j", {4}, lines=5)
    none, whole = (one_batch(maker(one, negatives=share)) for share in (0.0, 1.0))

    assert int(none.is_token.sum()) == 6  # the line with a tag, and the one on each side
    assert int(whole.is_token.sum()) == 10


def test_rare_attributes_are_left_out():
    made = maker(labelled("Ann b", {0}), labelled("b c"), rare=2)

    assert set(made.tokens.attributes) == {"all", "w=b"}
    found = names_of(one_batch(made), made)
    assert sorted(map(tuple, filter(None, found))) == [
        ("all",), ("all",), ("w=b", "all"), ("w=b", "all"),
    ]  # fmt: skip


def test_attributes_of_particular_words_are_missed_by_chance_and_no_others():
    made = maker(labelled("a " * 400 + "Ann", {400}), dropout=0.5)
    found = [name for of_row in names_of(one_batch(made), made) for name in of_row]

    assert found.count("all") == 401
    assert 140 < found.count("w=a") < 260


def test_the_same_chance_makes_the_same_batches():
    documents = [labelled(f"Ann b{n} c d", {0}, lines=2) for n in range(40)]
    first, again, other = (
        [batch.attributes.tolist() for batch in maker(*documents, dropout=0.3).batches(Random(n))]
        for n in (1, 1, 2)
    )

    assert first == again != other


def test_few_records_are_cut_into_many_batches_and_many_into_large_ones():
    few = maker(*[labelled("Ann " + "b " * 99, {0})] * 120)
    many = maker(*[labelled("Ann " + "b " * 999, {0})] * 150)

    assert few.tokens_of_batch == 120 * 100 // LEAST_BATCHES
    assert len(list(few.batches(Random(1)))) == few.batches_of_epoch == 30
    assert many.tokens_of_batch == MOST_TOKENS
    assert maker(labelled("Ann", {0})).tokens_of_batch == LEAST_TOKENS


def test_a_long_document_is_cut_between_lines():
    made = maker(labelled("Ann " * 9000, {0}, lines=9))

    assert [sum(map(len, each)) for each in made.tokens.pieces] == [4000, 4000, 1000]
    assert sum(batch.is_token.sum() for batch in made.batches(Random(1))) == 9000
