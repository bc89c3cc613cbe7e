"""Every tool there is, by name: the closed list a policy chooses from."""

from collections.abc import Mapping

from assist_service.tools.conversing import ASK_BACK, DECLINE
from assist_service.tools.editing import PROPOSE_QUESTION_EDIT
from assist_service.tools.guide import READ_GUIDE
from assist_service.tools.interface import OPEN_SCREEN, RUN_SCREEN_COMMAND
from assist_service.tools.live import LOOKUPS
from assist_service.tools.reads import READS
from assist_service.tools.results import RESULTS
from assist_service.tools.searching import SEARCH_GUIDE
from assist_service.tools.tool import Tool
from assist_service.tools.writes import WRITES

TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        READ_GUIDE,
        SEARCH_GUIDE,
        DECLINE,
        ASK_BACK,
        *READS,
        *RESULTS,
        *LOOKUPS,
        OPEN_SCREEN,
        RUN_SCREEN_COMMAND,
        PROPOSE_QUESTION_EDIT,
        *WRITES,
    )
}
