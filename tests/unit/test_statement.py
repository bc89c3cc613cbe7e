"""What an answer did is said by the service, in the person's language, and from its own records only (B7)."""

import itertools
from typing import get_args
from uuid import UUID

import pytest

from assist_service.domain.acts import Acts, Prepared, note_write
from assist_service.domain.reply import EditQuestion, OpenScreen, ScreenCommand
from assist_service.domain.screens import Language
from assist_service.domain.statement import (
    COMMANDS,
    EDIT,
    NOTHING_CHANGED,
    NOTHING_PREPARED,
    OPENS,
    PREPARED,
    WRITES,
    sentence_of,
    statement_of,
)
from assist_service.domain.writes import MAX_WRITES, WriteRequest, WriteTool

ID = UUID(int=7)

SCREEN = OpenScreen(type="open_screen", screen="pool", ids={"id": ID}, params={}, path=f"/pools/{ID}", title="Pool")
EDITED = EditQuestion(type="edit_question", question_id=ID, base="b", changes=(), config={}, explanation="")


def command(kind: str, label: str = "Try it") -> ScreenCommand:
    return ScreenCommand.model_validate({"type": kind, "id": label.lower().replace(" ", "-"), "label": label})


def prepared(tool: WriteTool = WriteTool.CREATE_CATEGORY, title: str = "Loops") -> Prepared:
    return Prepared(WriteRequest.of(tool, ID, {"title": title}), ())


def test_every_wording_is_there_in_every_language() -> None:
    kinds = get_args(ScreenCommand.model_fields["type"].annotation)
    assert set(COMMANDS) == set(kinds)
    assert set(WRITES) == set(WriteTool)
    for words in (*WRITES.values(), *COMMANDS.values(), EDIT, OPENS, PREPARED, NOTHING_CHANGED, NOTHING_PREPARED):
        assert set(words) == set(Language)
        assert all(text.strip() for text in words.values())


def test_nothing_done_is_nothing_said_and_never_a_change() -> None:
    assert sentence_of(Acts(), Language.ENGLISH) == ""
    statement = statement_of(Acts(), Language.ENGLISH)
    assert (statement.opened, statement.prepared, statement.changed) == ((), (), False)


def test_what_runs_by_itself_is_opened_and_what_waits_is_prepared() -> None:
    acts = Acts(
        commands=[
            command("run_command", "Try it"),
            command("offer_command", "Preview"),
            command("confirm_command", "Publish"),
        ],
        screen=SCREEN,
        edit=EDITED,
        writes=[prepared(), prepared(title="Arrays"), prepared(WriteTool.CREATE_TEMPLATE)],
    )
    statement = statement_of(acts, Language.FRENCH)
    assert statement.opened == ("Try it", "Pool")
    assert statement.prepared == (
        "Preview",
        "Publish",
        EDIT[Language.FRENCH],
        WRITES[WriteTool.CREATE_CATEGORY][Language.FRENCH],
        WRITES[WriteTool.CREATE_TEMPLATE][Language.FRENCH],
    )
    assert statement.changed is False


@pytest.mark.parametrize("language", Language)
def test_the_sentence_holds_no_word_that_a_front_end_or_a_model_wrote(language: Language) -> None:
    acts = Acts(
        commands=[command("confirm_command", "[x](https://elsewhere.example)")], writes=[prepared(title="**x**")]
    )
    assert "elsewhere" not in sentence_of(acts, language)
    assert "**x**" not in sentence_of(acts, language)
    assert WRITES[WriteTool.CREATE_CATEGORY][language] in sentence_of(acts, language)


def test_at_most_three_writes_are_noted_and_none_twice() -> None:
    acts = Acts()
    assert note_write(acts, prepared()) is None
    assert note_write(acts, prepared()) is not None
    for title in ("b", "c"):
        assert note_write(acts, prepared(title=title)) is None
    assert note_write(acts, prepared(title="d")) is not None
    assert len(acts.writes) == MAX_WRITES


def test_a_digest_is_of_tool_entity_and_body_together() -> None:
    of = [
        WriteRequest.of(tool, entity, body)
        for tool, entity, body in itertools.product(
            (WriteTool.CREATE_CATEGORY, WriteTool.CREATE_TEMPLATE), (None, ID, UUID(int=8)), ({"a": 1}, {"a": 2}, {})
        )
    ]
    assert len({each.digest for each in of}) == len(of)
    assert WriteRequest.of(WriteTool.CREATE_TEMPLATE, ID, {"b": 1, "a": 2}) == WriteRequest.of(
        WriteTool.CREATE_TEMPLATE, ID, {"a": 2, "b": 1}
    )
    with pytest.raises(ValueError, match="JSON"):
        WriteRequest.of(WriteTool.CREATE_TEMPLATE, ID, {"a": float("nan")})
