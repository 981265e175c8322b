// Build with: g++ impact_simbody.cpp -o impact $(pkg-config --cflags --libs simbody)
#include <Simbody.h>
#include <algorithm>
#include <cstdio>
using namespace SimTK;

int main() {
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    GeneralContactSubsystem contacts(system);
    const ContactSetIndex set = contacts.createContactSet();

    // A ball on a line that meets a half-space filling x > 0; they touch at t = 0.
    Body::Rigid ball(MassProperties({{mass}}, Vec3(0), Inertia({{inertia}})));
    MobilizedBody::Slider slider(matter.updGround(), Transform(), ball, Transform());
    contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(), Transform());
    contacts.addBody(set, slider, ContactGeometry::Sphere({{radius}}), Transform());
    HuntCrossleyForce contact(forces, contacts, set);
    for (int i = 0; i < 2; ++i)
        contact.setBodyParameters(ContactSurfaceIndex(i), {{stiffness}}, {{dissipation}}, {{friction}}, {{friction}}, 0);

    State state = system.realizeTopology();
    slider.setOneQ(state, 0, -{{radius}});
    slider.setOneU(state, 0, {{speed}});
    RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(1e-8);
    integrator.setMaximumStepSize(10 * {{step}});
    TimeStepper stepper(system, integrator);
    stepper.initialize(state);

    double peak = 0, first = -1, last = 0;
    for (int i = 0; i < {{steps}}; ++i) {
        stepper.stepTo(i * {{step}});
        const State& now = integrator.getState();
        system.realize(now, Stage::Acceleration);
        const double force = -{{mass}} * slider.getOneUDot(now, 0);
        peak = std::max(peak, force);
        if (force > 0) {
            if (first < 0) first = i;
            last = i;
        }
    }
    const double speed = -slider.getOneU(integrator.getState(), 0);
    std::printf("{\"restitution\": %.12g, \"force_max\": %.12g, \"duration\": %.12g}\n",
                speed / {{speed}}, peak, (last - first + 1) * {{step}});
}
