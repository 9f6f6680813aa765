"""How fast patients are fabricated, how near the corpus of the paper, and how annotators fail.

Run it as a program: `python tests/benchmarks/bench_synthetic.py [standard|held-out]`. The figures
beside ours are those of tables 2 and 3 of Stubbs and Uzuner (2015).
"""

import sys
import time
from collections import Counter

from shared.agreement.comparison import Comparison
from shared.agreement.measures import STRICT, TOKEN, score
from shared.synthetic import FabricatedPatient, annotate, fabricate
from shared.synthetic.pools import Templates

PATIENTS, RECORDS = 296, 1304
TAGS_PER_RECORD, TOKENS_PER_RECORD = 22.14, 617.4
TABLE_2 = {STRICT: 0.895, TOKEN: 0.930}
TABLE_3 = {
    "DATE": 12487,
    "DOCTOR": 4797,
    "HOSPITAL": 2312,
    "PATIENT": 2195,
    "AGE": 1997,
    "MEDICALRECORD": 1033,
    "CITY": 654,
    "PHONE": 524,
    "STATE": 504,
    "IDNUM": 456,
    "PROFESSION": 413,
    "USERNAME": 356,
    "STREET": 352,
    "ZIP": 352,
    "ORGANIZATION": 206,
    "COUNTRY": 183,
}
ALL_TAGS = 28872


def show_corpus(corpus: list[FabricatedPatient], seconds: float) -> None:
    texts = [document.text for each in corpus for document in each.patient.documents]
    counts = Counter(
        tag.phi_type.name for each in corpus for layer in each.gold.values() for tag in layer.tags
    )
    tokens = sum(len(text.split()) for text in texts)
    print(f"{len(texts)} records in {seconds:.2f} s, {len(texts) / seconds:.0f} a second")
    print(f"tokens a record {tokens / len(texts):6.1f}   paper {TOKENS_PER_RECORD}")
    print(f"PHI a record    {counts.total() / len(texts):6.2f}   paper {TAGS_PER_RECORD}\n")
    print(f"{'type':16}{'tags':>7}{'share':>8}{'paper':>8}")
    for name, count in counts.most_common():
        paper = f"{TABLE_3[name] / ALL_TAGS:8.2%}" if name in TABLE_3 else f"{'<0.1%':>8}"
        print(f"{name:16}{count:7}{count / counts.total():8.2%}{paper}")


def show_annotator(corpus: list[FabricatedPatient], name: str) -> None:
    comparisons: list[Comparison] = []
    for each in corpus:
        layers = annotate(each, name, seed=1)
        for document in each.patient.documents:
            record_id = document.record_id
            tags = layers[record_id].tags, each.gold[record_id].tags
            comparisons.append(Comparison(document, *tags))
    for measure, paper in TABLE_2.items():
        found = score(comparisons, measure).micro.ratios
        print(
            f"{name} {measure:7} precision {found.precision:.3f}  recall {found.recall:.3f}  "
            f"F1 {found.f1:.3f}   paper {paper:.3f}"
        )


def main() -> None:
    templates: Templates = "held-out" if "held-out" in sys.argv[1:] else "standard"
    start = time.perf_counter()
    corpus = list(fabricate(PATIENTS, seed=1, records=RECORDS, templates=templates))
    show_corpus(corpus, time.perf_counter() - start)
    print()
    for name in ("ana", "ben"):
        show_annotator(corpus, name)


if __name__ == "__main__":
    main()
