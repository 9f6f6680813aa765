import pytest

from adjudicator.difference import annotator_view, context, shown_text, surroundings
from tests.adjudicator.desk import Desk


def said(first: str, second: str) -> list[str]:
    """Each side: tagged text in brackets, what differs in stars, then its types likewise."""
    on = Desk([first], [second])
    disagreement = on.open()[0]
    return [_written(annotator_view(on.view, disagreement, side)) for side in (0, 1)]


def _written(side) -> str:
    runs = [
        f"[{_starred(run.text, run.differs)}]" if run.phi_type else run.text for run in side.runs
    ]
    types = [_starred(each.phi_type.name, each.differs) for each in side.types]
    return " ".join(["".join(runs), *types]).strip()


def _starred(text: str, differs: bool) -> str:
    return f"*{text}*" if differs else text


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("[Dr. Lee|DOCTOR]", "Dr. [Lee|DOCTOR]", ["[*Dr. *][Lee] DOCTOR", "Dr. [Lee] DOCTOR"]),
        ("[Lee|DOCTOR]", "[Lee|PATIENT]", ["[Lee] *DOCTOR*", "[Lee] *PATIENT*"]),
        ("[Lee|DOCTOR]", "Lee", ["[*Lee*] *DOCTOR*", ""]),
        (
            "[Kai Lee|PATIENT]",
            "[Kai|PATIENT] [Lee|PATIENT]",
            ["[Kai][* *][Lee] PATIENT", "[Kai] [Lee] PATIENT PATIENT"],
        ),
        (
            "[Kai\nLee|PATIENT]",
            "Kai\n[Lee|DOCTOR]",
            ["[*Kai *][Lee] *PATIENT*", "Kai [Lee] *DOCTOR*"],
        ),
    ],
)
def test_what_differs_is_told_apart(first, second, wanted):
    assert said(first, second) == wanted


def test_a_very_long_tag_is_shortened():
    side = said(f"[{'x' * 500}|OTHER]", "x" * 500)[0]
    assert len(side) < 200
    assert " … " in side


def test_context_stays_within_the_record_and_on_one_line():
    on = Desk(["one", "two\n[Kai|PATIENT]\tran", "three"], ["one", "two\nKai\tran", "three"])
    assert context(on.view, on.open()[0]) == ("two ", " ran")


def test_shown_text_is_one_line():
    on = Desk(["[Kai\nLee|PATIENT]"], ["Kai\nLee"])
    assert shown_text(on.view, on.open()[0]) == "Kai Lee"


def test_context_is_cut_between_words_and_says_so():
    line = "one two three four five six seven [Kai|PATIENT] one two three four five six seven"
    on = Desk([line], [line.replace("[Kai|PATIENT]", "Kai")])
    before, after = context(on.view, on.open()[0])
    assert before == "…two three four five six seven "
    assert after == " one two three four five six …"


def test_context_is_kept_where_a_script_has_no_blanks():
    line = "患者[沈|PATIENT]先生自述夜间气促。" + "查体未见异常。" * 9 + "记录 完"
    on = Desk([line], [line.replace("[沈|PATIENT]", "沈")])
    assert context(on.view, on.open()[0]) == (
        "患者",
        "先生自述夜间气促。查体未见异常。查体未见异常。查体未见异常。查体…",
    )


def test_surroundings_reach_to_the_lines_before_and_after():
    on = Desk(["one\ntwo\n[Kai|PATIENT] ran\nthree\nfour"], ["one\ntwo\nKai ran\nthree\nfour"])
    around = surroundings(on.view, on.open()[0])
    assert around.text_in(on.view.text) == "two\nKai ran\nthree"


@pytest.mark.parametrize("words", ["[Kai|PATIENT]", "a\n[Kai|PATIENT]", "[Kai|PATIENT]\nb"])
def test_surroundings_end_with_the_record(words):
    on = Desk(["x", words, "y"], ["x", words.replace("[Kai|PATIENT]", "Kai"), "y"])
    around = surroundings(on.view, on.open()[0])
    assert around.text_in(on.view.text) == words.replace("[Kai|PATIENT]", "Kai")
