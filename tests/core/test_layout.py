"""Packed rows: every kept token of every cell has exactly one row, and is found again after any change."""

import numpy as np
import pytest

from resstream_demo.core.layout import Layout

T = 7


def rows_of(layout: Layout) -> list[tuple[int, int]]:
    """(cell, position) of every row."""
    cells = np.repeat(layout.cells, layout.counts)
    return list(zip(cells.tolist(), layout.positions.tolist(), strict=True))


@pytest.fixture
def layout():
    return Layout.of(np.array([0, 1, 2, 3]), np.array([5, 0, 5, 2]), np.arange(T))


def test_a_cell_has_a_row_for_each_position_from_its_first_on(layout):
    expected = {(cell, p) for cell, start in ((0, 5), (1, 0), (2, 5), (3, 2)) for p in range(start, T)}
    assert set(rows_of(layout)) == expected and layout.n_rows == len(expected)


def test_row_finds_each_row_and_nothing_else(layout):
    assert [layout.row(cell, p) for cell, p in rows_of(layout)] == list(range(layout.n_rows))
    assert layout.row(0, 4) is None


def test_groups_are_the_cells_with_one_first_position(layout):
    found = {start: set(layout.cells[cells].tolist()) for start, cells, _ in layout.groups()}
    assert found == {0: {1}, 2: {3}, 5: {0, 2}}
    for start, cells, rows in layout.groups():
        assert rows.stop - rows.start == (cells.stop - cells.start) * (T - start)
        assert set(layout.positions[rows]) == set(range(start, T))


def test_an_empty_layout_has_no_groups():
    nothing = np.empty(0, dtype=int)
    assert list(Layout(nothing, nothing, np.arange(T)).groups()) == []


def test_merge_says_where_each_row_comes_from(layout):
    cells, starts = np.array([4, 5]), np.array([2, 6])
    merged, origin = layout.merge(cells, starts)
    before = rows_of(layout) + rows_of(Layout.of(cells, starts, layout.kept))
    assert rows_of(merged) == [before[n] for n in origin]
    assert sorted(origin.tolist()) == list(range(len(before)))


def test_narrow_keeps_the_rows_of_the_positions_kept(layout):
    narrowed, origin = layout.narrow(np.array([1, 6]))
    assert rows_of(narrowed) == [rows_of(layout)[n] for n in origin]
    assert set(rows_of(narrowed)) == {(cell, p) for cell, p in rows_of(layout) if p in (1, 6)}
