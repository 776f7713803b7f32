#!/usr/bin/env python3
"""Draws the turns of benchmark cases. usage: bench/plot.py FOLDER: each NAME.tsv there gets a NAME.svg, and says its medians.

A .tsv has a "# title", a line of names and one line a turn: turn, ours, peer, ratio (the last two are empty without a peer)."""

import pathlib
import re
import statistics
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 80, 24, 56, 40
COLOURS = {"ours": "#1b6ac9", "peer": "#c9681b", "ratio": "#1b6ac9"}


def write_turns(folder, title, ours, peers=()):
    """One case as FOLDER/TITLE.tsv: rates a turn, and ours over the peer's of the same turn."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"# {title}", "turn\tours\tpeer\tratio"]
    for i, rate in enumerate(ours):
        peer = peers[i] if i < len(peers) else None
        lines.append(f"{i + 1}\t{rate:.6g}\t" + (f"{peer:.6g}\t{rate / peer:.4f}" if peer else "\t"))
    (folder / (re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") + ".tsv")).write_text("\n".join(lines) + "\n")


def read_turns(path):
    lines = path.read_text().splitlines()
    names = lines[1].split("\t")
    rows = [line.split("\t") for line in lines[2:]]
    return lines[0].lstrip("# "), {name: [float(row[i]) for row in rows if row[i]] for i, name in enumerate(names)}


def svg(title, columns):
    """The ratio of each turn where there is a peer, else the rate; the median as a line across."""
    name = "ratio" if columns["ratio"] else "ours"
    values = columns[name]
    middle, top = statistics.median(values), max([*values, 1.0 if name == "ratio" else 0]) * 1.1

    def x(i):
        return LEFT + (WIDTH - LEFT - RIGHT) * (i + 0.5) / len(values)

    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top

    def across(value, colour, label):
        return (f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="{colour}" stroke-dasharray="6 4"/>'
                f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{label}</text>')

    medians = ", ".join(f"{key} {statistics.median(columns[key]):.4g}" for key in ("ours", "peer", "ratio") if columns[key])
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{LEFT}" y="22" font-size="15">{title}</text><text x="{LEFT}" y="40" fill="#555">{name} of each turn; medians: {medians}</text>',
             f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(0):.1f}" y2="{y(0):.1f}" stroke="#333"/>',
             across(middle, "#555", f"{middle:.3g}")]
    if name == "ratio":
        parts.append(across(1.0, "#bbb", "1"))
    parts += [f'<circle cx="{x(i):.1f}" cy="{y(value):.1f}" r="4" fill="{COLOURS[name]}"><title>turn {i + 1}: {value:.4g}</title></circle>'
              for i, value in enumerate(values)]
    return "\n".join([*parts, f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 12}" text-anchor="middle">turns</text>', "</svg>", ""])


def main():
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.tsv")):
        title, columns = read_turns(path)
        if columns["ours"]:
            path.with_suffix(".svg").write_text(svg(title, columns))
            print(f"{path.with_suffix('.svg')}: median {statistics.median(columns['ratio'] or columns['ours']):.4g}")


if __name__ == "__main__":
    main()
