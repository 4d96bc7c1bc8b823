"""The history as SVG: well-formed, with a point at each residual, whole or not at all."""
import math
import os
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import scipy.sparse as sp

import ddla

A = sp.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(60, 60)).tocsr()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def result():
    return ddla.solve(A, np.ones(60), method="cg", rtol=1e-20)


def points_of(file):
    line, = ElementTree.parse(file).getroot().findall(f"{SVG}polyline")
    return np.array([[float(v) for v in point.split(",")] for point in line.get("points").split()])


def test_the_line_is_the_history(tmp_path, result):
    text = result.plot(tmp_path / "h.svg")
    assert (tmp_path / "h.svg").read_text() == text == result.plot() and text in result._repr_html_()
    points = points_of(tmp_path / "h.svg")
    history = np.array(result.history)
    assert len(points) == len(history) == result.iterations + 1
    logs = np.log10(history)
    # Linear in steps and in logarithms, up to the rounding to a tenth.
    for drawn, true in ((points[:, 0], np.arange(len(history))), (points[:, 1], logs)):
        slope = (drawn[-1] - drawn[0]) / (true[-1] - true[0])
        assert np.abs(drawn - drawn[0] - slope * (true - true[0])).max() < 0.2
    assert points[-1, 1] > points[0, 1] + 100  # small residuals are below
    root = ElementTree.parse(tmp_path / "h.svg").getroot()
    low = math.floor(logs.min())
    assert root.tag == f"{SVG}svg" and f"1e{low}" in [t.text for t in root.findall(f"{SVG}text")]
    result.plot(os.fsencode(tmp_path / "wide.SVG"), width=900, height=100)
    assert ElementTree.parse(tmp_path / "wide.SVG").getroot().get("width") == "900"
    assert sorted(os.listdir(tmp_path)) == ["h.svg", "wide.SVG"]


def test_what_cannot_be_drawn_is_refused(tmp_path, result):
    with pytest.raises(ddla.InputError, match="h.png: plot writes SVG"):
        result.plot(tmp_path / "h.png")
    factored = ddla.solve(A, np.zeros(60))
    assert len(factored.history) < 2 and factored.plot() == ""
    with pytest.raises(ddla.InputError, match="no history to draw: it needs two positive residuals, and this solve, by auto, has"):
        factored.plot(tmp_path / "h.svg")
    with pytest.raises(FileNotFoundError):
        result.plot(tmp_path / "none" / "h.svg")
    assert os.listdir(tmp_path) == []


def test_nothing_half_written_is_left(tmp_path, result):
    (tmp_path / "h.svg").write_text("old")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(IsADirectoryError):
        result.plot(tmp_path / "folder.svg")
    result.plot(tmp_path / "h.svg")
    (tmp_path / "link.svg").symlink_to("h.svg")
    result.plot(tmp_path / "link.svg", width=500)
    assert (tmp_path / "link.svg").is_symlink() and "width='500'" in (tmp_path / "h.svg").read_text()
    assert sorted(os.listdir(tmp_path)) == ["folder.svg", "h.svg", "link.svg"]


def test_a_failure_leaves_the_target_as_it_was(tmp_path, result, monkeypatch):
    (tmp_path / "h.svg").write_text("old")

    def fail(*names):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="the disk is full"):
        result.plot(tmp_path / "h.svg")
    assert (tmp_path / "h.svg").read_text() == "old" and os.listdir(tmp_path) == ["h.svg"]
