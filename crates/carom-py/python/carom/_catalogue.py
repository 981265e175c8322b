"""The catalogue: one class for each law, made from the text of its file.

`_catalogue.pyi` is generated from the same text (`python -m carom.stubs`), so that editors know the classes as well.
"""

from __future__ import annotations

import inspect
import json
import re
from functools import cache
from typing import Any

from . import _carom
from ._choices import Group, Input
from ._law import Model
from ._tables import Table
from ._values import mapping

HEADINGS = ("Equation", "Validity", "Remarks", "Reference")
_INPUTS = {
    "elastic": "elastic",
    "restitution": "takes a restitution",
    "coefficient": "takes a damping coefficient",
    "material": "takes material constants",
}
_VELOCITY_DEPENDENCE = {True: "velocity-free", False: "velocity-dependent", None: "velocity dependence not determined"}


def class_name(id: str) -> str:
    """Returns the name of the class of a law: `HuntCrossley1975` for `hunt-crossley-1975`."""
    return "".join(part.capitalize() for part in re.split("[^A-Za-z0-9_]", id))


def describe(entry: dict[str, Any]) -> str:
    """Returns the text that `help()` shows: the documentation of a law."""
    also = f", also {', '.join(entry['aliases'])}" if entry["aliases"] else ""
    lines = [
        f"{entry['title']}",
        "",
        f"{entry['id']}{also}",
        f"{entry['group']} · {_INPUTS[entry['input']]} · contact ends at zero {entry['exit']} · "
        f"{_VELOCITY_DEPENDENCE[entry['velocity_free']]}",
    ]
    for heading in HEADINGS:
        lines += ["", heading, *("    " + line if line else "" for line in entry[heading.lower()].splitlines())]
    if entry["doi"]:
        lines.append(f"    https://doi.org/{entry['doi']}")
    if entry["parameters"]:
        lines += ["", "Parameters of law()", *parameters(entry)]
    return "\n".join(lines) + "\n"


def parameters(entry: dict[str, Any]) -> list[str]:
    """Returns one line for each parameter."""
    lines = []
    for p in entry["parameters"]:
        facts = [p["name"], *([p["unit"]] if p["unit"] else [])]
        if p["default"] is not None:
            facts.append(f"default {p['default']:g}")
        lines.append(f"    {', '.join(facts)}: {p['help']}")
    return lines


def _law_of(entry: dict[str, Any]) -> Any:
    """Returns `Model.law` with the parameters of this law as keywords. Other keywords are passed on as well, so that carom reports
    the error.
    """
    signature = inspect.signature(Model.law)
    general = set(signature.parameters)

    def law(self: Model, **arguments: Any) -> Any:
        named = {name: value for name, value in arguments.items() if name not in general}
        listed = mapping("set", arguments.get("set"), '"radius": 0.01')
        twice = sorted(set(named) & set(listed))
        if twice:
            raise _carom.Error(f"{twice[0]} is given twice: as a keyword and in set; give it once")
        plain = {name: value for name, value in arguments.items() if name in general}
        return Model.law(self, **{**plain, "set": {**listed, **named}})

    named = list(signature.parameters.values())
    own = [
        inspect.Parameter(p["name"], inspect.Parameter.KEYWORD_ONLY, default=None, annotation="Any")
        for p in entry["parameters"]
        if p["name"] not in signature.parameters
    ]
    law.__signature__ = signature.replace(parameters=[*named, *own])  # type: ignore[attr-defined]
    law.__doc__ = Model.law.__doc__
    law.__qualname__ = f"{class_name(entry['id'])}.law"
    law.__module__ = __name__
    return law


@cache
def _entries() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(_carom.catalogue()))


@cache
def _model(id: str) -> Model:
    entry = json.loads(_carom.catalogue(id))
    body = {**entry, "aliases": tuple(entry["aliases"]), "parameters": tuple(entry["parameters"])}
    body.update(__doc__=describe(entry), __module__=__name__, law=_law_of(entry))
    made: Model = type(class_name(id), (Model,), body)()
    return made


def model(name: str) -> Model:
    """Returns the law with this id or alias (`carom.models()` lists them), of a law file, or of the text of a law file.

    >>> carom.model("flores-2011").year
    2011
    >>> text = 'name = "stiffening"\\nspring = "K*delta + K3*delta^3"\\n[parameters]\\nK = "1 kN/m"\\nK3 = "1 GN/m^3"'
    >>> law = carom.model(text).law(mass=2, restitution=0.5)
    >>> round(float(law.collide(1.0).restitution_newton), 9)
    0.5
    """
    if not isinstance(name, str):
        raise _carom.Error(f"law = {name!r} is not allowed: law must be a word; `carom.models()` lists them all")
    entry = json.loads(_carom.catalogue(name))
    found = _model(entry["id"])
    if name not in (entry["id"], *entry["aliases"]):
        found._given = name
    return found


def models(
    search: str = "", *, group: Group | None = None, input: Input | None = None, velocity_free: bool | None = None
) -> Table:
    """Returns the catalogue as a table, or those laws whose name, alias or reference contains `search`.

    >>> "hertz-1881" in carom.models("hertz", input="elastic")["id"]
    True
    """
    names = ("id", "title", "year", "group", "input", "exit", "velocity_free", "aliases", "doi")
    names += ("equation", "validity", "remarks", "reference")
    for name, word in (("group", group), ("input", input)):
        words = list(dict.fromkeys(entry[name] for entry in _entries()))
        if word is not None and word not in words:
            raise _carom.Error(f"no {name} `{word}`; use {', '.join(words)}")
    wanted = search.lower()
    found = []
    for entry in _entries():
        haystack = " ".join([entry["id"], entry["title"], *entry["aliases"], entry["reference"]]).lower()
        if wanted not in haystack or group not in (None, entry["group"]) or input not in (None, entry["input"]):
            continue
        if velocity_free is None or entry["velocity_free"] is velocity_free:
            found.append(entry)
    return Table({name: [entry[name] for entry in found] for name in names}, shown=names[:7])
