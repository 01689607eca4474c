"""Slots for reading pages: never too many, tenants in turn, nothing lost when somebody leaves."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellsourced.pages import fair_slots
from wellsourced.pages.fair_slots import FairSlots


def test_a_hundred_pages_of_one_tenant_do_not_starve_anothers_single_page() -> None:
    async def main() -> list[str]:
        slots, order = FairSlots(2), []

        async def read(tenant: str) -> None:
            async with slots.slot(tenant):
                order.append(tenant)
                await asyncio.sleep(0.001)

        crowd = [asyncio.create_task(read("busy")) for _ in range(100)]
        await asyncio.sleep(0)
        late = [asyncio.create_task(read(tenant)) for tenant in ("a", "b")]
        await asyncio.gather(*crowd, *late)
        return order

    order = asyncio.run(main())
    assert len(order) == 102
    assert max(order.index("a"), order.index("b")) <= 6


def test_a_tenant_holds_no_more_than_its_share_while_others_find_room() -> None:
    async def main() -> None:
        slots, release = FairSlots(3, per_tenant=2), asyncio.Event()
        inside: list[str] = []

        async def read(tenant: str) -> None:
            async with slots.slot(tenant):
                inside.append(tenant)
                await release.wait()

        tasks = [asyncio.create_task(read(tenant)) for tenant in ("a", "a", "a", "a", "b", "b")]
        await asyncio.sleep(0.01)
        assert sorted(inside) == ["a", "a", "b"]
        release.set()
        await asyncio.gather(*tasks)
        assert sorted(inside) == ["a"] * 4 + ["b"] * 2

    asyncio.run(main())


@pytest.mark.parametrize(("takes_largest", "order"), [(True, [1, 9, 7, 3, 5]), (False, [1, 3, 7, 9, 5])])
def test_what_came_together_is_served_by_size_and_passed_by_nothing_that_came_later(
    takes_largest: bool, order: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(fair_slots, "time", SimpleNamespace(monotonic=lambda: now))

    async def main() -> list[int]:
        nonlocal now
        slots, served, all_came = FairSlots(1, takes_largest=lambda: takes_largest), list[int](), asyncio.Event()

        async def read(size: int) -> None:
            async with slots.slot("a", size):
                served.append(size)
                await all_came.wait()

        tasks = []
        for size, came in ((1, 0.0), (7, 0.0), (9, 0.01), (3, 0.02), (5, 0.08)):
            now = came
            tasks.append(asyncio.create_task(read(size)))
            await asyncio.sleep(0)
        all_came.set()
        await asyncio.gather(*tasks)
        return served

    assert asyncio.run(main()) == order


@settings(max_examples=60, deadline=None)
@given(
    at_once=st.integers(1, 4),
    share=st.integers(0, 4),
    visits=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3), st.booleans()), max_size=30),
)
def test_whoever_leaves_or_is_cancelled_gives_the_slot_back(
    at_once: int, share: int, visits: list[tuple[str, int, bool]]
) -> None:
    async def main() -> None:
        slots, inside, most = FairSlots(at_once, share), 0, 0

        async def read(tenant: str, turns: int) -> None:
            nonlocal inside, most
            async with slots.slot(tenant):
                inside += 1
                most = max(most, inside)
                try:
                    for _ in range(turns):
                        await asyncio.sleep(0)
                finally:
                    inside -= 1

        tasks = []
        for tenant, turns, is_cancelled in visits:
            tasks.append(asyncio.create_task(read(tenant, turns)))
            await asyncio.sleep(0)
            if is_cancelled:
                tasks[-1 - turns % len(tasks)].cancel()
        async with asyncio.timeout(60):
            await asyncio.gather(*tasks, return_exceptions=True)
        assert most <= at_once
        async with asyncio.timeout(60):
            await asyncio.gather(*(read("z", 0) for _ in range(at_once)))

    asyncio.run(main())
