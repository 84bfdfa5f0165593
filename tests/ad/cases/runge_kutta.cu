// Steps of a Runge-Kutta method for a predator-prey system, with a state in a struct.
// g2o-verify: integrate<<<2, 16>>>(n = 30, steps = 6, dt = 0.05, state = [n])
struct State {
    double prey, predators;
};

__device__ State rate(State s, double growth)
{
    State r;
    r.prey = growth * s.prey - s.prey * s.predators;
    r.predators = s.prey * s.predators - 0.8 * s.predators;
    return r;
}

__device__ State moved(State s, State r, double dt)
{
    s.prey += dt * r.prey;
    s.predators += dt * r.predators;
    return s;
}

__global__ void integrate(State *state, double growth, double dt, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    State s = state[i];
    for (int step = 0; step < steps; ++step) {
        State k1 = rate(s, growth);
        State k2 = rate(moved(s, k1, 0.5 * dt), growth);
        State k3 = rate(moved(s, k2, 0.5 * dt), growth);
        State k4 = rate(moved(s, k3, dt), growth);
        s.prey += dt / 6.0 * (k1.prey + 2.0 * k2.prey + 2.0 * k3.prey + k4.prey);
        s.predators +=
            dt / 6.0 * (k1.predators + 2.0 * k2.predators + 2.0 * k3.predators + k4.predators);
    }
    state[i] = s;
}
