import re
from importlib import import_module

import pytest

from shared.errors import FileFormatError, StorageError
from shared.formats.schema_auto import schema_of_types
from shared.language.known_languages import known_languages
from shared.language.languages import language
from shared.language.patterns import folded, patterns_of
from shared.model import Document, PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS
from shared.recognition.rules import (
    Rules,
    ShippedRules,
    read_patterns,
    shipped_patterns,
)
from tests.builders import document, marked_up, texts

DATES_ALONE = schema_of_types([PhiType("DATE", "DATE")], "dates")


def found(rules, text):
    (suggestions,) = rules.suggest([Document("1-1", "1", text)])
    return texts(tuple(each.tag() for each in suggestions), text)


@pytest.mark.parametrize(
    "source",
    [
        "Seen by Dr. [Lee|DOCTOR] on [3/4/2012|DATE], phone [617-555-0123|PHONE].",
        "Fax: [648-875-5821|FAX]",
        "a [45|AGE]-year-old man with BP 120/80 and INR 2.5",
        "[Boston|CITY], [MA|STATE] [02114|ZIP]",
    ],
)
def test_rules_tag_what_has_a_form_and_leave_the_rest(source):
    text, tags = marked_up(source)

    assert found(Rules(shipped_patterns(("en",)), I2B2_2014), text) == texts(tags, text)


def test_a_spanish_form_and_the_kin_of_the_patient_are_tagged_by_kind():
    source = (
        "Domicilio: [Rúa do Vento 4, 2 B|CALLE].\nLocalidad/ Provincia: [Villa Alta|TERRITORIO], "
        "[Cuenca|TERRITORIO].\nPaís: [Perú|PAIS]. Edad: [8 meses|EDAD_SUJETO_ASISTENCIA] Sexo: "
        "[H|SEXO_SUJETO_ASISTENCIA].\n[Niño|SEXO_SUJETO_ASISTENCIA] de [ocho meses|"
        "EDAD_SUJETO_ASISTENCIA] que vive con su [madre|FAMILIARES_SUJETO_ASISTENCIA] y "
        "[dos hermanas|FAMILIARES_SUJETO_ASISTENCIA]. Antecedentes familiares sin interés."
    )
    schema = schema_of_types(MEDDOCAN_TRAITS, "meddocan")
    text, tags = marked_up(source, schema)
    assert found(ShippedRules(schema, ("es",)), text) == texts(tags, text)


def test_what_goes_on_in_the_next_line_is_found_whole():
    source = "Seen [1 May\n2070|DATE] by Dr. [Var-\nga|DOCTOR]. On [05/\n06/2070|DATE] home."
    text, tags = marked_up(source)
    assert found(ShippedRules(I2B2_2014, ("en",)), text) == texts(tags, text)


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ("en", "since [May\n1|DATE], [Nov-\nember 2070|DATE]"),
        ("es", "Ingresó el [1 de\nmayo de 2070|DATE], alta en [mayo del\naño 2071|DATE]"),
        ("de", "vom [27.02.|DATE] bis [3. März\n2071|DATE]"),
        ("zh", "于[2070年5月1日|DATE]入院，[5月3日|DATE]出院"),
        ("ar", "في [1 مايو 2070|DATE]"),
    ],
)
def test_a_date_is_found_as_its_language_writes_it_over_a_line_end_too(code, source):
    text, tags = marked_up(source)
    rules = Rules(patterns_of(language(code)), I2B2_2014)
    assert found(rules, text) == texts(tags, text)


@pytest.mark.parametrize(
    "source",
    [
        "Zuschnitt: [Zoller|DOCTOR], 5 Kapseln",
        "Op.: [Krug|DOCTOR]   1. Ass.: [Pohl|DOCTOR]",
        "RettAss [Krug|DOCTOR] / RS [Pohl|DOCTOR]\n",
        "Prof. [Krug|DOCTOR] (Vorsitz), [Pohl|DOCTOR] (Chir.), Fr. [Zoller|DOCTOR] (Sekr.)",
        "Palliativnetz Gera (Frau [Zoller|DOCTOR]) kommt",
        "Name [Sonntag|PATIENT]   Vorname [Ute|PATIENT]   ",
        'ruft nach ihrem Mann "[Karl|PATIENT]".',
        "eine Schwester ([Ute|PATIENT], [56|AGE]) lebt",
        "ein Kind im Alter von [2 7/12|AGE] Jahren",
        "[Almgasse 18/3/18|STREET] im Hof",
        "Aufnahmezahl [71006/33|MEDICALRECORD]\n",
        "Interferon 2006-[2007|DATE], gut",
        "Gelernt habe sie [Schneiderin|PROFESSION], dann",
        "red. AZ. RR 137/83, letzte Regel unklar",
    ],
)
def test_german_houses_write_it_so(source: str) -> None:
    text, tags = marked_up(source)
    wanted = set(texts(tags, text))
    assert wanted <= set(found(ShippedRules(I2B2_2014, ("de",)), text))
    assert wanted or not found(ShippedRules(I2B2_2014, ("de",)), text)


