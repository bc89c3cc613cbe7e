"""A reference opens for its purpose, person and conversation, for a day, as it was written, and not else (S3)."""

import base64
import datetime as dt
import json
import uuid

import pytest

from assist_service.adapters.sealing import AesGcmSealer
from assist_service.domain.asked import Asked, with_reference
from assist_service.domain.context import AssistContext
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.live.query import SEARCH_CHARACTERS, Lookup, Operation, Query, RecordKind
from assist_service.domain.references import (
    Listed,
    Option,
    Picked,
    Purpose,
    Reference,
    Selection,
    shown_label,
)
from assist_service.domain.screens import Language
from assist_service.ports import Binding, SealBroken
from assist_service.services.references import Holder, ReferenceDesk
from assist_service.web.schemas import REFERENCE_CHARACTERS
from tests.fakes.clocks import HandClock
from tests.fakes.house import question_body

OLD, NEW, FOREIGN = (bytes([number]) * 32 for number in range(3))
HERE = uuid.UUID(int=1)
ADA = Holder("ada", HERE)
CLASS = Picked(kind=RecordKind.CLASS, id=uuid.UUID(int=7))
EXAM = Picked(kind=RecordKind.EXAM, id=uuid.UUID(int=8))
STUDENT = Picked(kind=RecordKind.STUDENT, id=uuid.UUID(int=9))
SELECTION = Selection(records=(CLASS,))
WAITING = Query(lookup=Lookup.EXAM_RESULTS, operation=Operation.LIST, searches={RecordKind.EXAM: "quiz"}, limit=7)
DAY = 24 * 60 * 60


def desk(*keys: bytes, clock: HandClock | None = None) -> ReferenceDesk:
    return ReferenceDesk(sealer=AesGcmSealer(keys or (OLD,)), clock=clock or HandClock())


def follow_up(at: ReferenceDesk, holder: Holder = ADA, label: str = "3B") -> str:
    [made] = at.follow_ups([Listed(RecordKind.CLASS, label, SELECTION)], holder, Language.FRENCH)
    return made.token


def choice(at: ReferenceDesk, holder: Holder = ADA, label: str = "3B", waiting: Query = WAITING) -> str:
    [made] = at.choices([Option(label, SELECTION, waiting)], holder, Language.FRENCH)
    return made.token


MADE = {"a follow-up": follow_up, "a choice": choice}


def is_refused(at: ReferenceDesk, token: str, person: str = "ada", conversation: uuid.UUID | None = HERE) -> bool:
    try:
        at.open(token, person, conversation)
    except AssistError as error:
        return (error.code, error.faults) == (Code.REFERENCE_INVALID, ())
    return False


def sealed_token(
    at: ReferenceDesk,
    payload: object,
    *,
    purpose: Purpose = Purpose.CHOICE,
    prefix: str = "c",
    table: str = "reference",
) -> str:
    """A token under the deployment's own key, with whatever payload."""
    binding = Binding(table=f"{table}:{purpose.value}", row=str(HERE), owner="ada")
    key_id, sealed = at.sealer.seal(json.dumps(payload).encode(), binding)
    return ".".join((prefix, key_id, base64.urlsafe_b64encode(sealed).decode().rstrip("=")))


def payload(**changes: object) -> dict[str, object]:
    made = Reference(
        purpose=Purpose.CHOICE,
        selection=SELECTION,
        label="3B",
        waiting=WAITING,
        language=Language.ENGLISH,
        expires_at=HandClock().now() + dt.timedelta(hours=1),
    )
    return {**json.loads(made.model_dump_json()), **changes}


