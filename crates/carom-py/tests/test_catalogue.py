"""The catalogue in Python agrees with that of the library: texts, stubs, errors."""

import inspect
import pickle
import pydoc
import re
import subprocess

import mypy.api
import pytest

import carom
from carom import _catalogue, stubs


def test_help_tells_the_story_of_every_law():
    for row in carom.models().rows():
        shown = pydoc.render_doc(carom.model(row["id"]), renderer=pydoc.plaintext)
        for text in (row["title"], row["equation"], row["validity"], row["reference"]):
            for line in text.splitlines():
                assert line.strip() in shown, (row["id"], line)


def test_signatures_name_the_parameters_of_the_law():
    for row in carom.models().rows():
        model = carom.model(row["id"])
        names = inspect.signature(model.law).parameters
        for parameter in model.parameters:
            assert parameter["name"] in names, row["id"]


def test_stubs_of_the_compiled_part_name_what_is_there():
    text = stubs.PATH.with_name("_carom.pyi").read_text(encoding="utf-8")
    there = {name for name in dir(carom._carom) if not name.startswith("_")}
    for name in there:
        assert f"def {name}(" in text or f"class {name}" in text, name
    for name in (name for name in dir(carom.Contact) if not name.startswith("_")):
        assert f"def {name}(" in text or f"    {name}: " in text, name


def test_types_check(repository):
    out, err, status = mypy.api.run(["--config-file", str(repository / "crates/carom-py/pyproject.toml"),
                                 "--cache-dir", str(repository / "target/mypy"),
                                 str(repository / "crates/carom-py/python/carom")])
    assert status == 0, out + err


def test_models_is_a_table_that_can_be_searched():
    all = carom.models()
    assert len(all) > 60 and all["id"][0] == "hooke-1678"
    assert "flores-2011" in carom.models("flores")["id"]
    assert set(carom.models(group="adhesive")["group"]) == {"adhesive"}
    assert "tsuji-1992" in carom.models(velocity_free=True)["id"]
    assert len(carom.models("no such law")) == 0
    assert "hooke-1678" in repr(all) and "<table>" in all._repr_html_()


def test_aliases_find_the_same_law_and_laws_pickle():
    for row in carom.models().rows():
        model = carom.model(row["id"])
        for alias in row["aliases"]:
            assert carom.model(alias) is model
        assert pickle.loads(pickle.dumps(model)) is model


def test_errors_are_value_errors_with_advice():
    with pytest.raises(ValueError, match="did you mean `flores-2011`?"):
        carom.model("flores-2")
    with pytest.raises(carom.Error, match="law must be a word"):
        carom.model(3)
    assert issubclass(carom.Error, ValueError) and carom.Error.__module__ == "carom"


SENTENCES = [
    (dict(restitution=1.5), ["--restitution", "1.5"]),
    (dict(restitution="nan"), ["--restitution", "nan"]),
    (dict(restitution=float("nan")), ["--restitution", "nan"]),
    (dict(restitution=0.5, mass=-1.0), ["--restitution", "0.5", "--mass", "-1"]),
    (dict(restitution=0.5, stiffness="3 kg"), ["--restitution", "0.5", "--stiffness", "3 kg"]),
    (dict(restitution=0.5, exit="never"), ["--restitution", "0.5", "--exit", "never"]),
    (dict(restitution=0.5, calibration="exakt"), ["--restitution", "0.5", "--calibration", "exakt"]),
    (dict(restitution=0.5, damping=1.0), ["--restitution", "0.5", "--damping", "1"]),
    (dict(restitution=0.5, exponent=7), ["--restitution", "0.5", "--exponent", "7"]),
    (dict(restitution=0.5, yield_strength=7), ["--restitution", "0.5", "--set", "yield_strength=7"]),
    (dict(), []),
]


def keywords(sentence):
    """Returns a sentence of the command with `--name VALUE` written as `name=VALUE`."""
    return re.sub(r"--([a-z-]+)(?: ([A-Z]\b))?", lambda m: m[1].replace("-", "_") + (f"={m[2]}" if m[2] else ""), sentence)


@pytest.mark.parametrize("said, flags", SENTENCES, ids=lambda value: str(value)[:40])
def test_sentences_are_those_of_the_command_with_keywords(command, said, flags):
    base = {"mass": "0.54", "stiffness": "2.4144e10"}
    arguments = [command, "impact", "--law", "flores-2011", "--speed", "0.5", *flags]
    for name, value in base.items():
        if name not in said:
            arguments += [f"--{name}", value]
    told = subprocess.run(arguments, capture_output=True, text=True)
    assert told.returncode == 2, told
    with pytest.raises(carom.Error) as refused:
        carom.model("flores-2011").law(**{**base, **said}).collide(speed=0.5)
    sentence = " ".join(str(refused.value).split())
    assert "--" not in sentence and sentence in keywords(" ".join(told.stderr.split()))


def test_every_class_has_its_own_name():
    names = [_catalogue.class_name(id) for id in carom.models()["id"]]
    assert len(set(names)) == len(names) and all(name.isidentifier() for name in names)
