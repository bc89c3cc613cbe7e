"""A search that takes its time keeps nothing else waiting, and fifty take two threads."""

import asyncio
import threading
import time

from assist_service.domain.manual import Audience
from assist_service.domain.search import Hit
from assist_service.tools.searching import SEARCH_GUIDE, SEARCH_THREADS, SearchGuideArguments
from assist_service.tools.tool import Said
from tests.unit.small_manual import desk, publication, section

MADE = publication(section())


class SlowIndex:
    """Implements ports.SectionIndex: each search takes a moment; counts those that run at once, and where."""

    def __init__(self, *, takes_time: bool) -> None:
        self.takes_time = takes_time
        self.running = self.most = 0
        self.threads: set[str] = set()
        self._lock = threading.Lock()

    def search(self, query: str, *, audiences: frozenset[Audience], language: str, limit: int) -> tuple[Hit, ...]:
        with self._lock:
            self.running += 1
            self.most = max(self.most, self.running)
            self.threads.add(threading.current_thread().name)
        time.sleep(0.002)
        with self._lock:
            self.running -= 1
        return (Hit(MADE.pages[0].sections[0].id, "teacher/pools", 1.0),)

    def holds(self, section_id: str, *, audiences: frozenset[Audience]) -> bool:
        return False

    def prepare(self, audiences: frozenset[Audience]) -> None: ...


async def test_fifty_searches_at_once_take_two_threads_and_the_loop_goes_on() -> None:
    index, ticks = SlowIndex(takes_time=True), 0
    at = desk(MADE, index=index)
    searching = asyncio.gather(*(SEARCH_GUIDE.run(SearchGuideArguments(query="pool"), at) for _ in range(50)))
    while not searching.done():
        ticks += 1
        await asyncio.sleep(0)
    assert all(isinstance(said, Said) and "teacher/pools" in said.text for said in await searching)
    assert index.most == SEARCH_THREADS
    assert threading.main_thread().name not in index.threads
    assert ticks > 50


async def test_one_that_takes_none_is_not_handed_over() -> None:
    index = SlowIndex(takes_time=False)
    await SEARCH_GUIDE.run(SearchGuideArguments(query="pool"), desk(MADE, index=index))
    assert index.threads == {threading.current_thread().name}
