#include <thrust/device_vector.h>
#include <thrust/sort.h>

int main()
{
    thrust::device_vector<int> v(100, 1);
    thrust::nth_element(v.begin(), v.begin() + 3, v.end());
    return 0;
}
