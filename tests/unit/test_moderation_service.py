"""Who judges what, for how long, and what becomes of a text that nobody could judge."""

from uuid import UUID

import pytest
from structlog.testing import capture_logs

from assist_service.adapters.markdown.markup import Markup
from assist_service.domain.answer import Checked
from assist_service.domain.conversation import Kind
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.moderation import MODERATED_CHARACTERS, Judged, written
from assist_service.domain.names import Masks
from assist_service.domain.placeholders import Names
from assist_service.services.health import Check
from assist_service.services.moderation import KNOWN_SECONDS, Judging, Moderation, Moderators
from tests.fakes.clocks import HandClock
from tests.fakes.moderators import ScriptedModerator

MARKUP = Markup("https://lms.example")
MASKS = Masks.of(Names("bcdfghjk"), "A question?")


def judging(
    chosen: ScriptedModerator, local: ScriptedModerator | None = None, *, left: float = 90.0, seconds: float = 5.0
) -> Judging:
    clock = HandClock()
    local = local or ScriptedModerator("words", provider=None)
    moderation = Moderation(Moderators(chosen, local), MARKUP, clock, seconds)
    return moderation.of_question(deadline=clock.monotonic() + left)


def answer(words: str, added: str = "") -> Checked:
    return Checked(Kind.MANUAL, "\n\n".join(part for part in (words, added) if part), (), words=words)


async def code_of(judged: Judging, question: str = "A question?") -> Code:
    with pytest.raises(AssistError) as error:
        await judged.admit(question)
    return error.value.code


async def test_without_a_moderator_everything_passes() -> None:
    judged = Moderation(None, MARKUP, HandClock()).of_question(deadline=0.0)
    await judged.admit("flagword")
    assert not await judged.refuses(answer("flagword"), MASKS)
    assert not judged.has_sent


async def test_a_question_is_judged_by_the_chosen_one() -> None:
    chosen, local = ScriptedModerator(), ScriptedModerator("words", provider=None)
    judged = judging(chosen, local)
    await judged.admit("A question?")
    assert await code_of(judged, "A flagword?") is Code.QUESTION_REFUSED
    assert (chosen.texts, local.texts) == (["A question?", "A flagword?"], [])
    assert judged.has_sent


async def test_the_words_of_the_model_and_of_the_service_go_to_their_own() -> None:
    chosen, local = ScriptedModerator(), ScriptedModerator("words", provider=None)
    judged = judging(chosen, local)
    assert not await judged.refuses(answer("Said.", "Opens: Pool."), MASKS)
    assert (chosen.texts, local.texts) == (["Said."], ["Opens: Pool."])
    assert await judged.refuses(answer("A flagword.", "Opens: Pool."), MASKS)
    assert await judged.refuses(answer("Said.", "A flagword."), MASKS)


async def test_what_only_the_service_said_reaches_no_provider() -> None:
    chosen = ScriptedModerator(fault="timeout")
    judged = judging(chosen)
    assert not await judged.refuses(answer("", "I couldn't find that."), MASKS)
    assert (chosen.texts, judged.has_sent) == ([], False)
    assert await judged.moderation.check() is Check.UNKNOWN, "the list says nothing of the provider"


async def test_a_list_here_sends_nothing() -> None:
    judged = judging(ScriptedModerator("words", provider=None))
    await judged.admit("A question?")
    assert not judged.has_sent


@pytest.mark.parametrize("fault", ["timeout", "malformed"])
async def test_a_fault_is_no_verdict(fault: str) -> None:
    judged = judging(ScriptedModerator(fault=fault))
    with capture_logs() as logs:
        assert await code_of(judged, "canaryquestion?") is Code.MODERATION_UNAVAILABLE
        with pytest.raises(AssistError, match="moderation_unavailable"):
            await judged.refuses(answer("canaryanswer"), MASKS)
    told = [(each["event"], each["judged"], each["reason"]) for each in logs]
    assert told == [("moderation_fault", "question", fault), ("moderation_fault", "answer", fault)]
    assert "canary" not in str(logs)


async def test_a_slow_one_is_not_waited_for_beyond_its_bound() -> None:
    assert await code_of(judging(ScriptedModerator(seconds=2.0), seconds=0.02)) is Code.MODERATION_UNAVAILABLE


@pytest.mark.parametrize("left", [0.02, 0.0, -5.0])
async def test_nor_beyond_the_questions_deadline(left: float) -> None:
    assert await code_of(judging(ScriptedModerator(seconds=2.0), left=left)) is Code.MODERATION_UNAVAILABLE


async def test_what_the_model_left_no_time_for_is_no_fault_of_the_moderator() -> None:
    chosen = ScriptedModerator()
    judged = judging(chosen, left=0.02)
    await judged.admit("A question?")
    chosen.seconds = 2.0
    with capture_logs() as logs, pytest.raises(AssistError, match="moderation_unavailable"):
        await judged.refuses(answer("Said."), MASKS)
    assert [(each["event"], each["judged"]) for each in logs] == [("moderation_unjudged", "answer")]
    assert await judged.moderation.check() is Check.OK


async def test_a_question_has_the_whole_time_and_an_answer_the_moderators() -> None:
    for judged in (
        judging(ScriptedModerator(seconds=2.0), left=0.02),
        judging(ScriptedModerator(seconds=2.0), seconds=0.02),
    ):
        with capture_logs() as logs:
            await code_of(judged)
        assert [each["event"] for each in logs] == ["moderation_fault"]
        assert await judged.moderation.check() is Check.FAILED
    with capture_logs() as logs, pytest.raises(AssistError):
        await judged.refuses(answer("Said."), MASKS)
    assert [each["event"] for each in logs] == ["moderation_fault"]


async def test_what_is_too_long_to_be_read_whole_is_refused_unread() -> None:
    chosen = ScriptedModerator()
    judged = judging(chosen)
    assert not await judged.refuses(answer("x" * MODERATED_CHARACTERS), MASKS)
    assert await judged.refuses(answer("x" * (MODERATED_CHARACTERS + 1)), MASKS)
    assert [len(text) for text in chosen.texts] == [MODERATED_CHARACTERS]


async def test_what_it_last_came_to_is_known_for_a_while() -> None:
    chosen = ScriptedModerator()
    judged = judging(chosen)
    moderation = judged.moderation
    clock = moderation.clock
    assert isinstance(clock, HandClock)
    assert await moderation.check() is Check.UNKNOWN
    await judged.admit("a")
    assert await moderation.check() is Check.OK
    chosen.fault = "timeout"
    await code_of(judged)
    assert await moderation.check() is Check.FAILED
    clock.move(KNOWN_SECONDS + 1)
    assert await moderation.check() is Check.UNKNOWN


async def test_a_list_here_is_always_well_and_no_moderator_is_told() -> None:
    assert await judging(ScriptedModerator("words", provider=None)).moderation.check() is Check.OK
    assert await Moderation(None, MARKUP, HandClock()).check() is Check.NOT_SET


def test_an_unmasked_name_in_an_answer_is_masked_for_it() -> None:
    masks = Masks.of(Names("bcdfghjk"), "How is Ana Cruz?")
    masks.mask(UUID(int=1), "Ana Cruz")
    texts = written(answer("Ana **Cr**uz is [well](https://lms.example/x)."), masks, MARKUP.text)
    assert texts[Judged.ANSWER] == "Person-bcdfghjk-1 is well.\nhttps://lms.example/x"
