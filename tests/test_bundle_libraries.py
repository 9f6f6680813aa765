"""A bundle has the libraries that something in it needs, and no others."""

import ctypes
import shutil
import sys

import pytest

from bundle.libraries import Entry, linked_to, needed, without_icu_data

WANTED = {
    "/s/window.so": ["libwindow.so.6"],
    "/s/libwindow.so.6": ["libdraw.so.1", "libc.so.6"],
    "/s/theme.so": ["liblook.so.3"],
    "/s/libgone.so.2": ["libold.so.2"],
}


def names(*entries):
    kept = needed((Entry(*each) for each in entries), lambda path: WANTED.get(path, ()))
    return {each.name for each in kept}


def test_a_library_stays_where_a_module_or_a_plug_in_needs_it_by_others_too():
    assert names(
        ("a/window.so", "/s/window.so", "EXTENSION"),
        ("a/plugins/libtheme.so", "/s/theme.so", "BINARY"),
        ("a/lib/libwindow.so.6", "/s/libwindow.so.6", "BINARY"),
        ("libwindow.so.6", "a/lib/libwindow.so.6", "SYMLINK"),
        ("libdraw.so.1", "/s/libdraw.so.1", "BINARY"),
        ("liblook.so.3", "/s/liblook.so.3", "BINARY"),
        ("libgone.so.2", "/s/libgone.so.2", "BINARY"),
        ("libold.so.2", "/s/libold.so.2", "BINARY"),
    ) == {
        "a/window.so",
        "a/plugins/libtheme.so",
        "a/lib/libwindow.so.6",
        "libwindow.so.6",
        "libdraw.so.1",
        "liblook.so.3",
    }


def test_a_module_is_no_library_though_it_has_the_name_of_one():
    modules = ["p/lib.cpython-311-x86_64-linux-gnu.so", "p/_arpacklib.cpython-311.so"]
    assert names(*((each, f"/s/{each}", "EXTENSION") for each in modules)) == set(modules)


def test_the_data_of_icu_is_an_empty_table(tmp_path):
    if sys.platform != "linux" or shutil.which("cc") is None:
        pytest.skip("needs Linux and a compiler")
    whole = Entry("Qt/lib/libicudata.so.73", "/s/libicudata.so.73", "BINARY")
    link = Entry("libicudata.so.73", "Qt/lib/libicudata.so.73", "SYMLINK")
    other = Entry("Qt/lib/libicuuc.so.73", "/s/libicuuc.so.73", "BINARY")
    made, *same = without_icu_data([whole, link, other], tmp_path)
    assert same == [link, other]
    assert made.name == whole.name
    table = (ctypes.c_ubyte * 40).in_dll(ctypes.CDLL(made.source), "icudt73_dat")
    assert bytes(table[:4]) == b"\x20\x00\xda\x27"
    assert bytes(table[12:16]) == b"ToCP"
    assert bytes(table[32:36]) == bytes(4)


def test_a_file_tells_what_it_is_linked_to_itself():
    if sys.platform != "linux" or shutil.which("readelf") is None:
        pytest.skip("needs Linux and binutils")
    from lxml import etree

    assert "libc.so.6" in linked_to(etree.__file__)
