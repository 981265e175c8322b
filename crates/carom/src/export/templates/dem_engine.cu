{{usage}}
if (overlapDepth >= {{release}} && (overlapDepth > 0. || carom_speed > 0.f)) {
    struct carom_law {
{{functions}}    };
    // Velocities of the surfaces at the contact point, in global axes.
    float3 carom_va = cross(ARotVel, locCPA), carom_vb = cross(BRotVel, locCPB);
    applyOriQToVector3<float, deme::oriQ_t>(carom_va.x, carom_va.y, carom_va.z, AOriQ.w, AOriQ.x, AOriQ.y, AOriQ.z);
    applyOriQToVector3<float, deme::oriQ_t>(carom_vb.x, carom_vb.y, carom_vb.z, BOriQ.w, BOriQ.x, BOriQ.y, BOriQ.z);
    // Of A against B; B2A points from B to A.
    const float3 carom_velocity = (ALinVel + carom_va) - (BLinVel + carom_vb);
    const double delta = overlapDepth, rate = -dot(carom_velocity, B2A);
    if (carom_speed <= 0.f) {
        carom_speed = rate > 1e-3 ? rate : 1e-3;
{{touch}}        carom_tx = carom_ty = carom_tz = 0.f;
{{advance}}    }
    double carom_load = carom_law::law_force({{force}});
{{commit}}{{cut}}    // Friction: a tangential spring with Mindlin's stiffness, limited by Coulomb's law.
    float3 carom_t = make_float3(carom_tx, carom_ty, carom_tz);
    const float carom_mu = mu[bodyAMatType][bodyBMatType];
    if (carom_mu > 0.f) {
        const float carom_ea = E[bodyAMatType], carom_eb = E[bodyBMatType];
        const float carom_na = nu[bodyAMatType], carom_nb = nu[bodyBMatType];
        const float carom_g = 1.f / (2.f * (2.f - carom_na) * (1.f + carom_na) / carom_ea + 2.f * (2.f - carom_nb) * (1.f + carom_nb) / carom_eb);
        const float carom_k = 8.f * carom_g * sqrtf((float)(delta > 0. ? delta : 0.) * (ARadius * BRadius / (ARadius + BRadius)));
        carom_t = carom_t - dot(carom_t, B2A) * B2A - (carom_k * ts) * (carom_velocity + (float)rate * B2A);
        const float carom_limit = carom_mu * (carom_load > 0. ? (float)carom_load : 0.f), carom_size = length(carom_t);
        if (carom_size > carom_limit) carom_t = (carom_limit / carom_size) * carom_t;
    }
    carom_tx = carom_t.x;
    carom_ty = carom_t.y;
    carom_tz = carom_t.z;
    force += (float)carom_load * B2A + carom_t;
} else {
    {{clear}}
}
