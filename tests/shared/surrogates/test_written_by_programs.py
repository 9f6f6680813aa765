"""Authentic names, numbers and days as programs write, read and cut them."""

import pytest

from shared.language.languages import language
from shared.surrogates.leak_check import DIGITS, PART, LeakRules, find_leaks
from tests.shared.surrogates.conftest import Replace, gold_of


def found(replaced: Replace, code: str, source: str) -> list[tuple[str, str]]:
    new = replaced(source, spoken=code)
    leaks = find_leaks(new, gold_of(source), LeakRules(language(code), frozenset({"iglesia"})))
    text = new.documents[0].text
    return [(each.what, each.span.text_in(text)) for each in leaks if each.span]


@pytest.mark.parametrize(
    ("code", "source", "left"),
    [
        ("de", "[Ida Müller|PATIENT] (M&uuml;ller)", "M&uuml;ller"),
        ("de", "[Ida Müller|PATIENT] (M&#252;ller)", "M&#252;ller"),
        ("es", "[Eva Pérez|PATIENT] (P%C3%A9rez)", "P%C3%A9rez"),
        ("es", "[Eva Pérez|PATIENT] =P=E9rez", "=P=E9rez"),
        ("es", "[Eva Pérez|PATIENT], P=C3=A9rez", "P=C3=A9rez"),
        ("es", "[Eva Gárate|PATIENT] (GÃ¡rate)", "GÃ¡rate"),
        ("de", "[Ida Müller|PATIENT] (MÃ¼ller)", "MÃ¼ller"),
        ("es", "[Eva Pérez|PATIENT] (P?rez)", "P?rez"),
        ("de", "[Ida Müller|PATIENT] (M\ufffdller)", "M\ufffdller"),
        ("es", "[Eva Díez|PATIENT] (D?ez)", "D?ez"),
        ("es", "[Eva Ibáñez|PATIENT] (Ib??ez)", "Ib??ez"),
        ("es", "[Eva Núñez|PATIENT] (N????ez)", "N????ez"),
        ("es", "[Eva Solà|PATIENT] (Sol?)", "Sol?"),
        ("es", "[Eva Álvarez|PATIENT] (?lvarez)", "?lvarez"),
        ("es", "[José Gárate|PATIENT] (Jos\ufffd)", "Jos\ufffd"),
        ("en", "[Ann Trần|DOCTOR] (DrTrần)", "DrTrần"),
        ("en", "[Ann Trần|DOCTOR] (Tráº§n)", "Tráº§n"),
        ("en", "[Ann Dương|DOCTOR] (DÆ°Æ¡ng)", "DÆ°Æ¡ng"),
        ("en", "[ANN DƯƠNG|DOCTOR] (DÆ¯Æ\xa0NG)", "DÆ¯Æ\xa0NG"),
        ("en", "[ANN ƯƠNG|DOCTOR] (??NG)", "??NG"),
        ("en", "[Ann Nguyễn|DOCTOR] (Nguyá»\x85n)", "Nguyá»\x85n"),
        ("en", "[Ann Ngô|DOCTOR] (NgÃ´)", "NgÃ´"),
        ("es", "[Eva García|PATIENT] (GarcÃa)", "GarcÃa"),
        ("es", "[EVA GARCÍA|PATIENT] (GARCÃA)", "GARCÃA"),
        ("de", "[Jan Łukasz|PATIENT] (Åukasz)", "Åukasz"),
        ("de", "[Jan Łukasz|PATIENT] (Å\ufffdukasz)", "Å\ufffdukasz"),
        ("de", "[Ida Strauß|PATIENT] (StrauÃŸ)", "StrauÃŸ"),
        ("de", "[Ida Żakowicz|PATIENT] (Å»akowicz)", "Å»akowicz"),
        ("de", "Dr. [Astrid Herrmann|DOCTOR] wies zu (HERRMANN). Bei", "HERRMANN"),
        ("es", "[Eva Iglesia|DOCTOR] (DrIglesia)", "DrIglesia"),
        ("es", "[Eva Amor|PATIENT] (Amors)", "Amors"),
        ("en", "[Ann Michelangelo|PATIENT] (MICHELAN)", "MICHELAN"),
        ("en", "[Dawn Stone|PATIENT] (PAT_STONE_DAWN_2)", "STONE"),
        ("en", "[Dawn Stone|PATIENT] in dawn_stone.pdf", "stone"),
        ("es", "[Luz Iglesia|PATIENT], iglesia_luz", "iglesia"),
        ("de", "[Rosa Stein|PATIENT] (Stein_Rosa)", "Stein"),
    ],
)
def test_a_name_that_a_program_wrote_in_its_way(
    replaced: Replace, code: str, source: str, left: str
) -> None:
    assert (PART, left) in found(replaced, code, source)


@pytest.mark.parametrize(
    ("code", "source", "left"),
    [
        ("en", "seen [March 14, 2071|DATE] (031471)", "031471"),
        ("de", "am [14.3.2071|DATE] (140371)", "140371"),
        ("es", "el [14 de marzo de 2071|DATE] (710314)", "710314"),
        ("es", "el [14/3/2071|DATE] (14032071)", "14032071"),
        ("en", "seen [March 14, 2071|DATE] (62531)", "62531"),
        ("en", "seen [3/14/71|DATE] (62531)", "62531"),
        ("en", "MRN [381984|MEDICALRECORD] (381_984)", "381_984"),
        ("en", "MRN [2699054|MEDICALRECORD] (269905A)", "269905A"),
        ("es", "NHC [9934535|MEDICALRECORD] (9934S3S)", "9934S3S"),
        ("es", "NHC [117169|MEDICALRECORD] (ll7l69)", "ll7l69"),
        ("es", "NHC [110101|MEDICALRECORD] (llOlOl)", "llOlOl"),
    ],
)
def test_a_number_or_day_that_a_program_wrote_in_its_way(
    replaced: Replace, code: str, source: str, left: str
) -> None:
    assert (DIGITS, left) in found(replaced, code, source)


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ("en", "[Ann Hawkins|PATIENT] asked why?then left, 50%ab and a=BC"),
        ("en", "[Thea Hawkins|PATIENT] asked: to the? no?yes"),
        ("es", "[Eva Solà|PATIENT]: ¿hace sol? ¿no?"),
        ("de", "[Ida Zimmermann|PATIENT] im Zimmer, ZIMMER 4"),
        ("en", "[Ann Voss|PATIENT] Vosss"),
        ("en", "[Ann Hill|PATIENT] down, hills"),
        ("en", "seen [March 14, 2071|DATE]; 031571, 62532, 3147"),
        ("en", "MRN [2699054|MEDICALRECORD]; 269 SOS, 99054"),
        ("en", "in [March 2071|DATE] (0371)"),
    ],
)
def test_what_only_looks_as_if_a_program_had_written_it(
    replaced: Replace, code: str, source: str
) -> None:
    assert found(replaced, code, source) == []
