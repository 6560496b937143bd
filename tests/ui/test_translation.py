"""The page in another language: every template has its translation, and nothing that was typed is touched."""

import copy
import json
import re
from collections import Counter, namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest

from resstream_demo.core.errors import ExplorerError
from resstream_demo.core.promptcheck import check_prompts
from resstream_demo.core.words import joined, plural, say
from resstream_demo.figures.caveats import not_shown
from resstream_demo.ui import translation
from resstream_demo.ui.examples import EXAMPLES_FILE, examples
from resstream_demo.ui.translation import FOLDER, LANGUAGES, Catalogue, catalogue_of, language_of, translate, translated
from tests.models_under_test import explored
from tests.sentences import all_calls, files, placeholders, templates

ZH = catalogue_of("zh")
EN = catalogue_of("en")
#: A language of the tests' own: what is said in it can be told from English and from Chinese.
LOUD = Catalogue("loud", {
    "There is no {what}.": "NO {what}!", "the {name} token": "{name} TOKEN", "{count} head": "{count} HEAD",
    "{count} heads": "{count} HEADS", "Try again.": "AGAIN!", " ": "", ", ": "/", "Copy": "COPY",
})  # fmt: skip
#: What Chinese text may hold in Latin letters, besides names with capitals, digits, dots or underscores in them.
TERMS = {
    "auto", "bos", "commit", "cpu", "dpi", "dtype", "embed", "id", "k", "kl", "log", "logit", "mean", "pattern",
    "pickle", "q", "reference", "resample", "safetensors", "tiny", "transformers", "v", "z", "zero",
}  # fmt: skip
PROPER = {
    "Ctrl", "Enter", "False", "Hub", "John", "LayerNorm", "Logit", "Mary", "Pair", "Prompt", "Python", "Shift", "True",
}  # fmt: skip
CHINESE = "[\u3400-\u9fff]"


# --- the catalogue and the source ----------------------------------------------------------------------------


def test_there_is_a_file_for_every_language_but_english():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(LANGUAGES) - {"en"}


def test_a_catalogue_is_read_once_and_cannot_be_changed():
    assert catalogue_of("zh") is ZH and not EN.templates
    with pytest.raises(TypeError):
        ZH.templates["Copy"] = "x"
    with pytest.raises(KeyError):
        catalogue_of("../secret")


def test_every_template_is_a_literal():
    assert [call.where for call in all_calls() if None in call.templates] == []
    assert len(files()) > 100 and len(templates()) > 150


def test_every_template_puts_in_exactly_the_values_it_is_given():
    wrong = []
    for call in all_calls():
        named = set().union(*({name for name, _ in placeholders(text)} for text in call.templates if text is not None))
        allowed = call.values | {"count"} if "count" in call.values else call.values
        if not call.open and not (named <= allowed and call.values - {"count"} <= named):
            wrong.append(call.where)
    assert wrong == []


@pytest.mark.parametrize("template", ["{x.y}", "{0}", "{}", "{x[0]}", "{x!r}", "{x:{width}}", "{x.__class__}"])
def test_a_template_that_does_more_than_put_values_in_is_refused(template):
    with pytest.raises(ValueError):
        placeholders(template)


def needed() -> set[str]:
    """What a catalogue has to hold: every template in the source, and the words of the examples, which are data."""
    return templates() | {words.template for example in examples() for words in (example.title, example.look_for)}


def test_the_words_of_the_examples_are_needed():
    entries = json.loads(EXAMPLES_FILE.read_text("utf-8"))
    texts = [entry[name] for entry in entries for name in ("title", "look_for")]
    assert texts and set(texts) <= {translate(say(template), EN) for template in needed() if not placeholders(template)}


def test_no_template_lacks_a_translation():
    missing = needed() - set(ZH.templates)
    assert not missing, "\n" + "\n".join(json.dumps(text, ensure_ascii=False) for text in sorted(missing))


def test_no_translation_is_left_over():
    assert set(ZH.templates) - needed() == set()


def test_no_key_stands_twice():
    pairs = json.loads((FOLDER / "zh.json").read_text("utf-8"), object_pairs_hook=list)
    assert [key for key, count in Counter(key for key, _ in pairs).items() if count > 1] == []


def test_translations_have_the_same_placeholders():
    different = [english for english, text in ZH.templates.items() if placeholders(english) != placeholders(text)]
    assert different == []


def latin_words(text: str) -> set[str]:
    """Words in Latin letters, without placeholders and what stands in quotation marks, which is meant as written."""
    bare = re.sub(r"\{[^{}]*\}|“[^“”]*”", " ", text)
    return set(re.findall(r"[A-Za-z](?:[\w.\-]*\w)?", bare, re.ASCII))


