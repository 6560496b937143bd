"""The sweep engine: many edited runs for little more than the work that their edits can change.

A change at (layer l, position p) reaches only layers ≥ l and positions ≥ p. So a cell starts at its first
edited layer, stage and position; everything before is read from the base trace. One walk over the layers
serves all cells: at layer l the cells that start there join the batch, and each layer's weights are read
once for all of them. All linear maps run on one packed [tokens, d_model] matrix without padding; attention
takes the prefix a cell does not own from the base trace. In the last layer only the positions that are
read go on past the keys and values. Cells run in chunks under a memory budget.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .attention import attention_output, attention_pattern
from .cells import STAGE_ATTENTION, STAGE_MID, STAGE_POST, STAGE_PRE, STAGE_Z, STAGES, Cell, Edit
from .layout import Layout
from .trace import Trace

Measure = Callable[[Tensor], Tensor]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class _Job:
    """A cell with the edits that can reach what is read, and where its work begins."""

    number: int
    edits: tuple[Edit, ...]
    layer: int
    stage: int
    start: int


@torch.no_grad()
def sweep(
    model,
    base: Trace,
    cells: Sequence[Cell],
    measure: Measure,
    *,
    read: Sequence[int] = (-1,),
    chunk_tokens: int | None = None,
    progress: Progress | None = None,
) -> Tensor:
    """Run every cell against the base run and measure what comes out.

    measure: from final streams [n, P, d_model] (before ln_final) at the P positions `read` to [n, …], row by
    row. A cell whose edits cannot reach what is read gets exactly the base run's measure. chunk_tokens: how
    many tokens run at once (default: from the model's memory budget). progress: called with (cells done,
    cells in all) after each layer's work; raising in it stops the sweep. Returns [len(cells), …].
    """
    T = len(base.prompt)
    kept = np.unique([position % T for position in read])
    untouched = measure(base.final[torch.as_tensor(kept, device=base.final.device)][None])
    jobs = [job for job in (_job(n, cell, kept, model.n_layers) for n, cell in enumerate(cells)) if job]
    results = untouched.expand(len(cells), *untouched.shape[1:]).clone()
    budget = chunk_tokens or model.chunk_tokens(T)
    done = len(cells) - len(jobs)
    for chunk in _chunks(sorted(jobs, key=lambda job: (job.layer, job.stage, job.start)), T, budget):
        finals = _Walk(model, base, chunk, kept, _ticker(progress, done, len(chunk), len(cells))).run()
        results[torch.tensor([job.number for job in chunk], device=results.device)] = measure(finals)
        done += len(chunk)
    return results


def _ticker(progress: Progress | None, done: int, here: int, total: int) -> Callable[[float], None] | None:
    return None if progress is None else lambda share: progress(done + int(share * here), total)


def _job(number: int, cell: Cell, kept: np.ndarray, n_layers: int) -> _Job | None:
    """Leave out what cannot reach the positions read; None if nothing is left."""
    edits = []
    for edit in cell.edits:
        reaches = [p <= kept[-1] for p in edit.positions]
        if edit.layer == n_layers - 1 and edit.site not in ("resid_pre", "k", "v"):
            reaches = [p in kept for p in edit.positions]
        if all(reaches):
            edits.append(edit)
        elif any(reaches):
            mask = torch.tensor(reaches, device=edit.values.device)
            positions = tuple(p for p, r in zip(edit.positions, reaches, strict=True) if r)
            edits.append(Edit(edit.site, edit.layer, edit.head, positions, edit.values[mask]))
    edits = [edit for edit in edits if edit.positions]
    if not edits:
        return None
    layer, stage = min((edit.layer, STAGES[edit.site]) for edit in edits)
    return _Job(number, tuple(edits), layer, stage, min(edit.positions[0] for edit in edits))


def _chunks(jobs: list[_Job], n_tokens: int, budget: int):
    chunk, used = [], 0
    for job in jobs:
        cost = n_tokens - job.start
        if chunk and used + cost > budget:
            yield chunk
            chunk, used = [], 0
        chunk.append(job)
        used += cost
    if chunk:
        yield chunk


class _Walk:
    """One walk over the layers for one chunk of cells. Lives for that walk only; changes nothing outside."""

    def __init__(self, model, base: Trace, jobs: list[_Job], read: np.ndarray, tick):
        self.adapter, self.base, self.jobs, self.read, self.tick = model.adapter, base, jobs, read, tick
        self.n_layers = model.n_layers
        self.device = base.final.device
        self.first_layer = jobs[0].layer
        everything = np.arange(len(base.prompt))
        self.layout = Layout(np.empty(0, dtype=int), np.empty(0, dtype=int), everything)
        self.full = self.layout  # the layout that keys and values have
        self.joining: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.editing: dict[tuple[int, str], list[tuple[int, Edit]]] = defaultdict(list)
        for n, job in enumerate(jobs):
            self.joining[job.layer, job.stage].append(n)
            for edit in job.edits:
                self.editing[edit.layer, edit.site].append((n, edit))

    def run(self) -> Tensor:
        """Final streams of the chunk's cells at the positions read: [cells, P, d_model]."""
        stream = self.base.final[:0]
        for layer in range(self.first_layer, self.n_layers):
            stream = self._layer(layer, stream)
            if self.tick:
                self.tick((layer + 1 - self.first_layer) / (self.n_layers - self.first_layer))
        return self._collect(stream)

    def _layer(self, layer: int, stream: Tensor) -> Tensor:
        base, last = self.base, layer == self.n_layers - 1
        (stream,) = self._join(layer, STAGE_PRE, (stream, base.resid_pre[layer]))
        stream = self._edit(layer, "resid_pre", stream)
        stream, z = self._attend(layer, stream, last)
        stream, z = self._join(layer, STAGE_Z, (stream, base.resid_pre[layer]), (z, base.z[layer].transpose(0, 1)))
        z = self._edit(layer, "z", z)
        attn_out = self._map(self.adapter.attn_write, layer, z)
        stream, attn_out = self._join(
            layer, STAGE_MID, (stream, base.resid_pre[layer]), (attn_out, base.attn_out[layer])
        )
        mid = stream + self._edit(layer, "attn_out", attn_out)
        mid = self._edit(layer, "resid_mid", mid)
        mlp_out = self._map(self.adapter.mlp, layer, mid)
        mid, mlp_out = self._join(layer, STAGE_POST, (mid, base.resid_mid[layer]), (mlp_out, base.mlp_out[layer]))
        post = mid + self._edit(layer, "mlp_out", mlp_out)
        return self._edit(layer, "resid_post", post)

    def _map(self, function, layer: int, rows: Tensor) -> Tensor:
        """Apply a sublayer's map, skipping it while no cell has begun."""
        if len(rows) == 0:
            return self.base.final[:0]
        return function(layer, rows).to(self.device)

    # --- attention -------------------------------------------------------------------------------------------

    def _attend(self, layer: int, stream: Tensor, last: bool) -> tuple[Tensor, Tensor]:
        """From the stream to z, for the cells that have begun; narrows to the positions read if `last`."""
        base = self.base
        if len(stream):
            positions = torch.as_tensor(self.layout.positions, device=self.device)
            q, k, v = (x.to(self.device) for x in self.adapter.qkv(layer, stream, positions))
        else:
            q = k = v = base.q.new_empty((0, *base.q.shape[1::2]))
        here = [(x, trace[layer].transpose(0, 1)) for x, trace in ((q, base.q), (k, base.k), (v, base.v))]
        stream, q, k, v = self._join(layer, STAGE_ATTENTION, (stream, base.resid_pre[layer]), *here)
        q, k, v = (self._edit(layer, site, x) for site, x in (("q", q), ("k", k), ("v", v)))
        self.full = self.layout
        if last:
            self.layout, rows = self.layout.narrow(self.read)
            rows = torch.as_tensor(rows, device=self.device)
            stream, q = stream[rows], q[rows]
        return stream, self._z(layer, q, k, v)

    def _z(self, layer: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Head outputs [N, H, d_head] of packed queries [N, …] over packed keys and values."""
        base_k, base_v = (x[layer].transpose(0, 1) for x in (self.base.k, self.base.v))
        replaced = self._pattern_edits(layer)
        z = torch.empty_like(q)
        T, head_shape = len(self.base.prompt), q.shape[1:]
        for (start, members, rows), (_, _, full_rows) in zip(self.layout.groups(), self.full.groups(), strict=True):
            n = members.stop - members.start
            own_q = q[rows].view(n, -1, *head_shape)
            own_k, own_v = (x[full_rows].view(n, T - start, *head_shape) for x in (k, v))
            own_index = torch.as_tensor(self.layout.kept[self.layout.kept >= start] - start, device=q.device)
            scale = self.base.scales[layer]
            pattern = attention_pattern(own_q, base_k[:start], own_k, own_index, scale)
            self._replace_rows(pattern, replaced, members)
            z[rows] = attention_output(pattern, base_v[:start], own_v).reshape(-1, *head_shape)
        return z

    def _pattern_edits(self, layer: int) -> dict[int, list[tuple[int, int, Tensor]]]:
        """Edited pattern rows by the cell's place in row order: (head, row within the cell, values)."""
        found = defaultdict(list)
        for cell, edit in self.editing.get((layer, "pattern"), ()):
            n = self.layout.index(cell)
            for position, values in zip(edit.positions, edit.values, strict=True):
                row = self.layout.row(cell, position)
                if row is not None:
                    found[n].append((edit.head, row - int(self.layout.offsets[n]), values))
        return found

    @staticmethod
    def _replace_rows(pattern: Tensor, replaced: dict, members: slice) -> None:
        edits = [(head, n - members.start, row, values) for n in range(members.start, members.stop)
                 for head, row, values in replaced.get(n, ())]  # fmt: skip
        if edits:
            heads, copies, rows, values = zip(*edits, strict=True)
            pattern[list(heads), list(copies), list(rows)] = torch.stack(values).to(pattern)

    # --- packed rows -----------------------------------------------------------------------------------------

    def _join(self, layer: int, stage: int, *pairs: tuple[Tensor, Tensor]) -> tuple[Tensor, ...]:
        """Let the cells that start here join: each pair is (packed rows so far, base values by position)."""
        new = np.array(self.joining.get((layer, stage), ()), dtype=int)
        if not len(new):
            return tuple(rows for rows, _ in pairs)
        starts = np.array([self.jobs[n].start for n in new])
        added = Layout.of(new, starts, self.layout.kept)
        self.layout, order = self.layout.merge(new, starts)
        positions = torch.as_tensor(added.positions, device=self.device)
        order = torch.as_tensor(order, device=self.device)
        return tuple(torch.cat([rows, base[positions]])[order] for rows, base in pairs)

    def _edit(self, layer: int, site: str, rows: Tensor) -> Tensor:
        """Put this site's new values into freshly computed packed rows [N, d_model] or [N, H, d_head]."""
        index, heads, values = [], [], []
        for cell, edit in self.editing.get((layer, site), ()):
            for n, position in enumerate(edit.positions):
                row = self.layout.row(cell, position)
                if row is not None:
                    index.append(row)
                    heads.append(edit.head)
                    values.append(edit.values[n])
        if not index:
            return rows
        where = torch.tensor(index, device=self.device)
        values = torch.stack(values).to(rows)
        if heads[0] is None:
            rows[where] = values
        else:
            rows[where, torch.tensor(heads, device=self.device)] = values
        return rows

    def _collect(self, stream: Tensor) -> Tensor:
        """[cells, P, d_model] from the last layer's packed rows; positions before a cell's first are the base's."""
        read = torch.as_tensor(self.read, device=self.device)
        finals = self.base.final[read].repeat(len(self.jobs), 1, 1)
        cells = np.repeat(self.layout.cells, self.layout.counts)
        slots = np.searchsorted(self.read, self.layout.positions)
        finals[torch.as_tensor(cells, device=self.device), torch.as_tensor(slots, device=self.device)] = stream
        return finals
