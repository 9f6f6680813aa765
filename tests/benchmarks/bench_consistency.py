"""What the consistency check finds of planted faults, and how long it takes.

Run it as a program: `python tests/benchmarks/bench_consistency.py [--seed N]`. The first tables
plant faults in 296 fabricated patients (1,304 records): 500 tags removed whose text is tagged
elsewhere, 200 names misspelt, 200 dates, phones and ids reformatted, the last two left untagged;
once with the templates that the rules were made with, once with held-out ones. A finding is real
where it touches a planted place. Then come 26 faults of kinds that reviewers planted, of which a
check had found 16, in a patient each, over ten seeds (`planted_faults.py`): found in place, flagged
elsewhere alone, missed, and what was found in patients without a fault. The last table gives
seconds of one processor, the best of
three, on corpora with every tenth tag that repeats another taken out, beside the naive way (a
regular expression for every tagged text over every record of the patient) and beside reading every
word once. Whole processes beside the plainest script, which is much quicker: `bench_check.py`.
"""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from planted import Planted, plant

sys.path.insert(0, str(Path(__file__).parents[2]))

from shared.consistency.check import check_patient
from shared.consistency.findings import (
    EXACT_KINDS,
    TAG_KINDS,
    Finding,
    FindingKind,
)
from shared.consistency.guideline_rules import check_tag
from shared.consistency.misspellings import small_words
from shared.consistency.patient_records import PatientRecords
from shared.model import Document, Layer
from shared.model.i2b2_2014 import I2B2_2014
from shared.synthetic import FabricatedPatient, fabricate, remove_repeats
from shared.synthetic.pools import Templates
from tests.benchmarks.planted_faults import Fault, clean, faults

PATIENTS, RECORDS = 296, 1304
SIZES = ((3, 10), (30, 130), (296, 1304), (2960, 13040))
NAIVE_UP_TO = 1304
REPEATS = EXACT_KINDS | {FindingKind.OTHER_CASE}
UNTAGGED = frozenset(FindingKind) - TAG_KINDS - {FindingKind.LOOKALIKE}

PatientTags = tuple[Sequence[Document], Sequence[Layer]]


def tags_of(patients: Sequence[FabricatedPatient]) -> list[PatientTags]:
    return [(each.patient.documents, tuple(each.gold.values())) for each in patients]


def engine(patients: Sequence[PatientTags], kinds: frozenset[FindingKind]) -> list[Finding]:
    near = FindingKind.NEAR_SPELLING in kinds
    texts = (text.text for documents, _ in patients for text in documents)
    common = small_words(texts) if near else None
    return [
        finding
        for documents, layers in patients
        for finding in check_patient(
            PatientRecords(documents, layers, I2B2_2014), kinds, common=common
        )
    ]


