"""A system of linear equations whose values are doubles, and its files."""
from dataclasses import dataclass, field

import numpy as np


@dataclass
class System:
    """entries: (row, column, value) from 0, no place twice; b: a value for each row."""

    name: str
    family: str
    rows: int
    columns: int
    entries: list
    b: list
    notes: dict = field(default_factory=dict)

    def dense(self):
        a = np.zeros((self.rows, self.columns))
        for i, j, value in self.entries:
            a[i, j] = value
        return a

    def arrays(self):
        """Values, rows and columns."""
        values = np.array([e[2] for e in self.entries], dtype=np.float64)
        places = np.array([e[:2] for e in self.entries], dtype=np.int32).reshape(-1, 2)
        return values, places[:, 0], places[:, 1]

    def write(self, folder):
        """NAME.mtx and NAME.b.mtx, with digits that read back to the same doubles."""
        folder.mkdir(parents=True, exist_ok=True)
        base = self.name.replace("/", "-")
        lines = [f"{i + 1} {j + 1} {value!r}" for i, j, value in self.entries]
        head = f"%%MatrixMarket matrix coordinate real general\n{self.rows} {self.columns} {len(lines)}\n"
        (folder / f"{base}.mtx").write_text(head + "\n".join(lines) + "\n")
        head = f"%%MatrixMarket matrix array real general\n{self.rows} 1\n"
        (folder / f"{base}.b.mtx").write_text(head + "\n".join(repr(v) for v in self.b) + "\n")
        return folder / f"{base}.mtx"
