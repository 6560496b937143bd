"""A deployment is configured by environment variables, and a bad one is named."""

import dataclasses

import pytest

from resstream_demo.core.errors import OptionError
from resstream_demo.core.settings import Settings


def test_an_empty_environment_gives_the_defaults():
    assert Settings.from_env({}) == Settings()


@pytest.mark.parametrize("field", dataclasses.fields(Settings), ids=lambda field: field.name)
def test_every_setting_has_a_variable(field):
    settings = Settings.from_env({f"RESSTREAM_{field.name.upper()}": "77"})
    assert getattr(settings, field.name) == (77 if field.type is int else "77")


@pytest.mark.parametrize("text", ["many", "-1", "0", "1.5", "9" * 5000, "²"])
def test_a_limit_that_is_no_positive_whole_number_is_refused_by_name(text):
    with pytest.raises(OptionError, match="RESSTREAM_MAX_TOKENS"):
        Settings.from_env({"RESSTREAM_MAX_TOKENS": text})


def test_the_page_offers_what_it_opens_on_first_and_each_model_once():
    settings = Settings(web_model="tiny", web_models="gpt2, tiny,, gpt2 ")
    assert settings.web_model_names == ("tiny", "gpt2")
