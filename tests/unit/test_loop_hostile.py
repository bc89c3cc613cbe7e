"""Whatever a model says, and as long as it calls, the loop ends within its rules."""

from hypothesis import event, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from assist_service.domain.loop import (
    AskedBack,
    AskModel,
    Declined,
    Ending,
    Failed,
    LookedUp,
    Rejected,
    Rejects,
    RunTools,
)
from assist_service.domain.messages import (
    AssistantText,
    Message,
    ModelReply,
    Stop,
    ToolCall,
    UserText,
)
from tests.unit.driven_turn import NAMES, Driven, driven_turn, lookups_rule, reply

said_text = st.text(max_size=30) | st.sampled_from(("", " \n", "An answer [s1].", "<script>"))


arguments = st.none() | st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=2)


few_ids = st.sampled_from(("a", "b", "c", "d", ""))


many_ids = st.integers(0, 10**9).map(str)


def _calls(ids: st.SearchStrategy[str], *, unique: bool) -> st.SearchStrategy[list[ToolCall]]:
    each = st.builds(ToolCall, ids, st.sampled_from(NAMES), arguments)
    return st.lists(each, max_size=30, unique_by=(lambda made: made.id) if unique else None)


calls = _calls(many_ids, unique=True) | _calls(few_ids, unique=False)


stops = st.sampled_from((Stop.TOOLS, Stop.TOOLS, Stop.TOOLS, *Stop))


blocks = st.lists(
    st.fixed_dictionaries({"type": st.sampled_from(("thinking", "text", "tool_use")), "data": st.text(max_size=10)}),
    max_size=3,
)


replies = st.builds(
    lambda stop, text, made, native: reply(stop, *made, text=text, native=native), stops, said_text, calls, blocks
)


nothing_blank = st.text(min_size=1, max_size=10).filter(str.strip)


pairs = st.lists(st.tuples(nothing_blank.map(UserText), nothing_blank.map(AssistantText)), max_size=3)


endings = (
    st.none()
    | st.none()
    | st.just(Declined())
    | st.builds(AskedBack, st.text(max_size=5))
    | st.builds(lambda: LookedUp(()))
)


rules = st.sampled_from((None, lookups_rule))


class HostileModel(RuleBasedStateMachine):
    """A model that says anything at any step, and tools that may end the question."""

    def __init__(self) -> None:
        super().__init__()
        self.driven: Driven | None = None

    @precondition(lambda self: self.driven is None)
    @rule(history=pairs, question=nothing_blank, max_requests=st.integers(1, 6), rejects=rules)
    def ask(
        self, history: list[tuple[Message, Message]], question: str, max_requests: int, rejects: Rejects | None
    ) -> None:
        messages = [message for pair in history for message in pair]
        self.driven = driven_turn(messages, question, max_requests=max_requests, rejects=rejects)

    @precondition(lambda self: self.driven is not None and isinstance(self.driven.step, AskModel))
    @rule(said=replies)
    def answer(self, said: ModelReply) -> None:
        assert self.driven is not None
        self.driven.say(said)

    @precondition(lambda self: self.driven is not None and isinstance(self.driven.step, RunTools))
    @rule(ending=endings, has_acted=st.booleans(), has_prepared=st.integers(0, 3).map(lambda drawn: drawn == 0))
    def run(self, ending: Ending | None, has_acted: bool, has_prepared: bool) -> None:
        assert self.driven is not None
        self.driven.run(ending, has_acted=has_acted, has_prepared=has_prepared)

    @precondition(lambda self: self.driven is not None and self.driven.outcome is not None)
    @rule()
    def begin_anew(self) -> None:
        assert self.driven is not None
        event(type(self.driven.outcome).__name__)
        self.driven = None


HostileModel.TestCase.settings = settings(max_examples=120, stateful_step_count=20, deadline=None)


TestHostileModel = HostileModel.TestCase


@given(max_requests=st.integers(1, 6), made=st.lists(calls, min_size=6, max_size=6), rejects=rules)
@settings(max_examples=80, deadline=None)
def test_a_model_that_calls_for_ever_is_asked_no_more_than_it_may_be(
    max_requests: int, made: list[list[ToolCall]], rejects: Rejects | None
) -> None:
    driven = driven_turn(max_requests=max_requests, rejects=rejects)
    for wanted in made:
        if driven.step is None:
            break
        driven.say(reply(Stop.TOOLS, *wanted))
        if isinstance(driven.step, RunTools):
            driven.run()
    assert isinstance(driven.outcome, Failed if rejects is None else Failed | Rejected)
