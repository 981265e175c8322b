! Function expressions for an existing model. BALL is a marker at the centre of the ball, GROUND one on
! the surface with z along its normal; the radius is the distance at which they touch.

! Model in m, N, s:
IMPACT(DZ(BALL, GROUND, GROUND), VZ(BALL, GROUND, GROUND, GROUND), {{radius}}, {{stiffness}}, {{exponent}}, {{damping}}, {{depth}})

! Model in mm, N, s:
IMPACT(DZ(BALL, GROUND, GROUND), VZ(BALL, GROUND, GROUND, GROUND), {{radius_mm}}, {{stiffness_mm}}, {{exponent}}, {{damping_mm}}, {{depth_mm}})
