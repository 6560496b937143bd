"""The grid's sets and trails: what reaches the browser of them, and what is refused."""

import json
import math

import numpy as np
import pytest

from resstream_demo.ui.widgets import Grid, GridData, GridTrails, GridWords, Scale


def grid_data(**changes) -> GridData:
    """A grid of 3 rows and 2 columns."""
    settings = {"rows": ["embed", "L0", "L1"], "columns": ["␣a", "␣a"], "values": np.zeros((3, 2))}
    return GridData(**{**settings, "scale": Scale("sequential", "p"), **changes})


def trails(values=(0.1, 0.4, 0.8), keys=((0, -1), (0, 0), (-1, 0))) -> GridTrails:
    return GridTrails([[("␣b", values)], [("␣b", values), ("␣c", (0.2, 0.0, 0.00001))]], keys)


def test_a_set_of_cells_is_asked_for():
    assert grid_data().payload()["multi"] is False
    assert grid_data(multi=True).payload()["multi"] is True


def test_trails_are_shares_of_the_largest_of_their_column():
    sent = grid_data(trails=trails()).payload()["trails"]
    assert sent["keys"] == [[0, -1], [0, 0], [-1, 0]]
    assert sent["columns"][0] == {"high": "0.8000", "tokens": [["␣b", [0.125, 0.5, 1]]]}
    assert sent["columns"][1]["tokens"][1] == ["␣c", [0.25, 0, 0]]


def test_equal_tokens_of_a_column_stay_two_trails():
    twice = GridTrails([[("␣b", (0, 1, 0)), ("␣b", (1, 0, 1))]] * 2, [[0, 1]] * 3)
    columns = grid_data(trails=twice).payload()["trails"]["columns"]
    assert [shares for _, shares in columns[0]["tokens"]] == [[0, 1, 0], [1, 0, 1]]


def test_a_column_without_trails_or_with_zeros_only_is_drawn():
    nothing = GridTrails([[], [("␣b", (0, 0, 0))]], [[-1, 0]] * 3)
    columns = grid_data(trails=nothing).payload()["trails"]["columns"]
    assert [column["tokens"] for column in columns] == [[], [["␣b", [0, 0, 0]]]]


def test_trails_of_a_large_grid_stay_small():
    rows, columns = 49, 128
    random = np.random.default_rng(0)
    many = GridTrails(
        [[(f"␣t{k}", random.random(rows)) for k in range(5)] for _ in range(columns)],
        random.integers(0, 5, (rows, columns)),
    )
    data = GridData(["r"] * rows, ["c"] * columns, np.zeros((rows, columns)), Scale("sequential", "p"), trails=many)
    assert len(json.dumps(data.payload()["trails"], separators=(",", ":"))) < 240_000


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (trails(values=(0.1, 0.4)), r"'␣b' in column 0 has 2 values for 3 rows"),
        (trails(values=(0.1, math.nan, 0)), r"trail of '␣b' at row 1, column 0 is nan"),
        (trails(values=(0.1, math.inf, 0)), r"at row 1, column 0 is inf"),
        (trails(values=(0.1, 0.2, -0.1)), r"negative at row 2"),
        (trails(keys=((0, 0), (0, 0))), r"trails.keys must be 3 rows of 2"),
        (trails(keys=((1, 0), (0, 0), (0, 0))), r"Row 0, column 0 has trail 1; there are 1"),
        (trails(keys=((0, 0), (0, -2), (0, 0))), r"Row 1, column 1 has trail -2"),
        (GridTrails([[]], [[-1, -1]] * 3), r"trails.columns has 1 entries for 2 columns"),
    ],
)
def test_trails_that_do_not_fit_are_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        grid_data(trails=wrong)


def test_every_word_of_the_grid_can_be_replaced():
    words = GridWords(**{name: f"·{name}" for name in GridWords.__dataclass_fields__})
    assert grid_data(words=words).payload()["words"] == {name: f"·{name}" for name in GridWords.__dataclass_fields__}
    assert Grid(grid_data(words=words)).value.count("\\u00b7") == len(GridWords.__dataclass_fields__)