@pytest.mark.parametrize(
    ("code", "source"),
    [
        (
            "en",
            "MRN:\n[453-39-84-4|MEDICALRECORD], call [617-555-\n0123|PHONE] or dr. [Lee|DOCTOR]",
        ),
        ("en", "phone [+34 961 555 012|PHONE], 120\n617\n555 mg, CD4+ 1200 300 45"),
        ("es", "NHC:\n[1456764|MEDICALRECORD]. Llamar al [961 555\n012|PHONE], dra. [GIL|DOCTOR]"),
        ("es", "Tel: [948 255 400|PHONE]\n12 años; 900 mg; plaquetas 250 000 000"),
        ("de", "Anruf [(08842) 99728|PHONE], Tel.: [0761/\n270-4431|PHONE], dr. [Lux|DOCTOR]"),
        (
            "de",
            "Fax [(08842) 99728|FAX], Fallnummer:\n[20714711|MEDICALRECORD], Oberarzt\nAnamnese",
        ),
    ],
)
def test_numbers_and_names_go_on_in_the_next_line_and_columns_do_not(code, source):
    text, tags = marked_up(source)
    assert found(ShippedRules(I2B2_2014, (code,)), text) == texts(tags, text)


def test_a_type_that_the_schema_lacks_is_not_suggested():
    assert found(Rules(shipped_patterns(), DATES_ALONE), "mail a@b.example") == []


def test_suggestions_of_one_document_do_not_overlap():
    (suggestions,) = Rules(shipped_patterns(), I2B2_2014).suggest(
        [document("on 3 March 2012 at 9")]
    )

    assert len(suggestions) == 1


