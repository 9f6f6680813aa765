"""A project whose annotators may see the gold standard, and the window of one of them."""

import pytest

from tests.annotator.comparing import compared_project


@pytest.fixture
def project(tmp_path):
    return compared_project(tmp_path)


@pytest.fixture
def window(open_window, project):
    return open_window(project)
