"""A citation counts when its section was given to this question and this person may read it, and not otherwise."""

from assist_service.domain.citations import Citation, Given, Numbering, markers
from assist_service.domain.manual import Audience
from assist_service.domain.withdrawals import Withdrawal, Withdrawals
from tests.unit.small_manual import TEACHER, publication, section

CREATE, SHARE = section(anchor="create"), section(anchor="share")
SECRET = section("administrator/people", "erase", audience=Audience.ADMINISTRATOR_FULL, page_title="People")
MANUAL = publication(CREATE, SHARE, SECRET)


def numbering(*, audiences: frozenset[Audience] = TEACHER) -> Numbering:
    given = Given(MANUAL)
    for each in (CREATE, SHARE, SECRET):
        given.handle(each)
    return Numbering(given, audiences)


def test_a_section_keeps_the_handle_it_was_given() -> None:
    given = Given(MANUAL)
    assert [given.handle(each) for each in (SHARE, CREATE, SHARE)] == ["s1", "s2", "s1"]
    assert given.section("s1") is SHARE
    assert given.section("s3") is None


def test_numbers_follow_the_order_of_the_answer() -> None:
    cited = numbering()
    assert [cited.cite(handle) for handle in ("s2", "s1", "s2", "s1")] == [1, 2, 1, 2]
    assert [citation.section for citation in cited.citations] == [SHARE.id, CREATE.id]
    assert markers(cited.citations) == {1, 2}


def test_a_handle_that_was_not_given_is_dropped_and_takes_no_number() -> None:
    cited = numbering()
    assert [cited.cite(handle) for handle in ("s9", "s0", "", "create", CREATE.id, "s1")] == [None] * 5 + [1]
    assert len(cited.citations) == 1


def test_a_section_of_another_audience_never_counts_even_if_it_was_given() -> None:
    cited = numbering()
    assert cited.cite("s3") is None
    assert cited.citations == ()
    assert numbering(audiences=frozenset(Audience)).cite("s3") == 1


def test_a_section_of_another_publication_never_counts() -> None:
    given = Given(publication(CREATE))
    handle = given.handle(SHARE)
    assert Numbering(given, TEACHER).cite(handle) is None


def test_a_section_that_was_withdrawn_meanwhile_counts_no_more() -> None:
    given = numbering().given
    closed = Withdrawals(frozenset({Withdrawal(CREATE.page, "create")}))
    assert [Numbering(given, TEACHER, closed).cite(handle) for handle in ("s1", "s2")] == [None, 1]


def test_a_citation_opens_its_section_in_its_publication() -> None:
    cited = numbering()
    cited.cite("s1")
    assert cited.citations == (
        Citation(marker=1, publication=MANUAL.id, section=CREATE.id, page="teacher/pools", title="Pools: Create"),
    )
    assert cited.citations[0].href == f"/assist/manual/{MANUAL.id}/{CREATE.id}"