def test_a_project_adds_patterns(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text("[[pattern]]\ntypes = ['IDNUM']\nfind = 'Q-(?P<phi>\\d+)'\n")

    assert found(Rules(read_patterns(path), I2B2_2014), "chart Q-7781") == [("7781", "IDNUM")]


@pytest.mark.parametrize(
    "content",
    [
        b"[[pattern]]\ntypes = ['X']\nfind = '('\n",
        b"[[pattern]]\nfind = 'x'\n",
        b"[[pattern]]\ntypes = ['X']\nfind = 'x'\nconfidence = 2\n",
        b"[[pattern]]\nfind = 'x'\nconfidence = " + b"9" * 400,
        b"[[pattern]]\ntypes = ['X']\nfind = 'x{99999999999}'\n",
        b"pattern = ['x']",
        b"not toml",
        b"\xff\xfe",
    ],
)
def test_a_broken_file_is_named(tmp_path, content):
    path = tmp_path / "rules.toml"
    path.write_bytes(content)

    with pytest.raises(FileFormatError, match=r"rules\.toml"):
        read_patterns(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(StorageError, match=r"rules\.toml"):
        read_patterns(tmp_path / "rules.toml")


def test_a_document_is_read_by_the_rules_of_its_own_language():
    german = "Die Patientin wurde am 3. März 2071 von Dr. med. Anna von Hagen entlassen."
    english = "The patient was seen by Dr. Anna Lee on March 3, 2071 with her sister."
    first, second = ShippedRules(I2B2_2014).suggest(
        [Document("1-1", "1", german), Document("1-2", "1", english)]
    )
    assert {german[each.start : each.end] for each in first} == {"3. März 2071", "Anna von Hagen"}
    assert {english[each.start : each.end] for each in second} == {"Anna Lee", "March 3, 2071"}


def test_a_spanish_document_is_not_read_by_english_rules():
    text = "El paciente fue visto en la consulta con su madre; tiene consulado en Boston, MA 02115."
    (found,) = ShippedRules(I2B2_2014).suggest([Document("1-1", "1", text)])
    assert [text[each.start : each.end] for each in found] == []


def test_the_language_that_was_asked_for_goes_before_what_words_tell():
    text = "The patient was seen on 3. März 2071 with her sister."
    (found,) = ShippedRules(I2B2_2014, ("de",)).suggest([Document("1-1", "1", text)])
    assert [text[each.start : each.end] for each in found] == ["3. März 2071"]


def test_every_shipped_pattern_finds_nothing_without_what_it_needs():
    needing = [each for each in shipped_patterns(known_languages()) if each.needs]
    parse = import_module("re._parser").parse

    assert len(needing) > 40
    for pattern in needing:
        assert always_holds(parse(pattern.find.pattern), pattern.needs), pattern


def always_holds(parsed, needs):
    """Whether all that a parsed expression finds has one of the texts in it; False if in doubt."""
    written = "".join(always_written(str(op), what) for op, what in parsed)
    return any(need in written for need in needs) or any(
        part_always_holds(str(op), what, needs) for op, what in parsed
    )


def always_written(op, what):
    """The letter that a part of an expression finds, folded; a line end where it may be another."""
    if op == "LITERAL":
        return folded(chr(what))
    if op == "SUBPATTERN":
        inner = "".join(always_written(str(each), more) for each, more in what[-1])
        return inner if "\n" not in inner else "\n"
    if op in ("AT", "ASSERT_NOT"):  # of no width
        return ""
    letters = (
        {folded(chr(more)) if str(each) == "LITERAL" else "" for each, more in what}
        if op == "IN"
        else set()
    )
    return letters.pop() if len(letters) == 1 and "" not in letters else "\n"


def part_always_holds(op, what, needs):
    if op in ("SUBPATTERN", "ASSERT"):  # what is looked for behind or before it stands there too
        return always_holds(what[-1], needs)
    if op == "BRANCH":
        return all(always_holds(each, needs) for each in what[1])
    return op in ("MAX_REPEAT", "MIN_REPEAT") and what[0] > 0 and always_holds(what[2], needs)


def test_letters_that_an_expression_takes_for_the_same_fold_to_one():
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    needed = {char for each in shipped_patterns(known_languages()) for char in "".join(each.needs)}

    for char in needed:
        assert {folded(same) for same in re.findall(re.escape(char), every, re.I)} == {char}


def test_a_pattern_is_looked_for_where_its_word_is_in_other_letters(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(
        "[[pattern]]\ntypes = ['IDNUM']\nfind = '(?i:kiss) (?P<phi>\\d+)'\nneeds = ['Kiss']\n"
    )
    rules = Rules(read_patterns(path), I2B2_2014)

    assert found(rules, "K\u0130\u017fS 7781") == [("7781", "IDNUM")]
    assert found(rules, "K\u0131ss 7781") == [("7781", "IDNUM")]


def test_a_pattern_said_to_need_digits_does_and_no_other_one() -> None:
    parse = import_module("re._parser").parse
    for pattern in shipped_patterns(known_languages()):
        has_digit = bool(pattern.dates_of) or always_has_digit(parse(pattern.find.pattern))
        assert pattern.digits == has_digit, pattern


def always_has_digit(parsed):
    """Whether all that a parsed expression finds has a digit in it or ahead; False if in doubt."""
    return any(
        (op == "LITERAL" and chr(what).isdigit())
        or (op == "IN" and all(map(is_of_digits, what)))
        or (op == "SUBPATTERN" and always_has_digit(what[-1]))
        or (op == "BRANCH" and all(map(always_has_digit, what[1])))
        or (op == "ASSERT" and what[0] > 0 and always_has_digit(what[1]))
        or (op in ("MAX_REPEAT", "MIN_REPEAT") and what[0] > 0 and always_has_digit(what[2]))
        for op, what in ((str(op), what) for op, what in parsed)
    )


def is_of_digits(one):
    op, what = str(one[0]), one[1]
    if op == "RANGE":
        return "0" <= chr(what[0]) <= chr(what[1]) <= "9"
    return (op == "LITERAL" and chr(what).isdigit()) or str(what) == "CATEGORY_DIGIT"


@pytest.mark.parametrize("between", [" ", "\n", " word" * 40 + " ", "\n" * 200])
def test_what_stands_near_digits_is_found_however_far_they_are_from_each_other(between):
    text = between.join(["MRN: 453-39-84-4", "Dr. Lee", "on 3/4/2012", "aged 45", "no 1"])
    (suggestions,) = Rules(shipped_patterns(("en",)), I2B2_2014).suggest(
        [Document("1-1", "1", text)]
    )
    there = [text[each.start : each.end] for each in suggestions]
    assert there == ["453-39-84-4", "Lee", "3/4/2012", "45"]
