"""Studies: the same bytes on this machine and on a real cluster, even if a worker is killed."""

import os
import signal
import subprocess

import distributed
import numpy as np
import pytest
from pyarrow import parquet

import carom

MANY = """
partition = 500
[impact]
law = "hunt-crossley-1975"
mass = "0.54 kg"
stiffness = "2.4144e10 N/m^1.5"
calibration = "exact"
[sampling]
count = 60000
seed = 3
[[axis]]
parameter = "speed"
distribution = "uniform"
from = "5 cm/s"
to = "60 cm/s"
[[axis]]
parameter = "restitution"
distribution = "normal"
mean = 0.9
deviation = 0.05
"""

FEW = """
[impact]
mass = 0.54
stiffness = 2.4144e10
[[axis]]
parameter = "law"
values = ["flores-2011", "hunt-crossley-1975"]
[[axis]]
parameter = "speed"
from = 0.1
to = 0.5
count = 5
[[axis]]
parameter = "restitution"
values = [0.5, 0.7, 1.5]
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Returns the file written with one thread."""
    path = tmp_path_factory.mktemp("alone") / "many.parquet"
    summary = carom.sweep(MANY, out=path, threads=1)
    assert summary.cases == 60_000 and summary.partitions == 120 and summary.bytes == path.stat().st_size
    assert sum(summary.status.to_dict().values()) == 60_000
    return path


def test_a_table_holds_what_the_law_gives(steel):
    table = carom.sweep(FEW)
    assert len(table) == 30 and table["law"][:2] == ["flores-2011"] * 2
    assert table.units["force_max"] == "N"
    for row in table.rows():
        if row["restitution"] > 1:
            assert row["status"] == "invalid" and np.isnan(row["force_max"])
            continue
        impact = carom.model(row["law"]).law(**steel, restitution=row["restitution"]).collide(row["speed"])
        assert row["status"] == "ok" and row["force_max"] == pytest.approx(impact.force_max, rel=1e-10)
    assert len(table.to_pandas()) == 30 and table.to_arrow().num_rows == 30


@pytest.mark.parametrize("ending", ["parquet", "csv", "arrow"])
def test_threads_and_the_command_write_the_same_bytes(command, tmp_path, ending):
    one, many = tmp_path / f"one.{ending}", tmp_path / f"many.{ending}"
    carom.sweep(FEW, out=one, threads=1)
    carom.sweep(FEW, out=many, threads=5)
    assert one.read_bytes() == many.read_bytes()
    (tmp_path / "study.toml").write_text(FEW)
    subprocess.run(
        [command, "sweep", tmp_path / "study.toml", "--out", tmp_path / f"command.{ending}"],
        check=True,
        capture_output=True,
    )
    assert (tmp_path / f"command.{ending}").read_bytes() == one.read_bytes()


def test_files_are_what_other_readers_read(written):
    table = parquet.read_table(written)
    assert table.num_rows == 60_000 and table["case"].to_pylist()[:3] == [0, 1, 2]
    here = carom.sweep(MANY)
    np.testing.assert_array_equal(table["force_max"].to_numpy(), here["force_max"])


def test_a_run_that_was_stopped_goes_on(tmp_path, written):
    out = tmp_path / "stopped.parquet"

    def stop(done, _):
        if done >= 20_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carom.sweep(MANY, out=out, progress=stop)
    assert not out.exists() and (tmp_path / "stopped.parquet.partial").exists()
    summary = carom.sweep(MANY, out=out)
    assert summary.resumed >= 40
    assert out.read_bytes() == written.read_bytes()
    assert carom.sweep(MANY, out=out).resumed == 120  # the file is complete, so that nothing is computed


def test_a_cluster_writes_the_same_bytes_although_a_worker_is_killed(tmp_path, written):
    out = tmp_path / "cluster.parquet"
    killed = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=tmp_path
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        processes = client.run(os.getpid)
        assert len(set(processes.values()) - {os.getpid()}) == 2

        def progress(done, cases):
            if not killed and done >= cases // 10:
                victim = next(iter(processes.values()))
                os.kill(victim, signal.SIGKILL)
                killed.append((victim, done))

        summary = carom.sweep(MANY, client, out=out, progress=progress)
        table = carom.sweep(FEW, client)
        survivors = client.run(os.getpid)
    assert killed and killed[0][1] < 60_000 and killed[0][0] not in survivors.values()
    assert summary.cases == 60_000
    assert out.read_bytes() == written.read_bytes()
    assert repr(table) == repr(carom.sweep(FEW))


@pytest.mark.parametrize(
    "study, told",
    [
        ("nowhere/study.toml", "cannot read"),
        ("no-such-study", "zhang-2022-fig7|no built-in|no study"),
        ("not\ntoml", "cannot be read|line"),
        ("[impact]\nlow = 'flores-2011'\n", "law"),
        (FEW.replace("values = [0.5, 0.7, 1.5]", "values = []"), "values"),
    ],
    ids=range(5),
)
def test_studies_that_make_no_sense_are_refused(study, told):
    with pytest.raises(carom.Error, match=told):
        carom.sweep(study)


