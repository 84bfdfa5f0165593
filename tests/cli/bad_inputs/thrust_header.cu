#include <thrust/device_vector.h>
#include <thrust/mr/pool.h>

int main()
{
    thrust::device_vector<int> v(100, 1);
    thrust::shuffle(v.begin(), v.end(), 1);
    return 0;
}
