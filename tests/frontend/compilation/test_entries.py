"""The cache of entries: which one serves a call, which go, and why a call needs a new one."""

from __future__ import annotations

from mycel.frontend.compilation.entries import MAX_ENTRIES, Entries, key_of, show_key
from mycel.frontend.compilation.entry import Entry
from mycel.frontend.tracing.guards import Guards


def entry(key: object) -> Entry:
    """An entry without guards, which holds always."""
    return Entry(key, Guards())


def test_the_newest_entry_of_a_signature_serves() -> None:
    entries = Entries()
    older, newer = entry(1), entry(1)
    entries.add(1, older)
    entries.add(1, newer)
    assert entries.find(1, []) is newer
    assert entries.find(2, []) is None
    assert len(entries) == 2


def test_the_oldest_signature_goes_first() -> None:
    entries = Entries()
    for key in range(MAX_ENTRIES + 3):
        entries.add(key, entry(key))
    assert len(entries) == MAX_ENTRIES
    assert [entries.find(key, []) is None for key in range(5)] == [True, True, True, False, False]


def test_the_newest_entry_stays_though_its_signature_is_the_oldest() -> None:
    entries = Entries()
    for key in range(MAX_ENTRIES):
        entries.add(key, entry(key))
    newest = entry(0)
    entries.add(0, newest)
    assert entries.find(0, []) is newest
    assert entries.find(1, []) is None
    assert len(entries) == MAX_ENTRIES


def test_one_signature_keeps_its_newest_entries() -> None:
    entries = Entries()
    made = [entry("key") for _ in range(MAX_ENTRIES + 1)]
    for one in made:
        entries.add("key", one)
    assert list(entries) == made[:0:-1]


def test_reasons_for_a_new_entry() -> None:
    entries = Entries()
    assert entries.reason(key_of((1,), {}, []), []) == "first call"
    entries.add(key_of((1,), {}, []), entry(None))
    assert entries.reason(key_of((2,), {}, []), []) == "other arguments than (1)"
    assert entries.reason(key_of((1,), {}, []), []) == "a captured tensor has another shape or dtype"
    assert show_key(key_of((1,), {"scale": 2.0}, [])).startswith("1, ")


def test_cleared_entries_are_gone() -> None:
    entries = Entries()
    entries.add(1, entry(1))
    entries.clear()
    assert not len(entries)
    assert entries.find(1, []) is None
