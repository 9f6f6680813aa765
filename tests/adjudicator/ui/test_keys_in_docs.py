"""README and guidelines name no key that no window has."""

import re
from pathlib import Path

import pytest

from adjudicator.ui.actions import action_table as adjudication_table
from annotator.ui.actions import action_table as annotation_table
from guidelines import guideline_text
from shared.model.i2b2_2014 import I2B2_2014

KEY = re.compile(r"\b((?:(?:Ctrl|Alt|Shift)\+)+(?:[A-Z]|F\d+|Enter|Return)|F\d+)\b")
OF_THE_RELEASE_WINDOW = {"Shift+F2", "Shift+H"}
ROOT = Path(__file__).parents[3]
README, RELEASE = ROOT / "README.md", ROOT / "manual" / "release.md"
GUIDELINES = ("annotation_guidelines", "adjudication_guidelines")


@pytest.mark.parametrize(
    "text",
    [README.read_text("utf-8"), RELEASE.read_text("utf-8"), *map(guideline_text, GUIDELINES)],
    ids=["README", "release", *GUIDELINES],
)
def test_every_key_that_is_named_is_there(text: str):
    tables = annotation_table(I2B2_2014), adjudication_table(I2B2_2014)
    there = {key for table in tables for spec in table for key in spec.shortcuts}
    named = {key.replace("Enter", "Return") for key in KEY.findall(text)}
    assert named
    assert named <= there | OF_THE_RELEASE_WINDOW