def test_a_token_holds_what_was_selected_and_the_lookup_that_waits() -> None:
    at = desk()
    opened = at.open(choice(at), "ada", HERE)
    assert (opened.purpose, opened.selection, opened.waiting) == (Purpose.CHOICE, SELECTION, WAITING)
    assert (opened.label, opened.language) == ("3B", Language.FRENCH)
    opened = at.open(follow_up(at), "ada", HERE)
    assert (opened.purpose, opened.selection, opened.waiting) == (Purpose.FOLLOW_UP, SELECTION, None)


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_a_token_shows_nothing_and_is_another_each_time(make: object) -> None:
    at = desk()
    assert callable(make)
    token = make(at, label="Ana Cruz")
    raw = base64.urlsafe_b64decode(token.rpartition(".")[2] + "==")
    for shown in (token.encode(), raw):
        assert not any(word in shown for word in (b"Ana", b"ada", CLASS.id.bytes, str(CLASS.id).encode(), b"quiz"))
    assert make(at, label="Ana Cruz") != token


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_a_token_with_any_character_changed_left_out_or_put_in_does_not_open(make: object) -> None:
    at = desk()
    assert callable(make)
    token = make(at)
    assert not is_refused(at, token)
    for place, character in enumerate(token):
        for other in {"A", "B", "f", "c", ".", "-", "_", "+", "/", "=", " ", "\n", "é", "\0", "\ud800"} - {character}:
            assert is_refused(at, token[:place] + other + token[place + 1 :]), (place, other)
        assert is_refused(at, token[:place] + token[place + 1 :]), place
        assert is_refused(at, token[:place]), place
    for more in ("A", "=", "==", ".", ".A", "\n", " ", "\0", "\u200b", "%00"):
        assert is_refused(at, token + more), more
        assert is_refused(at, more + token), more


