"""Linear equations, for the steps of both fittings."""

from collections.abc import Sequence


def solved(matrix: list[list[float]], values: Sequence[float]) -> list[float]:
    """Solve linear equations with a symmetric positive matrix, by elimination.

    >>> solved([[2.0, 1.0], [1.0, 3.0]], [3.0, 4.0])
    [1.0, 1.0]
    """
    lines = [[*line, value] for line, value in zip(matrix, values, strict=True)]
    for i, pivot in enumerate(lines):
        lines[i] = pivot = [value / pivot[i] for value in pivot]
        for j, line in enumerate(lines):
            if j != i and line[i]:
                lines[j] = [a - line[i] * b for a, b in zip(line, pivot, strict=True)]
    return [line[-1] for line in lines]
