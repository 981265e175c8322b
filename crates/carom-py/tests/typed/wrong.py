"""Common mistakes. Type checkers must find all of them: each marked line has an error, and no other line has one."""

import carom

steel = carom.model("flores-2011")
law = steel.law(mass=0.54, stiffness=2.4144e10, restitution=0.7)
impact = law.collide(speed=0.5)

steel.law(mass=0.54, stifness=2.4144e10)  # mistake: a name misspelt
steel.law(mass=0.54, stiffness=2.4144e10, calibration="exakt")  # mistake: a word that is none of the choices
law.collide(0.5, exit="force")  # mistake: what belongs to the law, said to the impact
print(impact.force)  # mistake: a result that does not exist (force_max does)
print(impact.report.restitution.newtons)  # mistake: the same deep in a report
law.collide(speed=None)  # mistake: nothing where a number is needed
impact.duration.mean()  # mistake: one impact taken for many
carom.export(law, "lamps", speed=0.5)  # mistake: a program that there is no export for
carom.fit("hertz-1881", loss="hubber")  # mistake: a loss that there is not
carom.identify(mass=0.54, sped=0.5, restitution=0.7, duration="207 us")  # mistake: a name misspelt in a question
carom.simulate("scene.toml", format="parquet")  # mistake: a format of files without a folder for them
law.gradient(0.5, by=3)  # mistake: a number for a name
carom.fit_together("hertz-1881", [{"time": [0.0], "force": [1.0]}], masse=0.54)  # mistake: a name misspelt in a fit of records
print(carom.drop(drop=1.0, bounce=0.5).impacts[0].restitutions)  # mistake: a result of a drop test that does not exist
print(carom.check("robot.xml").fix.delivered)  # mistake: there is no fix where no restitution was asked for
carom.compare("steel-ball-0.5", sort="best")  # mistake: a word that is none of the choices of a comparison
print(carom.bifurcation("scene.toml", "gap.clearance=1, 2 mm", out="sections.csv").columns)  # mistake: a file taken for a table
law.touch(speed=[0.1, 0.2])  # mistake: many speeds for one contact
