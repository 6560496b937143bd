"""Which row of a packed matrix belongs to which token of which cell."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class Layout:
    """Rows of a packed matrix: cell after cell, and within a cell its tokens by position, without padding.

    cells: [n] cell numbers in row order, such that cells with the same first position are neighbours.
    starts: [n] each cell's first position. kept: ascending positions that have rows at all (all T, or in the
    last layer only those that are read); a cell has a row for every kept position from its first on.
    """

    cells: np.ndarray
    starts: np.ndarray
    kept: np.ndarray

    @classmethod
    def of(cls, cells: np.ndarray, starts: np.ndarray, kept: np.ndarray) -> "Layout":
        """Put cells in row order: by first position, then by number."""
        order = np.lexsort((cells, starts))
        return cls(cells[order], starts[order], kept)

    @cached_property
    def first_slot(self) -> np.ndarray:
        """[n]: how many kept positions lie before each cell's first."""
        return np.searchsorted(self.kept, self.starts)

    @cached_property
    def counts(self) -> np.ndarray:
        """[n]: rows of each cell."""
        return len(self.kept) - self.first_slot

    @cached_property
    def offsets(self) -> np.ndarray:
        """[n]: the first row of each cell."""
        return np.cumsum(self.counts) - self.counts

    @property
    def n_rows(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def positions(self) -> np.ndarray:
        """[N]: the position of each row."""
        within = np.arange(self.n_rows) - np.repeat(self.offsets, self.counts)
        return self.kept[np.repeat(self.first_slot, self.counts) + within]

    @cached_property
    def _index_of_cell(self) -> dict[int, int]:
        return {int(cell): n for n, cell in enumerate(self.cells)}

    @cached_property
    def _slot_of_position(self) -> dict[int, int]:
        return {int(position): slot for slot, position in enumerate(self.kept)}

    def row(self, cell: int, position: int) -> int | None:
        """The row of a cell's token; None if that position has no row here."""
        n = self._index_of_cell[cell]
        slot = self._slot_of_position.get(position)
        if slot is None or slot < self.first_slot[n]:
            return None
        return int(self.offsets[n] + slot - self.first_slot[n])

    def index(self, cell: int) -> int:
        """A cell's place in row order."""
        return self._index_of_cell[cell]

    def groups(self) -> Iterator[tuple[int, slice, slice]]:
        """Runs of cells with one first position: (first position, slice of cells, slice of rows)."""
        edges = np.flatnonzero(np.diff(self.starts, prepend=-1, append=-1))
        for begin, end in zip(edges[:-1], edges[1:], strict=True):
            row = int(self.offsets[begin])
            rows = int(self.counts[begin]) * int(end - begin)
            yield int(self.starts[begin]), slice(int(begin), int(end)), slice(row, row + rows)

    def merge(self, cells: np.ndarray, starts: np.ndarray) -> tuple["Layout", np.ndarray]:
        """Add cells. Returns the new layout and, for each of its rows, the row in [old rows, added rows]."""
        added = Layout.of(cells, starts, self.kept)
        merged = Layout.of(np.append(self.cells, cells), np.append(self.starts, starts), self.kept)
        origin = np.concatenate([self.offsets, added.offsets + self.n_rows])
        place = {int(cell): n for n, cell in enumerate(np.append(self.cells, added.cells))}
        first = origin[[place[int(cell)] for cell in merged.cells]]
        within = np.arange(merged.n_rows) - np.repeat(merged.offsets, merged.counts)
        return merged, np.repeat(first, merged.counts) + within

    def narrow(self, kept: np.ndarray) -> tuple["Layout", np.ndarray]:
        """Keep fewer positions. Returns the new layout and the old row of each new row."""
        narrowed = Layout(self.cells, self.starts, kept)
        within = np.searchsorted(self.kept, narrowed.positions) - np.repeat(self.first_slot, narrowed.counts)
        return narrowed, np.repeat(self.offsets, narrowed.counts) + within
