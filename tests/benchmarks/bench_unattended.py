"""What a release without a person leaves in the clear of what a recognizer missed, and how fast.

Run it as a program: `python -m tests.benchmarks.bench_unattended [--records N] [--seed N]
[--missed P]`. The tags of fabricated patients (English, with the templates that the rules were not
made with, Spanish, German letters) are right but for a share P that is taken out at random: these
are the planted misses, ages below 90 apart, which stay in any release. Each lies then in a record
that was held back, under a mask or another tag, or in the clear. A repeat is a miss whose very text
is still tagged elsewhere in the patient's records: none of them may be in the clear. Records held
back though nothing was missed in them are the price; so are masks where no PHI is, counted by place
and as a share of all letters and digits that are no PHI. `--letters en:seventh de:ninth` takes
these sets of fabricated letters instead.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from adjudicator.release.doubt import DoubtRule, DoubtSettings
from adjudicator.release.source import SurrogateOptions
from adjudicator.release.unattended import (
    UnattendedRelease,
    make_unattended,
    schema_of_records,
)
from shared.formats.base import Record
from shared.formats.corpus import Corpus
from shared.formats.i2b2_xml import parse_record
from shared.language.languages import language
from shared.model import Document, Layer, Span, Tag
from shared.surrogates.numbers.ages import may_stay
from shared.synthetic import fabricate
from shared.synthetic.letters import fabricate_letters
from shared.synthetic.letters.sources import letter_sets
from shared.text.spelling import match_key
from tests.benchmarks.german_letters import TEST, Letters
from tests.benchmarks.spanish_notes import spanish_patients

Tagged = tuple[Document, Layer]
Miss = tuple[Document, Tag]


def main() -> None:
    parser = argparse.ArgumentParser(description="Releases without a person.")
    parser.add_argument("--records", type=int, default=1000, help="of each corpus, about")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--missed", type=float, default=0.05, help="share of tags taken out")
    parser.add_argument("--certainty", type=float, help="of what the check finds")
    parser.add_argument("--rule", type=DoubtRule, action="append")
    parser.add_argument("--show", action="store_true", help="show what is in the clear")
    parser.add_argument(
        "--letters", nargs="+", metavar="LANGUAGE:SET", help="of these sets instead"
    )
    arguments = parser.parse_args()
    print(
        "corpus      rule       records   /s  held  in vain  masked  in vain  of text  missed"
        "  found  clear  repeats"
    )
    chosen = letters_of(arguments.letters, arguments.records, arguments.seed)
    for name, tagged in chosen if arguments.letters else corpora(arguments.records, arguments.seed):
        records, missed = with_misses(tagged, arguments.missed, Random(arguments.seed))
        for rule in arguments.rule or (DoubtRule.HOLD_BACK, DoubtRule.MASK):
            settings = DoubtSettings(rule, certainty=arguments.certainty, new_ids=True)
            report(name, settings, records, missed, tagged, show=arguments.show)


def corpora(records: int, seed: int) -> Iterator[tuple[str, list[Tagged]]]:
    english = fabricate(max(1, records // 4), seed, templates="held-out")
    yield (
        "English",
        [(each, one.gold[each.record_id]) for one in english for each in one.patient.documents][
            :records
        ],
    )
    spanish = spanish_patients(max(1, records // 2), seed)
    yield "Spanish", [each for one in spanish for each in one][:records]
    yield "German", list(german_letters(records, seed))


def letters_of(sets: Sequence[str], records: int, seed: int) -> Iterator[tuple[str, list[Tagged]]]:
    """The letters of a third as many patients, who have two to four each."""
    for each in sets or ():
        code, _, name = each.partition(":")
        letters = dict(zip(map(str, letter_sets(code)), letter_sets(code), strict=True))[name]
        made = fabricate_letters(code, max(1, records // 3), seed, letters=letters)
        yield (
            each,
            [
                (document, one.gold[document.record_id])
                for one in made
                for document in one.patient.documents
            ],
        )


def german_letters(records: int, seed: int) -> Iterator[Tagged]:
    """The letters of patients, as many of each as there are templates of the test half."""
    rng = Random(seed)
    for number in range(1, records // len(TEST) + 1):
        letters = Letters(rng)
        for place, template in enumerate(TEST, start=1):
            record_id = f"{number}-{place:02}"
            read = parse_record(letters.letter(record_id, template), Path(record_id))
            yield Document(record_id, str(number), read.text), Layer.of(record_id, "", read.tags)


def with_misses(
    tagged: Sequence[Tagged], share: float, rng: Random
) -> tuple[list[Record], list[Miss]]:
    """The records without a share of their tags, and those."""
    records: list[Record] = []
    missed: list[Miss] = []
    for document, layer in tagged:
        gone = [each for each in layer.tags if rng.random() < share and matters(document, each)]
        missed += ((document, each) for each in gone)
        left = (each for each in layer.tags if each not in gone)
        records.append(Record.of(document, left))
    return records, missed


def matters(document: Document, tag: Tag) -> bool:
    """False for an age below 90, which stands in every release as it was."""
    return not (
        tag.phi_type.name == "AGE" and may_stay(tag.span.text_in(document.text), language("en"))
    )


def report(
    name: str,
    settings: DoubtSettings,
    records: list[Record],
    missed: list[Miss],
    tagged: Sequence[Tagged],
    *,
    show: bool,
) -> None:
    begun = time.process_time()
    made = make_unattended(
        Corpus(tuple(records)),
        schema_of_records(records),
        SurrogateOptions(seed=1),
        settings,
    )
    rate = len(records) / (time.process_time() - begun)
    outcomes = Counter(outcome(made, *each) for each in missed)
    clear = [each for each in missed if outcome(made, *each) == "clear"]
    repeats = [each for each in clear if is_repeat(records, *each)]
    vain = {each for _, each in made.held} - {document.record_id for document, _ in missed}
    places, share = masked_in_vain(made, tagged)
    print(
        f"{name:<11} {settings.rule:<10} {len(records):>7} {rate:>4.0f} {len(made.held):>5} "
        f"{len(vain):>8} "
        f"{made.facts.masked:>7} {places:>8} {share:>8.3%} {len(missed):>7} "
        f"{outcomes['held'] + outcomes['masked']:>6} "
        f"{len(clear):>6} {len(repeats):>8}"
    )
    types = Counter(tag.phi_type.name for _, tag in clear).most_common(8)
    print("          in the clear: " + ", ".join(f"{kind} {count}" for kind, count in types))
    for document, tag in clear if show else ():
        around = document.text[max(0, tag.start - 30) : tag.end + 20]
        print("   ", tag.phi_type.name, repr(tag.span.text_in(document.text)), repr(around))


def masked_in_vain(made: UnattendedRelease, tagged: Iterable[Tagged]) -> tuple[int, float]:
    """How many masks have no PHI under them, and the share of what is no PHI that masks cover."""
    masks = {place for each in made.settled.values() for place in each.masks}
    places = covered_letters = letters = 0
    for document, layer in tagged:
        phi = {at for tag in layer.tags for at in range(tag.start, tag.end)}
        own = [span for record_id, span in masks if record_id == document.record_id]
        places += sum(phi.isdisjoint(range(each.start, each.end)) for each in own)
        under = {at for each in own for at in range(each.start, each.end)}
        other = [at for at, char in enumerate(document.text) if char.isalnum() and at not in phi]
        letters += len(other)
        covered_letters += sum(at in under for at in other)
    return places, covered_letters / letters


def outcome(made: UnattendedRelease, document: Document, tag: Tag) -> str:
    settled = made.settled[document.patient_id]
    if document.record_id in settled.held:
        return "held"
    layer = settled.read[1][document.record_id]
    return "masked" if covered(document, tag.span, layer.tags) else "clear"


def covered(document: Document, span: Span, tags: Iterable[Tag]) -> bool:
    """Whether every letter and digit of the place is replaced."""
    taken = {at for each in tags for at in range(each.start, each.end)}
    return all(at in taken or not document.text[at].isalnum() for at in range(span.start, span.end))


def is_repeat(records: Iterable[Record], document: Document, tag: Tag) -> bool:
    words = match_key(" ".join(tag.span.text_in(document.text).split()))
    return len(words) > 2 and any(
        match_key(" ".join(other.span.text_in(each.document.text).split())) == words
        for each in records
        if each.document.patient_id == document.patient_id
        for other in each.tags
    )


if __name__ == "__main__":
    main()
