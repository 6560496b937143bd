"""A link holds the page's state, all of it and only what differs; what it asks for is checked like anything typed."""

from urllib.parse import parse_qsl

import pytest

from resstream_demo.core.settings import Settings
from resstream_demo.ui.page import Page
from resstream_demo.ui.selection import Selection


@pytest.fixture(scope="module")
def page():
    return Page(Settings())


@pytest.fixture
def data(page):
    return {component: getattr(component, "value", None) for component in page.everything()}


def read(page, query: str):
    return page.share.read(dict(parse_qsl(query, keep_blank_values=True)))


def test_the_page_as_it_opens_has_an_empty_link(page, data):
    assert page.share.link(data, env={}).query == ""
    assert read(page, "") == ({}, ())


def test_every_option_of_every_tab_comes_back(page, data):
    changed = {}
    for tab in page.tabs:
        for option in (*tab.run_options, *tab.view_options):
            choices = [value for _, value in getattr(option, "choices", None) or []]
            others = [value for value in choices if value != data[option] and isinstance(value, str)]
            if others and not isinstance(data[option], list):
                changed[option] = others[-1]
            elif isinstance(data[option], bool):
                changed[option] = not data[option]
    assert len(changed) >= 8
    query = page.share.link({**data, **changed}, env={}).query
    found, refused = read(page, query)
    assert refused == () and found == changed
    assert query.count("=") == len(changed)


def test_prompts_tokens_and_selection_come_back(page, data):
    bar = page.bar
    chosen = Selection(layer=-1, position=3, head=(1, 2), heads=((0, 3), (5, 7)), pinned=((11,), (262, 383)))
    changed = {
        bar.clean: " a & b = c\n猫<b>", bar.corrupted: "", bar.answer: "#5", bar.contrast: "", bar.bos: False,
        page.open_tab: "ablation", page.selection: chosen,
    }  # fmt: skip
    found, refused = read(page, page.share.link({**data, **changed}, env={}).query)
    assert refused == () and found == changed


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("model=/etc/passwd", "/etc/passwd"),
        ("model=gpt2-nonsense", "gpt2-nonsense"),
        ("tab=../lens", "../lens"),
        ("lens-site=resid_pre'; drop", "drop"),
        ("patching-direction=sideways", "sideways"),
        ("bos=2", "2"),
        ("layer=-2", "-2"),
        ("position=1e9", "1e9"),
        ("head=L1", "L1"),
        ("head=L1H2 L1H3", "L1H3"),
        ("heads=L1H2,L1H3", "L1H2,L1H3"),
        ("heads=" + " ".join(["L1H1"] * 201), "200 at most"),
        ("follow=a", "'a'"),
        ("follow=" + "1%2B" * 30 + "1", "1+1"),
        ("answer=" + "x" * 300, "300 characters"),
        ("clean=" + "x" * 20_001, "20,001 characters"),
    ],
)
def test_what_is_out_of_bounds_is_refused(page, query, part):
    found, (sentence,) = read(page, query)
    assert found == {} and part in sentence and len(sentence) < 400


def test_a_selection_that_the_model_lacks_is_left_out_when_it_is_drawn(page, data):
    asked, refused = read(page, "layer=40&position=900&head=L30H30&heads=L30H30 L0H1")
    assert refused == ()
    data = {**data, **asked, **{tab.outcome: outcome for tab, outcome in page.opening.items()}}
    for tab in page.tabs:
        assert tab.followed(data)


def test_on_a_space_the_address_is_that_of_the_space(page, data):
    link = page.share.link({**data, page.open_tab: "patching"}, env={"SPACE_ID": "someone/explorer"})
    assert (link.page, link.query) == ("https://huggingface.co/spaces/someone/explorer", "tab=patching")


def test_a_link_fills_the_page_and_asks_for_a_run(page, data):
    updates = page.opened_by_link(data, {"clean": "The capital of France is", "evil": "1"})
    assert updates[page.bar.clean] == "The capital of France is" and updates[page.linked] is True
    assert "evil" in updates[page.bar.link_notice]["value"].lines[0]
    assert page.tabs[0].outcome not in updates, "no result of other inputs is shown"
    steps = list(page.follow_link({**data, **{k: v for k, v in updates.items() if k in data}}))
    assert steps[0] == {page.linked: False} and any(page.tabs[0].outcome in step for step in steps)


def test_a_page_opened_without_a_link_computes_nothing(page, data):
    updates = page.opened_by_link(data, {})
    assert page.linked not in updates and updates[page.tabs[0].outcome] is page.opening[page.tabs[0]]
    (only,) = page.follow_link(data)
    assert "__type__" in only
