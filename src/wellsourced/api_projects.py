"""Projects in Python: `await research.start_project("Tides")`, `await research.add_to_project("Tides", url=…)`.

What comes back is what `wellsourced project … --json` prints. The synchronous client has the same methods.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from wellsourced.api import ResearchClient
    from wellsourced.app import Application
    from wellsourced.projects.projects import Projects

T = TypeVar("T")
SECONDS = 1800.0


class ProjectMethods:
    """For a client that can open the application."""

    @abstractmethod
    def _open_app(self) -> Application: ...

    async def start_project(self, name: str, question: str = "", tags: Iterable[str] = ()) -> dict[str, Any]:
        from wellsourced.projects.project import head_json

        return head_json((await self._projects.start(self._open_app().local_user, name, question, tags)).head)

    async def list_projects(self, *, archived: bool = False) -> list[dict[str, Any]]:
        from wellsourced.projects.project import head_json

        heads = await self._projects.heads(self._open_app().local_user, archived=archived)
        return [head_json(head) for head in heads]

    async def show_project(self, name: str) -> dict[str, Any]:
        from wellsourced.projects.project import project_json

        projects = self._projects
        return project_json(await projects.refreshed(await projects.find(self._open_app().local_user, name)))

    async def add_to_project(
        self,
        name: str,
        url: str = "",
        *,
        quote: str = "",
        item: int | None = None,
        claim: str = "",
        citation: str = "",
        file: str | Path | None = None,
        session_id: str = "",
        tags: Iterable[str] = (),
    ) -> list[dict[str, Any]]:
        """Add a page, a quotation, a citation, a file or a session; the items that were added."""
        from wellsourced.projects.project import item_json

        project = await self._projects.find(self._open_app().local_user, name)
        content = (Path(file).name, Path(file).read_bytes()) if file else None  # noqa: ASYNC240 - the caller's own file
        added = await self._projects.collector.add(
            project,
            time.monotonic() + SECONDS,
            url=url,
            quote=quote,
            item=item,
            claim=claim,
            citation=citation,
            file=content,
            session_id=session_id,
            tags=tuple(tags),
        )
        return [item_json(each) for each in added.items]

    async def tag_project(self, name: str, tags: Iterable[str], item: int | None = None) -> None:
        await self._projects.tag(await self._projects.find(self._open_app().local_user, name), tags, item)

    async def archive_project(self, name: str, archived: bool = True) -> None:
        await self._projects.archive(await self._projects.find(self._open_app().local_user, name), archived)

    async def watch_project(self, name: str) -> dict[str, Any]:
        """Read the cited pages again; what became of every quotation, citation and link."""
        project = await self._projects.find(self._open_app().local_user, name)
        report = await self._projects.watch(project, time.monotonic() + SECONDS)
        return report.model_dump(by_alias=True, exclude_none=True)

    async def export_project(self, name: str, path: str | Path, format: str = "wacz") -> None:
        """Write html, markdown, json or wacz to a file."""
        from wellsourced.projects.export import export_project

        project = await self._projects.find(self._open_app().local_user, name)
        with Path(path).open("wb") as file:  # noqa: ASYNC230 - the caller's own file
            await export_project(self._projects, project, format, file)

    async def delete_project(self, name: str) -> int:
        """How many captures went with it."""
        return await self._projects.delete(await self._projects.find(self._open_app().local_user, name))

    @property
    def _projects(self) -> Projects:
        return self._open_app().services.projects


class SyncProjectMethods:
    """The same methods, without await."""

    _client: ResearchClient

    @abstractmethod
    def _wait(self, work: Coroutine[Any, Any, T]) -> T: ...

    def start_project(self, name: str, question: str = "", tags: Iterable[str] = ()) -> dict[str, Any]:
        return self._wait(self._client.start_project(name, question, tags))

    def list_projects(self, *, archived: bool = False) -> list[dict[str, Any]]:
        return self._wait(self._client.list_projects(archived=archived))

    def show_project(self, name: str) -> dict[str, Any]:
        return self._wait(self._client.show_project(name))

    def add_to_project(self, name: str, url: str = "", **what: Any) -> list[dict[str, Any]]:
        return self._wait(self._client.add_to_project(name, url, **what))

    def tag_project(self, name: str, tags: Iterable[str], item: int | None = None) -> None:
        self._wait(self._client.tag_project(name, tags, item))

    def archive_project(self, name: str, archived: bool = True) -> None:
        self._wait(self._client.archive_project(name, archived))

    def watch_project(self, name: str) -> dict[str, Any]:
        return self._wait(self._client.watch_project(name))

    def export_project(self, name: str, path: str | Path, format: str = "wacz") -> None:
        self._wait(self._client.export_project(name, path, format))

    def delete_project(self, name: str) -> int:
        return self._wait(self._client.delete_project(name))
