"""LightGBM trees as the plain arrays of `wellsourced.pages.html.scorer.Forest`."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np

from wellsourced.pages.html.scorer import ALL_LEAVES, LEAVES


def forest_arrays(model: lightgbm.Booster) -> dict[str, Any]:
    """For each tree and condition: feature, threshold, and the leaves that survive when the value is above it."""
    trees = [tree["tree_structure"] for tree in model.dump_model()["tree_info"]]
    shape = (len(trees), LEAVES - 1)
    packed: dict[str, Any] = {
        "feature": np.zeros(shape, np.uint16),
        "threshold": np.full(shape, np.inf, np.float32),
        "survivors": np.full(shape, ALL_LEAVES, np.uint8),
        "values": np.zeros((len(trees), LEAVES), np.float32),
    }
    for number, tree in enumerate(trees):
        values, conditions = _flatten(tree)
        packed["values"][number, : len(values)] = values
        for place, (feature, threshold, struck) in enumerate(conditions):
            packed["feature"][number, place] = feature
            packed["threshold"][number, place] = threshold
            packed["survivors"][number, place] = ALL_LEAVES & ~struck
    return packed


def _flatten(tree: dict[str, Any]) -> tuple[list[float], list[tuple[int, float, int]]]:
    """Leaf values from left to right, and each condition with the bits of the leaves on its left."""
    values: list[float] = []
    conditions: list[tuple[int, float, int]] = []

    def walk(node: dict[str, Any]) -> int:
        if "leaf_value" in node:
            values.append(node["leaf_value"])
            return 1 << (len(values) - 1)
        left = walk(node["left_child"])
        conditions.append((node["split_feature"], node["threshold"], left))
        return left | walk(node["right_child"])

    walk(tree)
    return values, conditions
