// Value parameters of vector and struct types have shadows.
// g2o-verify: transform<<<2, 32>>>(n = 40, points = [n])
struct Camera {
    double zoom;
    double3 position;
    int flags;
};

__global__ void transform(Camera camera, double2 shift, double3 *points, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double3 p = points[i];
    points[i].x = camera.zoom * (p.x - camera.position.x) + shift.x;
    points[i].y = camera.zoom * (p.y - camera.position.y) * shift.y;
    points[i].z = p.z * camera.position.z;
}
