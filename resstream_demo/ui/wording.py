"""Words that several tabs share."""

from ..core.words import Say, say


def logit_words(result) -> Say:
    """The logit of a result's answer, or its difference from the contrast's where there is one."""
    answer = result.answer.display if result.answer else ""
    if result.contrast is None:
        return say("logit of {answer}", answer=answer)
    return say("logit of {answer} − logit of {contrast}", answer=answer, contrast=result.contrast.display)
