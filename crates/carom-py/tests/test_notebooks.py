"""Display in notebooks: reports as HTML, a progress bar for long computations, each figure shown once."""

import sys
import types
from xml.etree import ElementTree

import matplotlib
import matplotlib.pyplot as plt
import pytest

import carom
from carom import _progress

STUDY = """
[impact]
law = "hertz-1881"
mass = 1.0
stiffness = 1e9
[sampling]
count = 200000
[[axis]]
parameter = "speed"
distribution = "uniform"
from = 0.1
to = 0.5
"""


def well_formed(markup):
    return ElementTree.fromstring(markup)


def test_impacts_laws_models_and_reports_are_html(steel):
    model = carom.model("hunt-crossley-1975")
    law = model.law(**steel, restitution=0.5)
    impact = law.collide(speed=0.5)
    for thing in (impact, law, model, impact.report, carom.compare("steel-ball-0.5", ["hertz-1881"]), carom.materials()):
        well_formed(thing._repr_html_())
    markup = impact._repr_html_()
    assert "<polyline" in markup and "4.419 kN" in markup and "the published formula delivers 0.66" in markup
    assert well_formed(law.collide([0.1, 0.2])._repr_html_()).tag == "table"
    assert "array of shape (2,)" in model.law(**{**steel, "mass": [1.0, 2.0]}, restitution=0.5)._repr_html_()


class Page:
    """The parts of a notebook that a progress bar uses."""

    def __init__(self):
        self.shown = []

    def display(self, markup, display_id):
        self.shown.append(markup)
        return self

    def update(self, markup):
        self.shown.append(markup)


@pytest.fixture
def notebook(monkeypatch):
    page = Page()
    shell = type("ZMQInteractiveShell", (), {})()
    interactive = types.ModuleType("IPython")
    interactive.get_ipython = lambda: shell
    shown = types.ModuleType("IPython.display")
    shown.HTML, shown.display = str, page.display
    monkeypatch.setitem(sys.modules, "IPython", interactive)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    return page


def test_a_notebook_shows_a_bar_that_goes_away(notebook, monkeypatch):
    monkeypatch.setattr(_progress, "_DRAW_INTERVAL", 0.0)
    carom.sweep(STUDY, threads=1, progress=True)
    assert len(notebook.shown) > 1 and "<progress" in notebook.shown[0] and notebook.shown[-1] == ""


def test_without_being_asked_only_long_work_shows_a_bar(notebook, monkeypatch):
    carom.sweep(STUDY.replace("200000", "20"))
    assert notebook.shown == []
    monkeypatch.setattr(_progress, "_FIRST_DRAW_DELAY", 0.0)
    carom.sweep(STUDY, threads=1)
    assert notebook.shown[-1] == ""
    notebook.shown.clear()
    carom.sweep(STUDY, progress=False)
    assert notebook.shown == []


def test_outside_of_notebooks_nothing_is_written_to_a_file(capsys):
    carom.sweep(STUDY.replace("200000", "20"), progress=True)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_a_bar(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(_progress, "_DRAW_INTERVAL", 0.0)
    carom.sweep(STUDY, threads=1, progress=True)
    written = capsys.readouterr().err
    assert "%" in written and written.endswith("\r\033[K")


def test_a_function_hears_the_progress():
    heard = []
    carom.sweep(STUDY, progress=lambda done, all: heard.append((done, all)))
    assert heard[-1] == (200000, 200000)


def test_a_figure_that_is_returned_is_not_drawn_again(steel, monkeypatch):
    # The backend of notebooks draws open figures at the end of a cell, and also a figure that is the result of the cell, which
    # would show it twice.
    impact = carom.model("hertz-1881").law(**{k: steel[k] for k in ("mass", "stiffness")}).collide(0.5)
    plt.close("all")
    impact.plot()
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    monkeypatch.setattr(matplotlib.pyplot, "get_backend", lambda: "module://matplotlib_inline.backend_inline")
    assert impact.plot() is not None and plt.get_fignums() == []