def is_name(word: str) -> bool:
    """Whether a word is a name of the code or of a thing, and the same in every language."""
    return word in TERMS | PROPER or word.isupper() or bool(re.search(r"[0-9._]", word))


def faults(english: str, text: str) -> list[str]:
    """What is not right about a translation into Chinese."""
    found = [f"{word} is English" for word in latin_words(text) if not is_name(word)]
    if re.search(rf"{CHINESE} ?[,;:?!.()]|[,;:?!()] ?{CHINESE}", text):
        found.append("punctuation beside Chinese is not full-width")
    if re.search(rf"{CHINESE} {CHINESE}|[，。；：、（）] | [，。；：、（）]", text):
        found.append("a space stands where Chinese has none")
    if not all(map(is_name, latin_words(english))) and not re.search(CHINESE, text):
        found.append("nothing of it is Chinese")
    return found


def test_chinese_is_chinese():
    found = {english: faults(english, text) for english, text in ZH.templates.items()}
    assert {english: fault for english, fault in found.items() if fault} == {}


@pytest.mark.parametrize(("english", "text"), [
    ("Try again.", "请 retry。"), ("Try again.", "请重试."), ("Try again.", "请,重试。"), ("Try again.", "请 重试。"),
    ("Try again.", "请， 重试。"), ("A list", "{name}"), ("(see above)", "(见上)"), ("Try again.", "Try again."),
])  # fmt: skip
def test_what_is_not_chinese_is_found(english, text):
    assert faults(english, text)


@pytest.mark.parametrize(("english", "text"), [
    ("logit", "logit"), ("id {id}", "id {id}"), ("L0H0", "L0H0"), (", ", "、"), ("Set HF_HOME.", "请设置 HF_HOME。"),
    ("Use (layer, head).", "请用“(layer, head)”。"), ("{n:,} MB of {total:,} MB", "{n:,} / {total:,} MB，共"),
])  # fmt: skip
def test_what_is_chinese_passes(english, text):
    assert not faults(english, text)


# --- saying it -----------------------------------------------------------------------------------------------


def test_a_sentence_and_the_sentences_in_it_are_translated():
    said = say("There is no {what}.", what=say("the {name} token", name="Mary"))
    assert translate(said, LOUD) == "NO Mary TOKEN!"
    assert translate(said, EN) == "There is no the Mary token."
    assert translate(copy.deepcopy(said), LOUD) == "NO Mary TOKEN!"


def test_plain_text_is_not_translated_whatever_it_says():
    assert translate("Try again.", LOUD) == "Try again."
    assert translate(say("There is no {what}.", what="Copy"), LOUD) == "NO Copy!"
    assert translate(say("There is no {what}.", what=say("Copy")), LOUD) == "NO COPY!"


@pytest.mark.parametrize("value", ["{0.__class__}", "{", "{what}", "{{what}}", "<b>", "There is no {what}.", "%s"])
def test_values_are_inert_in_every_language(value):
    assert translate(say("There is no {what}.", what=value), LOUD) == f"NO {value}!"
    assert translate(say("{name} could not be read: {reason}. Check its config.json and weights.",
                         name=value, reason=value), ZH).count(value) == 2  # fmt: skip


def test_what_the_catalogue_lacks_stays_english_around_what_it_has():
    said = say("Not there: {what} ({n:,})", what=say("Copy"), n=1200)
    assert translate(said, LOUD) == "Not there: COPY (1,200)"


def test_numbers_keep_their_format():
    said = say("Downloading {repo}: {done:,.0f} of {total:,.0f} MB", repo="gpt2", done=1234.5, total=5000.0)
    assert translate(said, ZH) == "正在下载 gpt2：1,234 / 5,000 MB"


def test_plural_and_joined_are_translated_with_their_separators():
    heads = [plural(1, "{count} head", "{count} heads"), plural(2, "{count} head", "{count} heads"), "plain"]
    assert translate(joined(heads, ", "), LOUD) == "1 HEAD/2 HEADS/plain"
    assert translate(joined([say("Try again.")] * 2), LOUD) == "AGAIN!AGAIN!"
    assert translate(joined(["z", "q"], ", "), ZH) == "z、q"


