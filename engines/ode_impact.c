/* One impact of a ball on a plane in ODE: prints indentation and approach speed after every step.
 * Arguments: step radius mass gravity kp kd restitution threshold min_depth max_vel gap speed steps. */
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **text) {
    double n[14];
    if (count != 14) return 2;
    for (int i = 1; i < 14; i++) n[i] = atof(text[i]);
    double step = n[1], radius = n[2], mass = n[3], kp = n[5], kd = n[6];
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -n[4]);
    dWorldSetContactSurfaceLayer(world, n[9]);
    dWorldSetContactMaxCorrectingVel(world, n[10]);
    dBodyID ball = dBodyCreate(world);
    dMass inertia;
    dMassSetSphereTotal(&inertia, mass, radius);
    dBodySetMass(ball, &inertia);
    dGeomID sphere = dCreateSphere(0, radius), plane = dCreatePlane(0, 0, 0, 1, 0);
    dGeomSetBody(sphere, ball);
    dBodySetPosition(ball, 0, 0, radius + n[11]);
    dBodySetLinearVel(ball, 0, 0, -n[12]);
    dJointGroupID contacts = dJointGroupCreate(0);
    for (int i = 0; i < (int)n[13]; i++) {
        dContact contact = {0};
        if (dCollide(sphere, plane, 1, &contact.geom, sizeof(dContact)) > 0) {
            contact.surface.mode = dContactBounce | dContactSoftERP | dContactSoftCFM;
            contact.surface.bounce = n[7];
            contact.surface.bounce_vel = n[8];
            contact.surface.soft_erp = step * kp / (step * kp + kd);
            contact.surface.soft_cfm = 1 / (step * kp + kd);
            dJointAttach(dJointCreateContact(world, contacts, &contact), ball, 0);
        }
        dWorldStep(world, step);
        dJointGroupEmpty(contacts);
        printf("%.17g %.17g\n", radius - dBodyGetPosition(ball)[2], -dBodyGetLinearVel(ball)[2]);
    }
    return 0;
}
