from shared.widgets.findings.finding_pane import FindingPane


def test_a_longer_count_makes_the_pane_no_wider(qtbot):
    pane = FindingPane()
    qtbot.addWidget(pane)
    before = pane.minimumSizeHint().width()
    pane.show_findings((), waiting=1_000_000_000_000_000_000)
    assert "wait for a decision" in pane.summary
    assert pane.minimumSizeHint().width() == before
