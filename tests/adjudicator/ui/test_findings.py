"""The findings of the gold standard and the read-through, by real keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QTableView

from adjudicator.session import AdjudicationSession
from shared.consistency.dismissals import dismissals_path
from shared.errors import RequestError
from shared.project.journal import read_journal
from shared.widgets.findings.finding_pane import FindingPane
from shared.widgets.findings.finding_service import FindingService
from tests.adjudicator.projects import make_project
from tests.places import dismiss, hint, take_list

REPEATS = "[Yamamoto|DOCTOR] came. Later Yamamoto left, and Yamamoto rang."


@pytest.fixture
def hand(open_window, tmp_path, qtbot):
    """A patient without disagreements, two of whose repeats nobody tagged."""
    hand = open_window(make_project(tmp_path, [REPEATS], [REPEATS]))
    qtbot.waitUntil(lambda: found(hand) == ["Yamamoto", "Yamamoto"], timeout=20_000)
    return hand


def pane(hand) -> FindingPane:
    return hand.window.findChild(FindingPane)


def table(hand) -> QTableView:
    return hand.window.findChild(QTableView, "findingTable")


def found(hand) -> list[str]:
    return [each.text for each in pane(hand).model.all_rows]


def count(hand) -> str:
    return hand.window.findChild(QLabel, "findingCount").text()


def test_the_reason_is_said(hand):
    assert hand.window.findChild(QLabel, "findingWhy").text().endswith("sure).")
    assert count(hand) == "2 findings"


def test_one_is_mended_and_gone(hand, qtbot):
    hand.press("F3", "Ctrl+M")
    assert hand.gold() == [("Yamamoto", "DOCTOR")] * 2
    assert found(hand) == ["Yamamoto"]
    assert hand.said == "Fixed; Ctrl+Z undoes it."


def test_all_alike_are_one_step(hand, qtbot):
    hand.press("F3", "Ctrl+Shift+M")
    assert take_list(hand.window) == 2
    assert len(hand.gold()) == 3
    qtbot.waitUntil(lambda: count(hand) == "No findings", timeout=20_000)
    hand.press("Ctrl+Z")
    assert len(hand.gold()) == 1
    qtbot.waitUntil(lambda: len(found(hand)) == 2, timeout=20_000)


def test_a_mended_tag_is_shown(hand):
    hand.press("F3", "Ctrl+M")
    assert [each.label for each in hand.window.view.marks()].count("DOCTOR") == 2


def test_walking_shows_the_place(hand):
    hand.press("F3", "F3")
    second = hand.window.view.selected_span()
    hand.press("Shift+F3")
    assert hand.window.view.selected_span().start < second.start


def test_one_is_dismissed_with_a_reason_and_stays_away(hand, qtbot):
    hand.press("F3", "Ctrl+I")
    dismiss(hand.window, "a street")
    (entry,) = read_journal(dismissals_path(hand.window.session.project.root, "gold"))
    assert (entry["reason"], entry["who"], entry["layer"]) == ("a street", "carol", "gold")
    hand.press("F5")
    qtbot.waitUntil(lambda: len(found(hand)) == 1, timeout=20_000)
    assert hand.window.view.hasFocus()


def test_dismissals_cut_in_the_middle_of_a_line_are_passed_over(hand, qtbot):
    path = dismissals_path(hand.window.session.project.root, "gold")
    path.parent.mkdir()
    path.write_text('{"record":"110-01","sta')
    hand.press("F3", "Ctrl+I")
    dismiss(hand.window)
    hand.press("F5")
    qtbot.waitUntil(lambda: hand.said == "Checked again: 1 finding.", timeout=20_000)
    assert len(read_journal(path)) == 1


def test_esc_dismisses_nothing(hand):
    hand.press("F3", "Ctrl+I")
    QTest.keyClick(hand.window.findChild(QLineEdit, "dismissalReason"), Qt.Key.Key_Escape)
    assert len(found(hand)) == 2
    assert hand.window.view.hasFocus()


def test_enter_in_the_list_mends(hand):
    hand.press("F3")
    table(hand).setFocus()
    QTest.keyClick(table(hand), Qt.Key.Key_Return)
    assert len(hand.gold()) == 2


def test_the_filter_narrows(hand):
    hand.window.findChild(QLineEdit, "findingFilter").setText("nobody")
    assert table(hand).model().rowCount() == 0


def test_what_waits_for_a_decision_is_in_the_other_list(open_window, tmp_path, qtbot):
    first = "[Yamamoto|DOCTOR] came. Later [Yamamoto|DOCTOR] left."
    second = "[Yamamoto|DOCTOR] came. Later Yamamoto left."
    hand = open_window(make_project(tmp_path, [first], [second]))
    qtbot.waitUntil(lambda: "1 more wait" in count(hand), timeout=20_000)
    assert found(hand) == []
    hand.press("0")
    qtbot.waitUntil(lambda: found(hand) == ["Yamamoto"], timeout=20_000)


def test_once_everything_is_decided_they_come_next(open_window, tmp_path, qtbot):
    first = "[Yamamoto|DOCTOR] came. Later Yamamoto left. [Kai|PATIENT] rang."
    second = "[Yamamoto|DOCTOR] came. Later Yamamoto left. Kai rang."
    hand = open_window(make_project(tmp_path, [first], [second]))
    qtbot.waitUntil(lambda: found(hand) == ["Yamamoto"], timeout=20_000)
    assert pane(hand).visibleRegion().isEmpty()
    hand.press("1")
    qtbot.waitUntil(
        lambda: hand.said.startswith("Everything is decided, 1 finding is left"), timeout=20_000
    )
    assert not pane(hand).visibleRegion().isEmpty()
    assert hand.window.view.hasFocus()


def test_a_faulty_edge_is_mended_in_place(open_window, tmp_path, qtbot):
    source = "Seen by [Yamamoto,|DOCTOR] today."
    hand = open_window(make_project(tmp_path, [source], [source]))
    qtbot.waitUntil(lambda: found(hand) == ["Yamamoto,"], timeout=20_000)
    hand.press("F3", "Ctrl+M")
    assert hand.gold() == [("Yamamoto", "DOCTOR")]


def test_patient_done_asks_once_while_findings_are_left(hand):
    hand.press("Ctrl+D")
    assert hand.banner.startswith("2 findings are left.")
    hand.press("Ctrl+D")
    assert hand.banner.startswith("Patient 110 is done.")


def test_patient_done_asks_again_when_something_else_is_left(hand, qtbot):
    hand.press("Ctrl+D")
    hand.press("F3", "Return")
    qtbot.waitUntil(lambda: len(found(hand)) == 1)
    hand.press("Ctrl+D")
    assert hand.banner.startswith("1 finding is left.")
    hand.press("Ctrl+D")
    assert hand.banner.startswith("Patient 110 is done.")


def test_patient_done_says_that_findings_are_not_known(hand, qtbot, monkeypatch):
    def fail(*_):
        raise RequestError("it broke")

    monkeypatch.setattr(FindingService, "look", fail)
    hand.press("F5")
    qtbot.waitUntil(lambda: "not known" in count(hand))
    hand.press("Ctrl+D")
    assert hand.banner.startswith("Findings are not known")


class TestOtherPatients:
    """What the gold standard of other patients has, and this patient's has not."""

    @pytest.fixture
    def two(self, open_window, tmp_path, qtbot):
        named, unnamed = ["[Quil Tembrake|DOCTOR] came."], ["Quil Tembrake came."]
        project = make_project(tmp_path, unnamed, unnamed, p120=(named, named))
        with AdjudicationSession(project, "120", "carol") as session:
            session.finish()
        hand = open_window(project)
        qtbot.waitUntil(lambda: found(hand) == ["Quil Tembrake"], timeout=20_000)
        return hand

    def test_one_is_found_and_mended(self, two, qtbot):
        assert "another patient" in two.window.findChild(QLabel, "findingWhy").text()
        two.press("F3", "Ctrl+M", "F5")
        assert two.gold() == [("Quil Tembrake", "DOCTOR")]
        qtbot.waitUntil(lambda: count(two) == "No findings", timeout=20_000)

    def test_one_that_was_dismissed_stays_away(self, two, qtbot):
        two.press("F3", "Ctrl+I")
        dismiss(two.window)
        two.press("F5")
        qtbot.waitUntil(lambda: count(two) == "No findings; 1 dismissed", timeout=20_000)

    def test_they_can_be_left_out(self, two, qtbot):
        box = two.window.findChild(QCheckBox, "finding.action.other_patients")
        assert box.isChecked()
        box.click()
        qtbot.waitUntil(lambda: found(two) == [], timeout=20_000)
        two.window.actions_table.action("other_patients").trigger()
        assert box.isChecked()
        qtbot.waitUntil(lambda: found(two) == ["Quil Tembrake"], timeout=20_000)

    def test_what_has_changed_there_is_read_again(self, two, qtbot):
        two.window.open_patient("120")
        two.window.session.remove(list(two.window.session.tags))
        two.window.open_patient("110")
        qtbot.waitUntil(lambda: found(two) == [], timeout=20_000)


