"""A caller who will not be recognised at the next call is given no session and no link to fetch later."""

from __future__ import annotations

from wellsourced.errors import BadInput
from wellsourced.pipeline.middleware import Handler
from wellsourced.tool.answer import ToolAnswer
from wellsourced.tool.call import Call

SESSION_TOOLSET = "sessions"
KEEPING_ARGUMENTS = frozenset({"sessionId", "project"})
UNRECOGNISED = (
    "Nothing can be kept for this caller: the server has no sign-in, keeps its callers apart, and the request does not "
    "say which of them it comes from. Open an MCP session (initialize) and send its Mcp-Session-Id, or send a secret "
    "of your own, 16 characters or longer, in the header X-Client-Key."
)


async def refuse_what_cannot_be_kept(call: Call, next_handler: Handler) -> ToolAnswer:
    if not call.identity.is_recognised:
        if call.tool.toolset == SESSION_TOOLSET or any(map(call.arguments.get, KEEPING_ARGUMENTS)):
            raise BadInput(UNRECOGNISED)
        call.inline = True
    return await next_handler(call)
