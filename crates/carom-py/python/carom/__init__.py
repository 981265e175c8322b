"""carom: contact-impact analysis with laws that deliver exactly the requested restitution.

>>> import carom
>>> steel = dict(stiffness=2.4144e10, exponent=1.5, mass=0.54)
>>> published = carom.model("hunt-crossley-1975").law(**steel, restitution=0.5)
>>> round(published.collide(speed=0.5).restitution, 3)      # 0.5 became 0.66
0.663
>>> exact = carom.model("hunt-crossley-1975").law(**steel, restitution=0.5, calibration="exact")
>>> round(exact.collide(speed=0.5).restitution, 12)
0.5

Every quantity is a number in SI units, a text with a unit ("12.7 mm") or an array; arrays broadcast, and impacts
are computed on all cores:

>>> import numpy as np
>>> impacts = exact.collide(speed=np.linspace(0.1, 1.0, 1000))
>>> impacts.force_max.shape
(1000,)

Overview:

models, model                 the catalogue, and one of its laws: help(carom.model("flores-2011"))
Model.law                     a law for two bodies; Law.collide, Law.force, Law.tangent, Law.touch
Impact                        results: numbers or arrays, trajectory, plot, to_dict, to_pandas, to_arrow, to_polars, to_xarray
Law.gradient                  d(restitution, duration, peaks)/d(quantities of the description); carom.jax and carom.torch use it
body, pair, materials         from shapes and materials to mass, stiffness and exponent
exact                         theory: damping for a restitution, and the reverse
identify, fit, fit_together, rank, drop  from measurements to parameters
advise                        recommended law, parameters and time step
compare, experiments          comparison of laws with measured impacts
export                        an impact as input for another simulator
check                         what the contacts of a robot file deliver
simulate, regimes             a scene of bodies that touch, or of many grains; laws in a joint with clearance
reproduce                     recomputation of numbers printed in papers
sweep, sensitivity            a study of many cases, here or on a Dask cluster; which input causes the variance
bifurcation                   Poincaré sections and Lyapunov exponents of a scene over a parameter
Error                         a ValueError whose message says what to do
"""

from . import exact, reports
from ._bodies import Body, Material, Pair, body, material, materials, pair
from ._carom import CFunction, Contact, Error, version as _version
from ._catalogue import model, models
from ._compare import Comparison, compare, experiments
from ._fit import Fit, JointFit, Ranking, fit, fit_together, rank
from ._gradient import Gradient
from ._impact import Impact, Trajectory
from ._law import Law, Model
from ._papers import PaperFigure, Reproduction, reproduce
from ._questions import DropTest, Export, advise, drop, engines, export, identify
from ._regimes import Regimes, regimes
from ._robots import Check, check
from ._simulate import Simulation, simulate
from ._sweep import Sweep, bifurcation, sensitivity, sweep
from ._tables import Result, Table

__version__ = _version()

__all__ = [
    "Body",
    "CFunction",
    "Check",
    "Comparison",
    "Contact",
    "DropTest",
    "Error",
    "Export",
    "Fit",
    "JointFit",
    "Gradient",
    "Impact",
    "Law",
    "Material",
    "Model",
    "Pair",
    "PaperFigure",
    "Ranking",
    "Regimes",
    "Reproduction",
    "Result",
    "Simulation",
    "Sweep",
    "Table",
    "Trajectory",
    "advise",
    "bifurcation",
    "body",
    "check",
    "compare",
    "drop",
    "engines",
    "experiments",
    "exact",
    "export",
    "fit",
    "fit_together",
    "identify",
    "material",
    "materials",
    "model",
    "models",
    "pair",
    "rank",
    "regimes",
    "reports",
    "reproduce",
    "sensitivity",
    "simulate",
    "sweep",
]
