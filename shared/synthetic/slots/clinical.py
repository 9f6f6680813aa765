"""Numbers, tables of results, problems and medicines: no PHI but the dates over tables."""

from datetime import timedelta
from functools import cache

from shared.synthetic.dates import write_date
from shared.synthetic.scene import Scene, SlotWriter
from shared.synthetic.slots.times import DATE
from shared.synthetic.template import Template

_TOLD_RATE = 0.38
"""How often a list of problems says more than the name of one."""

_TESTS = (
    ("WBC", 3.8, 17.5, 1, "th/cmm"),
    ("HGB", 8.1, 15.9, 1, "gm/dl"),
    ("HCT", 24.0, 46.0, 1, "%"),
    ("PLT", 98, 420, 0, "th/cumm"),
    ("NA", 129, 146, 0, "mmol/L"),
    ("K", 3.2, 5.4, 1, "mmol/L"),
    ("CL", 95, 110, 0, "mmol/L"),
    ("CO2", 19, 31, 0, "mmol/L"),
    ("BUN", 8, 58, 0, "mg/dl"),
    ("CRE", 0.6, 3.1, 1, "mg/dl"),
    ("GLU", 71, 319, 0, "mg/dl"),
    ("CA", 8.0, 10.4, 1, "mg/dl"),
    ("MG", 1.4, 2.4, 1, "mg/dl"),
    ("ALB", 2.4, 4.6, 1, "g/dl"),
    ("INR", 0.9, 3.6, 1, ""),
    ("HGBA1C", 5.4, 10.9, 1, "%"),
    ("TSH", 0.2, 6.1, 2, "uU/ml"),
)


def _number(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{n 60-99}` a number of the range with as many decimals as it is written with.

    A name before it makes it a fact of the story: `{n cad.grafts@2-4}`.
    """
    name, _, limits = arguments[0].rpartition("@")
    low, high, decimals = _range(limits)

    def draw() -> str:
        return f"{scene.rng.uniform(low, high):.{decimals}f}"

    scene.text(scene.fact(name, draw) if name else draw())


@cache
def _range(limits: str) -> tuple[float, float, int]:
    low, high = limits.split("-")
    return float(low), float(high), len(low.partition(".")[2])


def _fact(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{fact hip.side left right}`: one of the words, the same in all records of the patient."""
    name, *words = arguments
    scene.text(scene.fact(name, lambda: scene.rng.choice(words)).replace("_", " "))


def _laboratory(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{labs table}` results under dates, `{labs inline}` results in a sentence."""
    tests = sorted(scene.rng.sample(range(len(_TESTS)), scene.rng.randint(6, 11)))
    if arguments[0] == "inline":
        for position, test in enumerate(tests):
            name, low, high, decimals, _ = _TESTS[test]
            value = f"{scene.rng.uniform(low, high):.{decimals}f}"
            scene.text(f"{', ' if position else ''}{name} {value}")
        return
    columns = scene.rng.choice((1, 1, 1, 1, 2, 2, 3))
    _table_head(scene, columns)
    for test in tests:
        _table_row(scene, test, columns)


def _table_head(scene: Scene, columns: int) -> None:
    form = scene.visit.date_form if scene.rng.random() < 0.75 else "md"
    back = scene.rng.choice((1, 1, 2, 30, 90))
    for column in range(columns):
        day = scene.visit.today - timedelta(days=column * back)
        scene.builder.pad_to(10 + 13 * column)
        written = write_date(day, form, scene.rng)
        scene.phi(written.text, DATE, days=written.days)
    scene.text("\n")


def _table_row(scene: Scene, test: int, columns: int) -> None:
    name, low, high, decimals, unit = _TESTS[test]
    scene.text(name)
    usual = scene.rng.uniform(low + 0.1 * (high - low), high - 0.1 * (high - low))
    for column in range(columns):
        scene.builder.pad_to(10 + 13 * column)
        value = min(high, max(low, usual + scene.rng.gauss(0, 0.08) * (high - low)))
        outlier = value > low + 0.8 * (high - low)
        scene.text(f"{value:.{decimals}f}{'(H)' if outlier else ''}")
    scene.builder.pad_to(11 + 13 * columns)
    scene.text(f"{unit}\n" if unit else "\n")


def _problems(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{problems #}`: a line of history for each illness of the patient, in the manner of lists."""
    rules = (
        f"{name}.{'pmh' if scene.rng.random() < _TOLD_RATE else 'name'}"
        for name in scene.story.conditions
    )
    scene.write_list(arguments[0], [scene.pick(rule) for rule in rules])


def _medicines(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{medicines #}`: what the patient takes, the same in every record."""
    if not scene.story.medicines:
        scene.story.medicines = _drawn_medicines(scene)
    scene.write_list(arguments[0], scene.story.medicines)


def _drawn_medicines(scene: Scene) -> list[Template]:
    names = [f"{name}.meds" for name in scene.story.conditions]
    rules = [name for name in names if scene.has_rule(name) for _ in range(2)]
    rules += ["any.meds"] * scene.rng.randint(2, 5)
    return list(dict.fromkeys(scene.pick(rule) for rule in rules))


CLINICAL_SLOTS: dict[str, SlotWriter] = {
    "n": _number,
    "fact": _fact,
    "labs": _laboratory,
    "problems": _problems,
    "medicines": _medicines,
    "stay": lambda scene, _: scene.text(str((scene.visit.today - scene.visit.admitted).days + 1)),
    "nl": lambda scene, _: scene.text("\n"),
    "^": lambda scene, _: scene.builder.capitalise_next(),
    "an": lambda scene, _: scene.builder.article_next(),
    "tab": lambda scene, arguments: scene.builder.pad_to(int(arguments[0])),
    "line": lambda scene, arguments: scene.text(arguments[1] * int(arguments[0])),
}
