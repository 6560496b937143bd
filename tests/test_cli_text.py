"""Plain text that lines up."""

import pytest

from resstream_demo.cli_text import grid, printable, sentence, shorten, table, width_of, wrap

# What a terminal gives each of these, by its columns.
WIDTHS = {
    "": 0,
    "Mary": 4,
    "␣Mary": 5,
    "中国": 4,
    "ｆｕｌｌ": 8,
    "e\u0301": 1,
    "한국": 4,
    "\u1112\u1161\u11ab": 2,
    "🙂": 2,
}


@pytest.mark.parametrize(("text", "width"), WIDTHS.items())
def test_width_is_counted_in_columns(text, width):
    assert width_of(text) == width


def test_a_long_text_is_cut_to_its_columns():
    assert shorten("store", 5) == "store" and shorten("stores", 5) == "stor…"
    assert shorten("中国人民", 5) == "中国…" and width_of(shorten("中国人民", 4)) <= 4


def test_control_characters_and_broken_ones_are_escaped_and_a_message_is_one_line():
    assert printable("a\nb\x1b[31m\udce9é中") == "a b\\x1b[31m\\udce9é中"


def test_words_are_wrapped_at_the_width_and_none_is_lost():
    words = "the quick brown 中国 fox".split()
    lines = wrap(words, 12, first="> ", indent="  ")
    assert lines[0].startswith("> ") and all(width_of(line) <= 12 for line in lines)
    assert " ".join(line[2:] for line in lines).split() == words


def test_a_word_wider_than_the_line_stands_alone():
    assert wrap(["a", "immeasurable", "b"], 5) == ["a", "immeasurable", "b"]


def test_a_sentence_continues_under_its_beginning():
    assert sentence("one two three", 9, first="✓ ") == ["✓ one two", "  three"]


def test_a_grid_grows_upward_and_its_columns_line_up_whatever_is_in_them():
    lines = grid(["embed", "L0"], [["0", "1"], ["中国", "a"]], [["1", "22"], ["333", "中"]], 40)
    assert lines == ["          0   1", "       中国   a", "L0      333  中", "embed     1  22"]
    assert {width_of(line) for line in lines} == {15}


def test_columns_that_do_not_fit_go_on_below_with_their_heads():
    heads = [[f"h{n}" for n in range(9)]]
    lines = grid(["a", "b"], heads, [["xxxxxx"] * 9, ["yyyyyy"] * 9], 30)
    assert all(width_of(line) <= 30 for line in lines)
    assert " ".join(lines).split().count("xxxxxx") == 9
    assert [word for line in lines for word in line.split() if word.startswith("h")] == heads[0]


def test_a_column_wider_than_the_terminal_is_still_shown():
    assert "wide" * 10 in " ".join(grid(["a"], [["h", "i"]], [["wide" * 10, "x"]], 20))


def test_a_table_has_words_to_the_left_and_numbers_to_the_right():
    assert table(["name", "n"], [["中", "1"], ["abcde", "22"]]) == ["name    n", "中      1", "abcde  22"]
