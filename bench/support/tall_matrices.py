"""Tall matrices: those of a folder without every fourth column."""

NAMES = ("west0132", "fs_183_1", "fs_541_2", "gre_115", "arc130", "lund_a", "bp_600", "494_bus",
         "olm500", "tub100", "nos1", "bcsstk04")


def entries_of(file):
    """Rows, columns and (i, j, value) from 1, both halves of symmetric files."""
    lines = file.read_text().splitlines()
    symmetric = "symmetric" in lines[0].lower()
    body = [line.split() for line in lines if line.strip() and not line.startswith("%")]
    rows, columns = map(int, body[0][:2])
    entries = [(int(w[0]), int(w[1]), float(w[2]) if len(w) > 2 else 1.0) for w in body[1:]]
    if symmetric:
        entries += [(j, i, v) for i, j, v in entries if i != j]
    return rows, columns, [e for e in entries if e[2] != 0]


def without_every_fourth(columns, entries):
    number = {}
    for j in range(1, columns + 1):
        if j % 4:
            number[j] = len(number) + 1
    return len(number), [(i, number[j], v) for i, j, v in entries if j in number]


def write(file, rows, columns, entries):
    text = [f"%%MatrixMarket matrix coordinate real general\n{rows} {columns} {len(entries)}"]
    text += [f"{i} {j} {v!r}" for i, j, v in entries]
    file.write_text("\n".join(text) + "\n")
