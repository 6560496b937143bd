"""The table that pairs come in: what is read of it, and what is said of one that cannot be."""

import pandas as pd
import pytest

from resstream_demo.core.errors import OptionError
from resstream_demo.methods.pairs import Pair, read_pairs

HEADER = "clean,corrupted,answer,contrast,label\n"


def test_cells_are_taken_as_they_stand():
    text = HEADER + '" When Mary, and John ",other, Mary, John,two names\n"a ""b""\nc",d,x,,\n'
    assert read_pairs(text) == (
        Pair(" When Mary, and John ", "other", " Mary", " John", "two names"),
        Pair('a "b"\nc', "d", "x", "", "line 3"),
    )


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_what_spreadsheets_write_is_read(delimiter, ending, bom):
    rows = [
        ["Label", " CLEAN", "answer ", "note", "corrupted"],
        ["one", "a b", " c", "x", "d e"],
        [""] * 5,
        ["", "f", " g", "", "h"],
    ]
    text = bom + ending.join(delimiter.join(row) for row in rows) + ending
    assert read_pairs(text) == (Pair("a b", "d e", " c", "", "one"), Pair("f", "h", " g", "", "line 4"))


def test_pandas_writes_what_is_read():
    frame = pd.DataFrame({"clean": ["a, b", "c"], "corrupted": ["d; e", 'f "g"'], "answer": [" h", "\n"]})
    found = read_pairs(frame.to_csv(index=False))
    assert [(pair.clean, pair.corrupted, pair.answer) for pair in found] == [
        ("a, b", "d; e", " h"),
        ("c", 'f "g"', "\n"),
    ]


@pytest.mark.parametrize(
    "text, told",
    [
        ("", ["empty", "clean"]),
        ("\n\n", ["empty"]),
        ("clean,corrupt,answer\na,b,c\n", ["no column corrupted", "'clean', 'corrupt', 'answer'"]),
        ("a,b,c\n", ["no column clean, corrupted, answer"]),
        ("clean,corrupted,answer,clean\na,b,c,d\n", ["more than one column clean"]),
        ("clean,corrupted,answer,contrst\na,b,c,d\n", ["'contrst'", "contrast"]),
        (HEADER, ["no pairs"]),
        (HEADER + 'a,"b,c,d,e\nf,g,h,i,j\n', ["line 2"]),
        (HEADER + 'a,"b"x,c,d,e\n', ["line 2", "quotation marks"]),
        (HEADER + 'a, "b", c,,\n', ["Line 2", "space", "corrupted"]),
        (b"clean,corrupted,answer\na,b,c\n", ["bytes"]),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_read_is_told_why(text, told):
    with pytest.raises(OptionError) as caught:
        read_pairs(text)
    assert all(part in str(caught.value) for part in told), str(caught.value)


def test_every_bad_row_is_named_by_its_line_in_one_error():
    rows = ["a,b, c,,", ",b, c,,", '"two\nlines",b,,,', "a,b,c,d,e,too many", "a,b, c,,", "a"]
    with pytest.raises(OptionError) as caught:
        read_pairs(HEADER + "\n".join(rows))
    message = str(caught.value)
    for part in (
        "Line 3 has nothing for clean.",
        "Line 4 has nothing for answer.",
        "Line 6 has 6 cells",
        "Line 8 has nothing",
    ):
        assert part in message
    assert "corrupted, answer" in message and "Line 2 " not in message and "Line 7 " not in message


def test_of_very_many_bad_rows_all_are_counted_and_most_named():
    with pytest.raises(OptionError) as caught:
        read_pairs(HEADER + "a,b,,,\n" * 250, max_rows=1000)
    message = str(caught.value)
    assert "Line 2 has nothing" in message and "line 100," in message and "line 201 and 50 more" in message
    assert len(message) < 4000


def test_too_many_rows_are_refused_with_both_numbers():
    text = HEADER + "a,b, c,,\n" * 5
    assert len(read_pairs(text, max_rows=5)) == 5
    with pytest.raises(OptionError, match="5 pairs; at most 4"):
        read_pairs(text, max_rows=4)
