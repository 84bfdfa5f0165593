// Arrays of structs with integers and arrays among their members; members are updated in place.
// g2o-verify: push<<<2, 32>>>(n = 40, particles = [n], field = [n])
struct Particle {
    double position[2];
    int kind;
    double speed;
};

__global__ void push(Particle *particles, const double *field, int n, double dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Particle p = particles[i];
    p.speed += dt * field[(i + p.kind) % n] * p.position[0];
    p.position[0] += dt * p.speed;
    p.position[1] -= dt * p.speed * p.speed;
    particles[i] = p;
}
