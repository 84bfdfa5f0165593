// Types of class templates in the methods of views: of the elements that they lead to.
// g2o-verify: k<<<2, 8>>>(img.p = [16], img.w = 8, img.pitch = 8, out = [16])
template <typename T> struct Image {
  T *p;
  int w, pitch;
  __device__ T *row(int y) const { return p + y * pitch; }
  __device__ T at(int x, int y) const { T v = row(y)[x]; return T(2) * v; }
  __device__ const T &ref(int x, int y) const { const T *q = row(y); return q[x]; }
  __device__ T &operator()(int x, int y) const { T *q = p + y * pitch; return q[x]; }
};
__global__ void k(Image<const float> img, float *out) {
  const int x = threadIdx.x, y = blockIdx.x;
  out[y * img.w + x] = img.at(x, y) * img.ref(x, y) + img((x + 1) % 8, y) * img.at(x, y);
}
// g2o-verify: k2<<<2, 8>>>(img.p = [16], img.w = 8, img.pitch = 8, out = [16])
__global__ void k2(Image<double> img, double *out) {
  const int x = threadIdx.x, y = blockIdx.x;
  img(x, y) *= 2.0;
  out[y * img.w + x] = img.at(x, y) * img.ref(x, y) + img(x, y) * img.at(x, y);
}
template <typename T> __device__ T *third(T *p) { return p + 3; }
template <typename T> __device__ T twice(const T *p) { T u = *p; return u * T(2) * u; }
// g2o-verify: k3<<<2, 8>>>(x = [32], out = [32])
__global__ void k3(const float *x, float *out) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = *third(x + i) * third<const float>(x)[i] + twice(x + i);
}
// g2o-verify: k4<<<2, 8>>>(img.p = [16], img.w = 8, img.pitch = 8, out.p = [16], out.w = 8, out.pitch = 8, n = 7)
typedef int T;
template <typename T> struct Picture {
  T *p;
  int w, pitch;
  __device__ T *row(int y) const { return p + y * pitch; }
};
__global__ void k4(Picture<double> img, Picture<double> out, T n) {
  const T x = threadIdx.x, y = blockIdx.x;
  if (x >= n) return;
  double s = img.row(y)[x];
  out.row(y)[x] = s * s;
}
