// Every barrier of these kernels is needed but those marked. No two pointers overlap.

// Some threads may have the same e: only those with x > 0 are known not to.
__global__ void guard_reads_float(float *y, const float *x, const int *idx)
{
    __shared__ float s[64];
    int e = idx[threadIdx.x];
    if (x[threadIdx.x] > 0.f)
        s[e] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[e];
}

// Threads that write in different iterations may have the same e.
__global__ void guard_names_iteration(float *y, const int *idx)
{
    __shared__ int s[64];
    int e = idx[threadIdx.x];
    for (int k = 0; k < 4; ++k) {
        if (threadIdx.x % 4 == k) {
            y[threadIdx.x] += s[e];
            s[e] = threadIdx.x;
        }
        __syncthreads();
    }
}

// e differs between threads though nothing in its two values does.
__global__ void unknown_condition(float *y, const float *x)
{
    __shared__ float s[2];
    int e = x[threadIdx.x] > 0.f ? 0 : 1;
    if (threadIdx.x < 2)
        s[e] = 1.f + threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = s[1 - e];
}

__global__ void half_known_condition(float *y, const float *x, int n)
{
    __shared__ float s[2];
    int e = 1;
    if (n > 5 && x[threadIdx.x] > 0.f)
        e = 0;
    if (threadIdx.x < 2)
        s[e] = 1.f + threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = s[1 - e];
}

// left is -1, not 2 ** 32 - 1.
__global__ void unsigned_to_signed(float *y, const float *x)
{
    __shared__ float s[64];
    if (threadIdx.x == 0) {
        int left = threadIdx.x - 1;
        s[left + 1] = x[0];
    }
    __syncthreads();
    y[threadIdx.x] = s[0];
}

__global__ void unsigned_wraps_twice(float *y, const float *x)
{
    __shared__ float s[64];
    if (threadIdx.x == 0)
        s[threadIdx.x - 1 + 1] = x[0];
    __syncthreads();
    y[threadIdx.x] = s[0];
}

__global__ void unsigned_decrement(float *y)
{
    __shared__ float s[64];
    unsigned j = threadIdx.x;
    j--;
    if (j >= 64)
        s[0] = 3.f;
    __syncthreads();
    y[threadIdx.x] = s[0];
}

// The product wraps round: thread 1 has h = 39, thread 55 has h = 63, thread 63 has h = 2.
__global__ void hash(float *y)
{
    __shared__ unsigned s[64];
    s[threadIdx.x] = 7 + threadIdx.x;
    __syncthreads();
    unsigned h = (threadIdx.x * 2654435761u) >> 26;
    if (h > 1 && threadIdx.x > 1 && h < 3)
        y[threadIdx.x] = s[h];
}

__global__ void narrow(float *y)
{
    __shared__ float s[300];
    unsigned char c = 200;
    c += 60;
    if (threadIdx.x == 60)
        s[c] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        y[0] = s[4];
}

__global__ void to_bool(float *y)
{
    __shared__ float s[64];
    bool b = 2 * threadIdx.x;
    if (threadIdx.x < 8)
        s[threadIdx.x + b] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        y[threadIdx.x] = s[5];
}

struct Pair {
    int a;
    int b;
};

__global__ void members(float *__restrict__ y, const Pair *__restrict__ p)
{
    __shared__ float s[64];
    s[p[threadIdx.x].a] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = s[p[threadIdx.x].b];
}

struct Places {
    int2 at[2];
};

__global__ void parameter_members(float *y, Places p)
{
    __shared__ float s[64];
    if (threadIdx.x == p.at[0].x)
        s[0] = 3.f;
    __syncthreads();
    if (threadIdx.x == p.at[1].x)
        y[0] = s[0];
}

// Only one thread of one block at a time may do this.
__global__ void lock(float *data, int *mutex)
{
    if (threadIdx.x == 0)
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
    __syncthreads();
    data[threadIdx.x] += 1.f;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(mutex, 0);
}

// The last block sums up what all blocks have written.
__global__ void ticket(float *part, float *out, unsigned *counter)
{
    __shared__ bool last;
    part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(counter, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last)
        out[threadIdx.x] = part[threadIdx.x];
}

// Where the body is left early, the condition reads s[0].
__global__ void continue_to_condition(float *y, int n)
{
    __shared__ float s[64];
    int k = 0, i = 5;
    s[threadIdx.x] = threadIdx.x;
    do {
        __syncthreads();
        i = 0;
        if (n > 3)
            continue;
        i = 5;
    } while (s[i] > ++k);
    __syncthreads();
    if (threadIdx.x == 7)
        s[0] = 5;
}

// The second barrier is not reached where m is 0: the first one orders the iterations.
__global__ void continue_in_switch(float *y, int n, int m)
{
    __shared__ float s[128];
    for (int k = 0; k < n; ++k) {
        y[threadIdx.x] += s[(k + 1) % 2 * 64 + (threadIdx.x + 1) % 64];
        s[k % 2 * 64 + threadIdx.x] = k;
        __syncthreads();
        switch (m) {
        case 0:
            continue;
        default:
            y[threadIdx.x] += 1;
        }
        __syncthreads(); // goes
    }
}

__global__ void assigned_in_condition(float *y, int n)
{
    __shared__ float s[64];
    int i = threadIdx.x;
    if (n > 5 && (i = 0) == 0)
        y[threadIdx.x] = 3;
    if (threadIdx.x == 2)
        s[i + 1] = 1;
    __syncthreads();
    if (threadIdx.x == 3)
        y[threadIdx.x] = s[3];
}

