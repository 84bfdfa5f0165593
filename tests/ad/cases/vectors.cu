// Vector types: members, make_float4, and whole vectors that are copied.
// g2o-verify: vectors<<<2, 32>>>(n = 40, a = [n], b = [n], c = [n])
__global__ void vectors(const float4 *a, const float3 *b, float4 *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 p = a[i];
    float3 q = b[i];
    p.x *= q.x;
    p.w = p.y * q.z;
    c[i] = make_float4(p.x + q.y, p.y * p.y, p.w, c[i].x * p.z);
    c[i].y += p.x;
}
