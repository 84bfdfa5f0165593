#include <thrust/device_vector.h>
#include <thrust/reduce.h>

int main()
{
    thrust::device_vector<int> v(100, 1);
    return thrust::reduce(v.begin(), v.end()) - 100;
}