def show(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    for row in (headers, *rows):
        print(f"{row[0]!s:<16}" + "".join(f"{cell!s:>12}" for cell in row[1:]))
    print()


def show_found(templates: Templates, seed: int) -> None:
    whole = fabricate(PATIENTS, seed, records=RECORDS, templates=templates)
    patients, planted = plant(whole, 500, 200, 200, seed)
    findings = engine(tags_of(patients), frozenset(FindingKind))
    real = {number for each in planted for number in touching(each, findings)}
    print(f"{templates} templates, seed {seed}: {len(findings)} findings")
    rows: list[Sequence[object]] = []
    for sort in ("removed", "misspelt", "reformatted"):
        there = [each for each in planted if each.sort == sort]
        found = [each for each in there if touching(each, findings)]
        exact = [
            each
            for each in found
            if any(findings[at].span == each.span for at in touching(each, findings))
        ]
        rows.append((sort, len(there), len(found), share(len(found), len(there)), len(exact)))
    show(("planted", "places", "found", "recall", "exact span"), rows)
    kinds = Counter(each.kind for each in findings)
    right = Counter(findings[at].kind for at in real)
    rows = [
        (kind.value, kinds[kind], right[kind], share(right[kind], kinds[kind]))
        for kind in FindingKind
        if kinds[kind]
    ]
    rows.append(("all", len(findings), len(real), share(len(real), len(findings))))
    show(("kind", "findings", "real", "share"), rows)


def show_faults(seeds: range) -> None:
    rows: list[Sequence[object]] = []
    for spoken, templates in (("en", "standard"), ("en", "held-out"), ("es", "standard")):
        outcomes, alarms = Counter[str](), 0
        for seed in seeds:
            outcomes.update(outcome(each) for each in faults(seed, spoken, templates))
            whole = [tuple(zip(*each, strict=True)) for each in clean(26, seed, spoken, templates)]
            alarms += len(engine(whole, frozenset(FindingKind)))
        means = [f"{outcomes[name] / len(seeds):.1f}" for name in ("place", "twin", "missed")]
        rows.append((f"{spoken} {templates}", *means, f"{alarms / len(seeds):.1f}"))
    show(("26 faults", "in place", "at a twin", "missed", "on clean"), rows)


def outcome(fault: Fault) -> str:
    documents, layers = zip(*fault.records, strict=True)
    found = check_patient(PatientRecords(documents, layers, I2B2_2014))
    if any(each.record_id == fault.record_id and each.span.overlaps(fault.span) for each in found):
        return "place"
    texts = {" ".join(each.text.split()).casefold() for each in found}
    return "twin" if fault.about.casefold() in texts else "missed"


def touching(planted: Planted, findings: Sequence[Finding]) -> list[int]:
    return [
        at
        for at, each in enumerate(findings)
        if each.record_id == planted.record_id and each.span.overlaps(planted.span)
    ]


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def naive(patients: Sequence[PatientTags]) -> int:
    """Count untagged hits of one pattern after the other, for every tagged text of a patient."""
    found = 0
    for documents, layers in patients:
        texts = {each.record_id: each.text for each in documents}
        spans = {each.record_id: [tag.span for tag in each.tags] for each in layers}
        phrases = {span.text_in(texts[name]) for name, some in spans.items() for span in some}
        for phrase in phrases:
            words = r"\s+".join(map(re.escape, phrase.split()))
            pattern = re.compile(rf"(?<!\w){words}(?!\w)")
            for name, text in texts.items():
                found += sum(
                    all(span.end <= hit.start() or hit.end() <= span.start for span in spans[name])
                    for hit in pattern.finditer(text)
                )
    return found


def read_once(patients: Sequence[PatientTags]) -> int:
    """The least that any way has to do: look at every word once."""
    word = re.compile(r"\w+")
    return sum(len(word.findall(text.text)) for documents, _ in patients for text in documents)


def best(action: Callable[[], object], times: int = 3) -> float:
    figures: list[float] = []
    for _ in range(times):
        begun = time.process_time()
        action()
        figures.append(time.process_time() - begun)
    return min(figures)


def show_times(largest: int) -> None:
    rows: list[Sequence[object]] = []
    for patients, records in SIZES:
        if records > largest:
            break
        whole = list(fabricate(patients, 1, records=records))
        holed, _ = remove_repeats(whole, records, 1)
        some = tags_of(holed)
        tags = sum(len(layer.tags) for _, layers in some for layer in layers)
        exact = best(lambda some=some: engine(some, EXACT_KINDS))
        cased = best(lambda some=some: engine(some, REPEATS))
        untagged = best(lambda some=some: engine(some, UNTAGGED))
        everything = best(lambda some=some: engine(some, frozenset(FindingKind)))
        read = best(lambda some=some: read_once(some))
        slow = best(lambda some=some: naive(some), 1) if records <= NAIVE_UP_TO else None
        rows.append(
            (
                records,
                tags,
                f"{exact:.3f}",
                f"{cased:.3f}",
                f"{untagged:.3f}",
                f"{everything:.3f}",
                f"{everything / records * 1e6:.0f} µs",
                f"{slow:.2f}" if slow else "",
                f"{slow / exact:.0f}" if slow else "",
                f"{read:.3f}",
                f"{exact / read:.1f}",
            )
        )
    show(
        (
            "records",
            "tags",
            "exact",
            "any case",
            "untagged",
            "all kinds",
            "per record",
            "naive",
            "/ exact",
            "read once",
            "exact /",
        ),
        rows,
    )


def show_one_tag() -> None:
    """How long the guidelines take for one edit."""
    (fabricated,) = fabricate(1, 1)
    pairs = [
        (document.text, tag)
        for document in fabricated.patient.documents
        for tag in fabricated.gold[document.record_id].tags
    ]
    seconds = best(lambda: [check_tag(text, tag, I2B2_2014) for text, tag in pairs])
    print(f"guidelines for one tag: {seconds / len(pairs) * 1e6:.0f} µs")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=13040, help="most records to be timed")
    arguments = parser.parse_args()
    show_found("standard", arguments.seed)
    show_found("held-out", arguments.seed)
    show_faults(range(arguments.seed, arguments.seed + 10))
    show_one_tag()
    show_times(arguments.largest)


if __name__ == "__main__":
    main()