def test_errors_and_remarks_come_out_in_chinese_with_what_was_typed_untouched():
    model = explored("plain")
    with pytest.raises(ExplorerError) as caught:
        model.answer("", what="contrast")
    assert translate(caught.value.sentence, ZH) == "对照为空。请输入一个词元，例如“ Paris”。"
    remarks = translated(check_prompts(model, "", "clean ", "answer"), ZH)
    assert remarks[0].text == "干净提示：提示为空。请至少输入一个词。" and remarks[0].level == "error"
    assert all(re.search(CHINESE, remark.text) and remark.part in ("", "␣", "answer") for remark in remarks)
    caveat = translate(not_shown("head_ablation", "zero"), ZH)
    assert caveat.count("。") == 2 and " " not in caveat


# --- walking -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    words: str
    rows: list = field(default_factory=list)
    numbers: object = None
    length: int = field(init=False, default=0)


Pair = namedtuple("Pair", "name detail")
SAID, THEN = say("Copy"), "COPY"


@pytest.mark.parametrize(("value", "expected"), [
    (SAID, THEN), ([SAID, 1, "Copy"], [THEN, 1, "Copy"]), ((SAID, (SAID, None)), (THEN, (THEN, None))),
    ({"Copy": SAID, "n": [{"deep": SAID}]}, {"Copy": THEN, "n": [{"deep": THEN}]}),
    (Pair(SAID, 2), Pair(THEN, 2)), (Cell(SAID, [Cell("Copy")]), Cell(THEN, [Cell("Copy")])),
    (Cell("x", [(Cell(SAID),)]), Cell("x", [(Cell(THEN),)])), (None, None), (3.5, 3.5), ([], []), ((), ()),
])  # fmt: skip
def test_every_sentence_is_found(value, expected):
    before = copy.deepcopy(value)
    found = translated(value, LOUD)
    assert found == expected and type(found) is type(expected)
    assert value == before, "nothing changes in place"


@pytest.mark.parametrize("value", [
    ["Copy", 1, None], ("Copy",), {"a": ["Copy"]}, Cell("Copy", ["x"], np.zeros(3)), np.array([1, 2]), {SAID: 1},
    object(), [["a", "b"], ["c"]], Cell, {"Copy"},
])  # fmt: skip
def test_what_holds_no_sentence_is_the_same_object(value):
    assert translated(value, LOUD) is value


def test_in_english_nothing_is_walked():
    value = [SAID]
    assert translated(value, EN) is value


def test_parts_without_a_sentence_are_shared():
    numbers, rows = np.zeros((48, 128)), [["x"] * 128] * 48
    cell = translated(Cell(SAID, rows, numbers), LOUD)
    assert cell.words == THEN and cell.numbers is numbers and cell.rows is rows


def test_a_large_grid_is_not_gone_through_cell_by_cell(monkeypatch):
    steps, walked = [], translation._walked
    monkeypatch.setattr(translation, "_walked", lambda *given: (steps.append(1), walked(*given))[1])
    grid = {"rows": [[f"{r}·{c}" for c in range(128)] for r in range(48)], "values": np.zeros((48, 128)), "label": SAID,
            "shares": [[r * c / 7 for c in range(128)] for r in range(48)]}  # fmt: skip
    assert translated(grid, LOUD)["label"] == THEN
    assert len(steps) < 120


# --- choosing a language -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("header", "query", "language"), [
    (None, None, "en"), ("", "", "en"), ("zh", None, "zh"), ("zh-CN,zh;q=0.9,en;q=0.8", None, "zh"),
    ("en-GB,en;q=0.9,zh;q=0.8", None, "en"), ("en;q=0.3, zh-Hans-CN;q=0.7", None, "zh"), ("zh-TW", None, "zh"),
    ("ZH_hant", None, "zh"), ("fr-FR, de;q=0.9, zh;q=0.1", None, "zh"), ("fr, de", None, "en"), ("*", None, "en"),
    ("zh;q=0, en", None, "en"), ("zh;q=0", None, "en"), ("zh;q=nan, en;q=0.1", None, "en"), ("zh;q=1e9,en", None, "en"),
    ("zh ; Q=0.9 , en ; q=1.0", None, "en"), ("zhx, en", None, "en"), (";;,,=;q", None, "en"),
    ("a" * 10**6, None, "en"),
    ("en", "zh", "zh"), ("zh", "en", "en"), ("en", "zh-CN", "zh"), ("zh", "en_GB", "en"), ("zh", "xx", "zh"),
    ("zh", "../zh", "zh"), ("en", "../zh", "en"), ("en", " zh ", "zh"), ("en", "zh;q=0", "en"), ("zh,en", None, "zh"),
])  # fmt: skip
def test_the_language_of_a_visitor(header, query, language):
    assert language_of(header, query) == language