def test_files_that_cannot_be_are_refused(tmp_path):
    with pytest.raises(carom.Error, match="ends in .parquet"):
        carom.sweep(FEW, out=tmp_path / "results.xls")
    with pytest.raises(OSError, match="cannot write"):
        carom.sweep(FEW, out=tmp_path / "no" / "such" / "folder.csv")
    (tmp_path / "mine.csv").write_text("a\n1\n")
    with pytest.raises(OSError, match="exists and is not a result of this study"):
        carom.sweep(FEW, out=tmp_path / "mine.csv")
    assert (tmp_path / "mine.csv").read_text() == "a\n1\n"
    carom.sweep(FEW, out=tmp_path / "mine.csv", overwrite=True)
    assert (tmp_path / "mine.csv").read_text().startswith("case,")


def test_the_input_that_varies_most_is_to_blame():
    found = carom.sensitivity(MANY, samples=512)
    shares = {share.output: share for share in found.groups[0].outputs}
    force = {p.parameter: p.first for p in shares["force_max"].parameters}
    assert force["speed"] > 0.9 > force["restitution"]


SCENE = """
[simulation]
duration = "0.12 s"
gravity = "9.81 m/s^2"
[ground]
material = "steel"
[[body]]
name = "ball"
shape = "sphere"
radius = "10 mm"
material = "steel"
position = [0, 0, 0.03]
[[contact]]
between = ["ball", "ground"]
law = "hunt-crossley-1975"
restitution = 0.8
calibration = "exact"
"""


def test_keys_of_a_scene_vary(tmp_path):
    over = ["ball-ground.restitution=0.5..0.9:3", "ball.radius=5, 10 mm"]
    outputs = ["touches", "lost(ball-ground)", "last(trajectory.vz_m_per_s, ball)"]
    table = carom.sweep(SCENE, over=over, outputs=outputs, set={"simulation.duration": "0.1 s"}, threads=2)
    assert len(table) == 6
    np.testing.assert_allclose(table["ball.radius"], [5e-3, 10e-3] * 3)
    assert list(table["touches"]) == [1.0] * 6
    # A study in a file names a scene in the same folder; the bytes are those of the same study given by keywords.
    (tmp_path / "ball.toml").write_text(SCENE)
    (tmp_path / "study.toml").write_text('[scene]\nfile = "ball.toml"\n[[axis]]\nparameter = "ball.radius"\nvalues = [0.01]\n')
    assert carom.sweep(tmp_path / "study.toml", out=tmp_path / "one.csv").cases == 1
    written = carom.sweep(tmp_path / "ball.toml", over="ball.radius=0.01", out=tmp_path / "two.csv")
    assert written.status.to_dict() == {"ok": 1}
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    # The same holds for a study whose sensitivities are computed.
    spread = '[[axis]]\nparameter = "ball-ground.restitution"\ndistribution = "uniform"\nfrom = 0.5\nto = 0.9\n'
    (tmp_path / "spread.toml").write_text(f'outputs = ["lost(ball-ground)"]\n[scene]\nfile = "ball.toml"\n[sampling]\ncount = 16\n{spread}')
    shares = carom.sensitivity(tmp_path / "spread.toml", samples=16).groups[0].outputs[0].parameters
    assert [share.parameter for share in shares] == ["ball-ground.restitution"]
    with pytest.raises(carom.Error, match="over="):
        carom.sweep(SCENE, outputs=["touches"])
    with pytest.raises(carom.Error, match="radius"):
        carom.sweep(SCENE, over="ball.raduis=1, 2")


def test_a_bifurcation_diagram_is_a_table():
    shaker = SCENE.replace("[ground]\n", '[[body]]\nname = "table"\nshape = "half-space"\nmotion = { direction = [0, 0, 1], amplitude = 0.00046, frequency = 157.08 }\n[ground]\n')
    shaker = shaker.replace('["ball", "ground"]\nlaw', '["ball", "table"]\nlaw').replace('restitution = 0.8', 'restitution = 0.5\nstiffness = 1e9')
    found = carom.bifurcation(shaker, "table.motion.amplitude=0.46, 0.5 mm", turns=5, skip=2, exponent=False)
    assert list(found["case"]) == [0] * 5 + [1] * 5
    assert found.units["offset_z_m"] == "m"
    assert len(carom.bifurcation(shaker, "table.motion.amplitude=0.46 mm", section="touch", turns=2, skip=0, exponent=False)) > 0
    with pytest.raises(carom.Error, match="steady rate"):
        carom.bifurcation(SCENE, "ball.radius=5, 10 mm")