def test_every_bit_of_a_token_counts() -> None:
    at = desk()
    prefix, key_id, text = choice(at).split(".")
    sealed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    for bit in range(len(sealed) * 8):
        flipped = bytearray(sealed)
        flipped[bit // 8] ^= 1 << bit % 8
        mutated = base64.urlsafe_b64encode(bytes(flipped)).decode().rstrip("=")
        assert is_refused(at, f"{prefix}.{key_id}.{mutated}")


def test_a_token_is_written_in_one_way_only() -> None:
    at = desk()
    tokens = [choice(at, label="x" * length) for length in range(40)]
    others = [token.translate(str.maketrans("-_", "+/")) for token in tokens]
    assert any(token != other for token, other in zip(tokens, others, strict=True))
    assert all(is_refused(at, other) for token, other in zip(tokens, others, strict=True) if token != other)
    padded = [token + "=" * (-len(token.rpartition(".")[2]) % 4) for token in tokens]
    assert all(is_refused(at, other) for token, other in zip(tokens, padded, strict=True) if token != other)
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for token in tokens[:3]:
        assert sum(not is_refused(at, token[:-1] + letter) for letter in last) == 1


def test_one_purpose_does_not_open_as_another() -> None:
    at = desk()
    for token in (choice(at), follow_up(at)):
        for prefix in ("f", "c", "", "F", "C", "x", "ff", "follow-up", "choice"):
            assert is_refused(at, prefix + token[1:]) is (prefix != token[0])
    assert is_refused(at, sealed_token(at, payload(), purpose=Purpose.FOLLOW_UP, prefix="f"))


@pytest.mark.parametrize(
    ("person", "conversation"),
    [("bob", HERE), ("ad", HERE), ("ADA", HERE), ("", HERE), ("ada", uuid.UUID(int=2)), ("ada", None), ("bob", None)],
)
def test_a_token_is_for_one_person_in_one_conversation(person: str, conversation: uuid.UUID | None) -> None:
    at = desk()
    for token in (choice(at), follow_up(at)):
        assert is_refused(at, token, person, conversation)


def test_a_token_is_good_for_a_day_and_not_a_moment_longer() -> None:
    clock = HandClock()
    at = desk(clock=clock)
    tokens = (choice(at), follow_up(at))
    clock.move(DAY - 0.000001)
    assert [is_refused(at, token) for token in tokens] == [False, False]
    clock.move(0.000001)
    assert [is_refused(at, token) for token in tokens] == [True, True]


def test_a_token_opens_after_a_rotation_until_its_key_is_taken_out_and_never_at_another_deployment() -> None:
    token = choice(desk(OLD))
    assert not is_refused(desk(OLD), token)
    assert not is_refused(desk(NEW, OLD), token)
    assert is_refused(desk(NEW), token)
    assert is_refused(desk(FOREIGN), token)
    _, key_id, sealed = choice(desk(FOREIGN)).split(".")
    ours = choice(desk(OLD)).split(".")[1]
    assert is_refused(desk(OLD), f"c.{ours}.{sealed}")
    assert is_refused(desk(OLD), f"c.{key_id}.{ours}")


OF_ANOTHER_RELEASE: dict[str, object] = {
    "one key more": payload(reason="new"),
    "another purpose": payload(purpose="recall"),
    "a purpose of this release, not its own": payload(purpose="follow-up"),
    "another lookup": payload(waiting={**json.loads(WAITING.model_dump_json()), "lookup": "query_parents"}),
    "an operation that the lookup has not": payload(waiting={"lookup": "query_classes", "operation": "rate"}),
    "another kind of record": payload(selection={"records": [{"kind": "parent", "id": str(CLASS.id)}]}),
    "more records than any has": payload(selection={"records": [{"kind": "class", "id": str(CLASS.id)}] * 6}),
    "no id": payload(selection={"records": [{"kind": "class", "id": "7 OR 1=1"}]}),
    "another language": payload(language="de"),
    "a moment of no time zone": payload(expires_at="2999-01-01T00:00:00"),
    "no end": payload(expires_at=None),
    "a list": [],
    "nothing": None,
}


@pytest.mark.parametrize("held", OF_ANOTHER_RELEASE.values(), ids=OF_ANOTHER_RELEASE)
def test_what_another_release_wrote_is_no_reference_here(held: object) -> None:
    assert is_refused(desk(), sealed_token(desk(), held))


def test_a_payload_of_this_release_opens_and_one_sealed_for_another_place_does_not() -> None:
    at = desk()
    assert not is_refused(at, sealed_token(at, payload()))
    assert is_refused(at, sealed_token(at, payload(), table="exchanges"))
    key_id, sealed = at.sealer.seal(
        json.dumps(payload()).encode(), Binding(table="exchanges", row=str(HERE), owner="ada")
    )
    row = base64.urlsafe_b64encode(sealed).decode().rstrip("=")
    assert is_refused(at, f"c.{key_id}.{row}")
    assert is_refused(at, f"f.{key_id}.{row}")


def test_no_exchange_opens_with_a_reference_for_it() -> None:
    at = desk()
    _, key_id, text = choice(at).split(".")
    sealed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    with pytest.raises(SealBroken):
        at.sealer.open(sealed, key_id=key_id, binding=Binding(table="exchanges", row=str(HERE), owner="ada"))


@pytest.mark.parametrize("character", ["x", '"', "é", "李", "🎓", "\x01"])
def test_the_longest_token_fits_the_field_it_is_sent_in(character: str) -> None:
    at = desk()
    searches = dict.fromkeys((RecordKind.CLASS, RecordKind.STUDENT), character * SEARCH_CHARACTERS)
    waiting = Query(lookup=Lookup.EXAM_RESULTS, operation=Operation.SUMMARY, searches=searches, limit=200)
    full = Selection(records=(CLASS, STUDENT, EXAM))
    [made] = at.choices([Option(character * 10_000, full, waiting)], ADA, Language.FILIPINO)
    assert len(made.token) <= REFERENCE_CHARACTERS
    assert at.open(made.token, "ada", HERE).label == shown_label(character * 10_000)
    assert at.open(made.token, "ada", HERE).waiting == waiting


@pytest.mark.parametrize(
    "token", ["", ".", "..", "f", "c", "c..", "f.." + "A" * 40, "\ud800", "c.\ud800.\udfff", "\0", "c." * 2_000]
)
def test_what_was_never_a_token_is_refused_alike(token: str) -> None:
    assert is_refused(desk(), token)


def asked(question: str) -> Asked:
    context = AssistContext.model_validate_json(json.dumps(question_body()["context"]))
    return Asked(HERE, question, context, None, "token", b"")


@pytest.mark.parametrize("question", ["", " ", "\u200b", "What about 3B?"])
def test_a_choice_says_enough_and_what_stands_beside_it_is_dropped(question: str) -> None:
    at = desk()
    held = at.open(choice(at), "ada", HERE)
    taken = with_reference(asked(question), held)
    assert (taken.question, taken.editor, taken.waiting, taken.selected) == ("", None, WAITING, SELECTION)


@pytest.mark.parametrize("question", ["", " ", "\u200b"])
def test_a_follow_up_that_asks_nothing_is_no_request(question: str) -> None:
    at = desk()
    held = at.open(follow_up(at), "ada", HERE)
    with pytest.raises(AssistError) as refused:
        with_reference(asked(question), held)
    assert refused.value.code is Code.INVALID_REQUEST
    kept = with_reference(asked("How is it?"), held)
    assert (kept.question, kept.waiting, kept.selected) == ("How is it?", None, SELECTION)