// a may be 5.
__global__ void address_taken(float *y, int n)
{
    __shared__ float s[64];
    int a = 0, b = 0;
    int *p = n > 3 ? &a : &b;
    a = 0;
    *p = 5;
    if (threadIdx.x == 1)
        s[a] = 1;
    __syncthreads();
    if (threadIdx.x == 2)
        y[threadIdx.x] = s[5];
}

// p is another name of s: s[t] is not what it was.
__global__ void derived_pointer(float *y, const int *idx)
{
    __shared__ int s[64];
    __shared__ float z[128];
    int *p = s;
    p[threadIdx.x] = idx[threadIdx.x];
    int before = s[threadIdx.x];
    p[threadIdx.x] = 0;
    int after = s[threadIdx.x];
    if (threadIdx.x == 1)
        z[3] = 1;
    __syncthreads();
    if (threadIdx.x == 7)
        y[0] = z[after - before + 7];
}

// Members of structures have memory of their own.
struct Body {
    float3 at;
    float mass;
    int kind;
};

__global__ void structures(Body *bodies, float *y)
{
    __shared__ Body s[64];
    s[threadIdx.x].mass = bodies[threadIdx.x].mass;
    __syncthreads(); // goes
    s[63 - threadIdx.x].kind = bodies[threadIdx.x].kind;
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x].mass + s[threadIdx.x].kind;
}

// Those of unions have not, and bit fields share it.
union Both {
    int i;
    float f;
};

struct Mixed {
    Both u;
    int a : 4;
    int b : 4;
};

__global__ void unions(float *y)
{
    __shared__ Mixed s[64];
    s[threadIdx.x].u.i = 3;
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x].u.f;
}

__global__ void bit_fields(float *y)
{
    __shared__ Mixed s[64];
    s[threadIdx.x].a = 3;
    __syncthreads();
    s[63 - threadIdx.x].b = 2;
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x].b;
}

void launches(float *y, float *x, int *idx, int n, Pair *p, Places q, unsigned *c, Body *b)
{
    structures<<<1, 64>>>(b, y);
    unions<<<1, 64>>>(y);
    bit_fields<<<1, 64>>>(y);
    guard_reads_float<<<1, 64>>>(y, x, idx);
    guard_names_iteration<<<1, 64>>>(y, idx);
    unknown_condition<<<1, 64>>>(y, x);
    half_known_condition<<<1, 64>>>(y, x, n);
    unsigned_to_signed<<<1, 64>>>(y, x);
    unsigned_wraps_twice<<<1, 64>>>(y, x);
    unsigned_decrement<<<1, 64>>>(y);
    hash<<<1, 64>>>(y);
    narrow<<<1, 64>>>(y);
    to_bool<<<1, 64>>>(y);
    members<<<1, 64>>>(y, p);
    parameter_members<<<1, 64>>>(y, q);
    lock<<<1, 64>>>(y, idx);
    ticket<<<1, 64>>>(x, y, c);
    continue_to_condition<<<1, 64>>>(y, n);
    continue_in_switch<<<1, 64>>>(y, n, n);
    assigned_in_condition<<<1, 64>>>(y, n);
    address_taken<<<1, 64>>>(y, n);
    derived_pointer<<<1, 64>>>(y, idx);
}

// A lock that atomics take is given back by a plain store, of which no other thread of the block
// learns.
__global__ void gives_lock_back(float *sums, int *lock, const float *x)
{
    if (threadIdx.x == 0)
        while (atomicCAS(lock, 0, 1) != 0) {
        }
    __syncthreads();
    sums[threadIdx.x] += x[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        *lock = 0;
}

// Functions get elements by value, by reference or with all that lies around them.
__device__ float mean(float a, float b) { return 0.5f * (a + b); }
__device__ float taken(float &a) { float old = a; a = 0; return old; }
__device__ float first_of(const float *values) { return values[0] + values[1]; }
struct Row {
    float values[4];
    __device__ float sum() const { return values[0] + values[1] + values[2] + values[3]; }
};
__device__ float sum_of(Row row) { return row.values[0] + row.values[3]; }

__global__ void own_element_in_a_call(float *y, const float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads(); // goes
    y[threadIdx.x] = mean(s[threadIdx.x], s[threadIdx.x]);
}

__global__ void neighbour_in_a_call(float *y, const float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = mean(s[threadIdx.x], s[63 - threadIdx.x]);
}

__global__ void neighbour_by_reference(float *y, const float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = taken(s[63 - threadIdx.x]);
}

__global__ void written_by_reference(float *y, const float *x)
{
    __shared__ float s[64];
    y[threadIdx.x] = taken(s[threadIdx.x]);
    __syncthreads();
    y[threadIdx.x] += s[63 - threadIdx.x];
}

__global__ void behind_a_pointer(float *y, const float *x)
{
    __shared__ float s[65];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = first_of(&s[threadIdx.x]);
}

__global__ void member_of_an_argument(float *y, const float *x)
{
    __shared__ Row rows[16];
    rows[threadIdx.x / 4].values[threadIdx.x % 4] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = sum_of(rows[threadIdx.x / 4]);
}

__global__ void object_of_a_method(float *y, const float *x)
{
    __shared__ Row rows[16];
    rows[threadIdx.x / 4].values[threadIdx.x % 4] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = rows[threadIdx.x / 4].sum();
}

void launches_with_calls(float *y, const float *x)
{
    own_element_in_a_call<<<1, 64>>>(y, x);
    neighbour_in_a_call<<<1, 64>>>(y, x);
    neighbour_by_reference<<<1, 64>>>(y, x);
    written_by_reference<<<1, 64>>>(y, x);
    behind_a_pointer<<<1, 64>>>(y, x);
    member_of_an_argument<<<1, 64>>>(y, x);
    object_of_a_method<<<1, 64>>>(y, x);
}
