"""How long the consistency check takes, beside the naive way and beside reading the text once.

Run it as a program: `python tests/benchmarks/bench_consistency.py`. The records are fabricated, as
many as the 2014 corpus had, a tenth, and ten times as many; every tenth tag that repeats the text
of another is taken out. The naive way is a regular expression for every tagged text over every
record of the patient; it runs on the smaller sizes only. Figures are seconds, the best of three.
"""

import re
import time
from collections.abc import Callable, Sequence

from shared.consistency.exact import check_patient
from shared.consistency.findings import Finding
from shared.model import Document, Layer
from shared.synthetic import fabricate
from shared.synthetic.repeats import remove_repeats

SIZES = ((3, 10), (30, 130), (296, 1304), (2960, 13040))
NAIVE_UP_TO = 1304

PatientTags = tuple[Sequence[Document], Sequence[Layer]]


def corpus(patients: int, records: int) -> list[PatientTags]:
    whole = list(fabricate(patients, 1, records=records))
    holed, _ = remove_repeats(whole, records, 1)
    return [(each.patient.documents, tuple(each.gold.values())) for each in holed]


def engine(patients: Sequence[PatientTags]) -> list[Finding]:
    return [finding for each in patients for finding in check_patient(*each)]


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
        begun = time.perf_counter()
        action()
        figures.append(time.perf_counter() - begun)
    return min(figures)


def main() -> None:
    columns = (
        "records",
        "tags",
        "findings",
        "check",
        "per record",
        "naive",
        "times",
        "read",
        "times",
    )
    print("".join(f"{column:>12}" for column in columns))
    for patients, records in SIZES:
        some = corpus(patients, records)
        tags = sum(len(layer.tags) for _, layers in some for layer in layers)
        check = best(lambda some=some: engine(some))
        read = best(lambda some=some: read_once(some))
        row = [f"{records}", f"{tags}", f"{len(engine(some))}", f"{check:.3f}"]
        row.append(f"{check / records * 1e6:.0f} µs")
        if records <= NAIVE_UP_TO:
            slow = best(lambda some=some: naive(some), 1)
            row += [f"{slow:.2f}", f"{slow / check:.0f}"]
        else:
            row += ["", ""]
        row += [f"{read:.3f}", f"{check / read:.1f}"]
        print("".join(f"{cell:>12}" for cell in row))


if __name__ == "__main__":
    main()
