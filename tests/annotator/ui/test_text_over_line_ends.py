"""“Tagged everywhere” is only said when it is so: over line ends, in capitals, without accents."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView

from shared.widgets.tags.annotate_all import AnnotateAllDialog
from tests.annotator.page import press, tags
from tests.places import take_list

SHIFT = Qt.KeyboardModifier.ShiftModifier
DONE = "All tagged text is tagged everywhere. Looked for in capitals, without accents and over"
RECORDS = {
    "Spanish": (
        "Ferrándiz",
        "Paciente Ferrándiz, 45 años.\nAcude la Sra. Ferrán-\ndiz a control.\n",
    ),
    "Spanish capitals": ("Ferrándiz", "Paciente Ferrándiz.\nFIRMADO: DRA. FERRANDIZ\n"),
    "Spanish double name": ("García-López", "Sr. García-López.\nEl Sr. García-\n  López acude.\n"),
    "Spanish accents apart": ("Ferrándiz", "Paciente Ferrándiz, Ferra\u0301ndiz.\n"),
    "tagged where it is broken": ("Ferrán-\ndiz", "La Sra. Ferrán-\ndiz. Alta: Ferrándiz.\n"),
    "German": ("Müller", "Patient Müller kam.\nHerrn Müll-\ner geht es gut.\n"),
    "soft hyphen": ("Müller", "Patient Müller kam. Herr Mül\u00adler ging.\n"),
    "non-breaking blank": ("Kai Lee", "Patient Kai Lee came; Kai\u00a0Lee left.\n"),
    "English": ("Teasdale", "Mrs. Teasdale came. TEASDALE, GRETA. Mrs. Teas-\ndale.\n"),
    "phone": ("555-0123-77", "Tel. 555-0123-77 or 555-\n0123-77.\n"),
    "Chinese": ("王小明", "姓名：王小明，男\n今日王小\n明先生入院。\n"),
    "wide digits": ("00478213", "病案号：00478213。\n病案号００４７８２１３。\n"),
    "another middle dot": ("阿依古丽·买买提", "阿依古丽·买买提医师\n告知阿依古丽•买买提。\n"),
    "no middle dot": ("阿依古丽·买买提", "阿依古丽·买买提医师\n告知阿依古丽买买提。\n"),
    "Arabic digits": ("00391245", "File 00391245.\nرقم الملف: ٠٠٣٩١٢٤٥\n"),
    "Arabic letters": ("فاطمة", "زوجته فاطمة حضرت.\nخرجت فاطمه.\n"),
    "Arabic, written on to": ("أحمد", "المريض أحمد حضر.\nشرح لأحمد.\n"),
    "Arabic": ("محمد علي", "المريض محمد علي حضر.\nخرج محمد\nعلي، مُحَمَّد علي.\n"),
}


@pytest.fixture(params=list(RECORDS), ids=list(RECORDS))
def record(request):
    return RECORDS[request.param]


@pytest.fixture
def texts(record):
    return {"1-01": record[1]}


def said(window):
    return window.statusBar().currentMessage()


def test_f9_leads_to_every_place_before_it_says_that_none_is_left(tagged, record):
    places = 3 if record in (RECORDS["English"], RECORDS["Arabic"]) else 2
    press(tagged, Qt.Key.Key_F9)
    for count in range(1, places):
        assert DONE not in said(tagged)
        assert len(tags(tagged)) == count
        press(tagged, Qt.Key.Key_Return)
    assert len(tags(tagged)) == places
    assert DONE in said(tagged)


def test_everywhere_at_once_takes_the_same_places(tagged, record):
    press(tagged, Qt.Key.Key_F9)
    press(tagged, Qt.Key.Key_Return, SHIFT)
    if record in (RECORDS["English"], RECORDS["Arabic"]):
        assert take_list(tagged) == 2
    assert DONE in said(tagged)


def test_annotate_all_lists_the_same_places(tagged, record, qtbot):
    tagged._work.untagged.catch_up()
    live = tagged._work.untagged._live
    untagged = len(live.likely) + len(live.doubtful)
    press(tagged, Qt.Key.Key_A)
    dialog = tagged.findChild(AnnotateAllDialog)
    table = dialog.findChild(QTableView)
    qtbot.waitUntil(table.hasFocus)
    # another word, or a doctor of the patient's name: not ticked at first
    if record in (RECORDS["Arabic, written on to"], RECORDS["Spanish capitals"]):
        QTest.keyClick(table, Qt.Key.Key_Down)
        QTest.keyClick(table, Qt.Key.Key_Space)
    assert table.model().rowCount() == untagged + 1
    QTest.keyClick(table, Qt.Key.Key_Return)
    qtbot.waitUntil(tagged.view.hasFocus)
    assert len(tags(tagged)) == untagged + 1
    press(tagged, Qt.Key.Key_F9)
    assert DONE in said(tagged)
