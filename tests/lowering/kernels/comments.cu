__global__ void commented(float *y, const float *x, int n) { // opening
    int t = threadIdx.x; // thread
    __shared__ float s[32]; /* shared */
    // load
    s[t] = x[t];
    __syncthreads(); // all loaded
    if (t > 3) // why
        y[t] = s[31 - t]; // because
    else // otherwise
    { // inner
        y[t] = 0;
        // end of inner
    }
    for (int i = 0; i < n; ++i) // loop
        y[t] += s[i] * blockDim.x; // sum
    /* last */
    __syncthreads();
    // after all
    if (t == 0) { // only one
        y[0] = s[0];
    } // done
}

void launch(float *y, const float *x, int n) { commented<<<1, 32>>>(y, x, n); }
