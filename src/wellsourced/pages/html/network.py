"""A second opinion on a page's blocks: a small network over their sequence, learnt offline and kept as plain arrays.

The forest of `scorer.py` knows of a block's surroundings what was measured; the network hands on what it makes of each
block, in four rounds: to the blocks one, two, four and eight places away, and in the first two also to those of the
same form, to the parts around it and to the page. `training/learn_network.py` learns it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wellsourced.late_dataclass import dataclass
from wellsourced.pages.html import features

if TYPE_CHECKING:
    from numpy.typing import NDArray

REACHES = (1, 2, 4, 8)
WIDE_ROUNDS = 2
TAGS = 29
NEAR_PARTS = (1, 2)
UNSORTED = slice(None)
# Larger products are shared out among threads, which cost more than they save on a page.
LARGEST_PRODUCT = 1 << 18


@dataclass(frozen=True, slots=True)
class Network:
    arrays: Mapping[str, NDArray[Any]]

    def score(self, columns: NDArray[Any], frame: features.Frame) -> NDArray[Any]:
        """How far the network is for each block: one row a feature, one column a block."""
        import numpy as np

        arrays = self.arrays
        held = multiply(squash(columns).T, arrays["entry"])
        held += arrays["tags"].take(columns[features.TAG].astype(np.intp), axis=0, mode="clip")
        np.maximum(held, 0, out=held)
        ranges = list(ranges_of(frame))
        for number, reach in enumerate(REACHES):
            even = evened(held) * arrays[f"scale{number}"] + arrays[f"shift{number}"]
            heard = multiply(with_neighbours(even, reach), arrays[f"near{number}"])
            if number < WIDE_ROUNDS:
                heard += multiply(means_over(even, ranges), arrays[f"wide{number}"])
            held += np.maximum(heard + arrays[f"bias{number}"], 0)
        said: NDArray[Any] = multiply(held, arrays["exit"])[:, 0] + arrays["exit_bias"]
        return said


def squash(columns: NDArray[Any]) -> NDArray[Any]:
    """The columns with what was measured, counts of any size, by its logarithm."""
    import numpy as np

    measured, squashed = columns[: features.MEASURED], columns.copy()
    sizes = squashed[: features.MEASURED]
    np.abs(sizes, out=sizes)
    sizes += 1
    np.log(sizes, out=sizes)
    np.copysign(sizes, measured, out=sizes)
    return squashed


def multiply(rows: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    step = max(1, LARGEST_PRODUCT // weights.size)
    return np.concatenate([rows[place : place + step] @ weights for place in range(0, len(rows), step)])


def evened(rows: NDArray[Any]) -> NDArray[Any]:
    """Each row with mean 0 and variance 1."""
    import numpy as np

    centred = rows - rows.mean(axis=1, keepdims=True)
    even: NDArray[Any] = centred / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + 1e-5)
    return even


def with_neighbours(rows: NDArray[Any], reach: int) -> NDArray[Any]:
    """Beside each row the one so far before it and the one so far behind it; nothing beyond the page."""
    import numpy as np

    size, width = rows.shape
    joined = np.zeros((size, 3 * width), np.float32)
    joined[reach:, :width] = rows[: max(0, size - reach)]
    joined[:, width : 2 * width] = rows
    joined[: max(0, size - reach), 2 * width :] = rows[reach:]
    return joined


def ranges_of(frame: features.Frame) -> Iterator[tuple[Any, Any, Any]]:
    """Orders of the blocks, and of each block the range in that order which it is compared with: those alike, then
    the nearest parts, then the page."""
    import numpy as np

    size = frame.starts.shape[1]
    for groups in frame.groups:
        order = groups.argsort(kind="stable")
        ordered = groups.take(order)
        yield order, ordered.searchsorted(groups), ordered.searchsorted(groups, "right")
    for part in NEAR_PARTS:
        yield UNSORTED, frame.starts[part], frame.ends[part]
    yield UNSORTED, np.zeros(size, np.intp), np.full(size, size)


def means_over(rows: NDArray[Any], ranges: Sequence[tuple[Any, Any, Any]]) -> NDArray[Any]:
    """Beside each other, for each row its mean over each of the ranges."""
    import numpy as np

    size, width = rows.shape
    means = np.empty((size, len(ranges), width), np.float32)
    sums, sorted_by = np.zeros((size + 1, width), np.float32), None
    for place, (order, starts, ends) in enumerate(ranges):
        if order is not sorted_by:
            rows[order].cumsum(axis=0, out=sums[1:])
            sorted_by = order
        np.subtract(sums.take(ends, axis=0), sums.take(starts, axis=0), out=means[:, place])
        means[:, place] /= (ends - starts).astype(np.float32)[:, None]
    return means.reshape(size, -1)
