"""A few changes of the disk that fail; `fail_at_each_change` goes through all of them."""

import os

import pytest

from tests.end_to_end.fail_at_each_change import main

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="what fails is a copy of a process"),
    pytest.mark.slow,
    pytest.mark.timeout(900),
]


@pytest.mark.parametrize("what", ["annotation", "adjudication", "collect", "surrogate"])
def test_nothing_is_lost(what):
    assert main(["--what", what, "--most", "12"]) == 0