class TestReading:
    @pytest.fixture
    def long(self, open_window, tmp_path):
        page = "\n".join(f"line {number}" for number in range(300))
        return open_window(make_project(tmp_path, [page], [page]))

    def read(self, hand) -> int:
        QTest.qWait(1)  # what was read is counted once the page is there
        label = next(
            each for each in hand.window.findChildren(QLabel) if each.accessibleName() == "Read"
        )
        return int(label.text().partition("%")[0])

    def test_v_goes_on_page_by_page_to_the_end(self, long):
        shares = [self.read(long)]
        while not long.said.startswith("All text"):
            long.press("V")
            shares.append(self.read(long))
            assert len(shares) < 200
        assert shares == sorted(shares)
        assert (shares[0], shares[-1]) == (0, 100)

    def test_what_was_read_is_remembered(self, long, open_window):
        for _ in range(3):
            long.press("V")
        share, project = self.read(long), long.window.session.project
        long.window.close()
        assert self.read(open_window(project)) == share > 0

    def test_patient_done_says_what_was_not_read(self, long):
        long.press("Ctrl+D")
        assert long.banner.startswith("1 record has text that has not been on the screen: 110-01.")


def test_f9_says_that_no_tag_was_decided_here(open_window, tmp_path, qtbot):
    first = "[Yamamoto|DOCTOR] came. Later [Yamamoto|DOCTOR] left."
    second = "[Yamamoto|DOCTOR] came. Later Yamamoto left."
    hand = open_window(make_project(tmp_path, [first], [second]))
    hand.press("0")
    hand.window.view.set_caret(0)
    qtbot.waitUntil(lambda: hand.window._work.untagged._live is not None)
    hand.press("F9")
    assert hand.said.startswith("You decided no tag here. Tagged elsewhere as DOCTOR")
    hand.press("X")
    dismiss(hand.window, "a street")
    assert "everywhere, but for 1 dismissed." in hand.said
    assert hand.gold() == [("Yamamoto", "DOCTOR")]


def test_a_finding_on_what_is_selected_already_says_what_its_keys_do(open_window, tmp_path, qtbot):
    """F3 moves nothing then, but Enter is for the finding and no more for the disagreement."""
    first = "Dr. [Lee|DOCTOR] came. Dr. [Lee|DOCTOR] left. Dr. [Lee|DOCTOR] rang."
    second = "Dr. [Lee|DOCTOR] came. Dr. [Lee|DOCTOR] left. Dr. [Lee|PATIENT] rang."
    hand = open_window(make_project(tmp_path, [first], [second]))
    hand.press("2")
    qtbot.waitUntil(lambda: found(hand) == ["Lee"], timeout=20_000)
    before = hand.window.view.selected_span()
    qtbot.waitUntil(lambda: hint(hand.window) == "")
    hand.press("F3")
    assert hand.window.view.selected_span() == before
    assert "applies the fix" in hint(hand.window)
    hand.press("Return")
    assert hand.gold() == [("Lee", "DOCTOR")] * 3
