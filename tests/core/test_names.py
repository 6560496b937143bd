"""Heads, positions and options are read as people write them, and refused with a sentence."""

import pytest

from resstream_demo.core.errors import OptionError
from resstream_demo.core.names import choose, head_label, parse_head, parse_heads, parse_position, parse_positions


@pytest.mark.parametrize("written", ["L9H6", "l9h6", "9.6", " L9H6 ", "9:6", "L9.6", (9, 6), [9, 6]])
def test_a_head_can_be_written_in_several_ways(written):
    assert parse_head(written, 12, 12) == (9, 6)


def test_a_label_reads_back_as_the_same_head():
    assert parse_head(head_label(11, 0), 12, 12) == (11, 0)


@pytest.mark.parametrize(
    "written", ["", "9", "96", "H6", "L9", "L-1H0", "LxHy", "9.6.1", (9,), (9, 6, 1), 9, None, (9.5, 6), (True, 0)]
)
def test_what_is_not_a_head_is_refused_and_shown(written):
    with pytest.raises(OptionError, match="is not a head"):
        parse_head(written, 12, 12)


@pytest.mark.parametrize("written", [(9.5, 6), (1.0, 0), (True, 0), ("9", "6")])
def test_layer_and_head_are_whole_numbers(written):
    with pytest.raises(OptionError, match="is not a head"):
        parse_head(written, 12, 12)


@pytest.mark.parametrize("written", ["L12H0", "L0H12", (12, 0), (-1, 0), (0, -1)])
def test_a_head_that_does_not_exist_is_refused_with_the_range(written):
    with pytest.raises(OptionError, match="layers 0–11"):
        parse_head(written, 12, 12)


@pytest.mark.parametrize("written", ["L9H9, L9H6", "L9H6 L9H9", "9.6;9.9", ["L9H9", (9, 6)], ["L9H6", "L9H9", "9.6"]])
def test_several_heads_are_sorted_and_each_counts_once(written):
    assert parse_heads(written, 12, 12) == ((9, 6), (9, 9))


@pytest.mark.parametrize("written", ["", " , ", []])
def test_no_heads_at_all_is_refused(written):
    with pytest.raises(OptionError, match="at least one"):
        parse_heads(written, 12, 12)


def test_positions_count_from_either_end():
    assert parse_positions([3, -1, 3], 10) == (3, 9)


@pytest.mark.parametrize("position", [10, -11])
def test_a_position_outside_the_prompt_is_refused_with_the_range(position):
    with pytest.raises(OptionError, match="positions 0–9"):
        parse_position(position, 10)


@pytest.mark.parametrize("position", [1.5, "x", None, True])
def test_a_position_is_a_whole_number(position):
    with pytest.raises(OptionError, match="whole number"):
        parse_position(position, 10)


@pytest.mark.parametrize("positions", ["3", 3, []])
def test_positions_are_a_list_with_something_in_it(positions):
    with pytest.raises(OptionError):
        parse_positions(positions, 10)


def test_an_unknown_option_is_refused_with_the_known_ones():
    with pytest.raises(OptionError, match="Unknown site 'resid'. Choose one of: a, b"):
        choose("resid", ("a", "b"), "site")
