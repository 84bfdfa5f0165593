// g2o_thrust.hpp: every algorithm on few elements, where results are known, and those that run in
// parallel on many, for several numbers of threads.
#include "check.hpp"
#include "g2o_thrust.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <sstream>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

using Ints = thrust::device_vector<int>;

template <typename Vector> bool equals(const Vector &v, const std::vector<int> &expected)
{
    return std::equal(v.begin(), v.end(), expected.begin(), expected.end());
}

struct IsOdd {
    template <typename T> bool operator()(T value) const { return value % 2 != 0; }
};

void vectors()
{
    thrust::host_vector<int> h(3, 7);
    h[1] = 8;
    Ints d = h;
    d.push_back(9);
    CHECK(equals(d, {7, 8, 9 - 2, 9}));
    const int *raw = thrust::raw_pointer_cast(d.data());
    CHECK(raw == thrust::raw_pointer_cast(&d[0]) && raw == d.data().get());
    h = d;
    CHECK(equals(h, {7, 8, 7, 9}) && h.size() == 4 && !h.empty());
    std::vector<int> plain(d.begin(), d.end());
    CHECK(plain.size() == 4 && plain[3] == 9);
    Ints from_plain = plain, from_range(plain.begin() + 1, plain.end()), list{1, 2, 3};
    CHECK(equals(from_plain, {7, 8, 7, 9}) && equals(from_range, {8, 7, 9}) && list.size() == 3);
    list.resize(5, 4);
    list.insert(list.begin() + 1, 6);
    list.erase(list.begin());
    CHECK(equals(list, {6, 2, 3, 4, 4}) && list.front() == 6 && list.back() == 4);
    CHECK(*list.rbegin() == 4 && list == Ints(list) && list != from_plain);
    list.clear();
    CHECK(list.empty() && Ints(4) == Ints(4, 0));
    thrust::device_vector<bool> flags(3, true);
    flags[1] = false;
    CHECK(flags[0] && !*(flags.begin() + 1));
    thrust::device_vector<float> floats = h;
    CHECK(floats[3] == 9.0f);
    thrust::device_ptr<int> p = thrust::device_malloc<int>(2), q(p.get());
    p[0] = 4, *(p + 1) = 5;
    CHECK(q == p && p < q + 1 && (q + 2) - p == 2 && *++q == 5 && q[-1] == 4);
    thrust::device_free(p);
}

void element_by_element()
{
    Ints a(5), b(5, 2), c(5);
    thrust::sequence(a.begin(), a.end());
    thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), thrust::multiplies<int>());
    CHECK(equals(c, {0, 2, 4, 6, 8}));
    thrust::transform_if(thrust::device, a.begin(), a.end(), b.begin(), a.begin(), c.begin(),
                         thrust::plus<int>(), [](int x) { return x % 2 == 1; });
    CHECK(equals(c, {0, 3, 4, 5, 8}));
    thrust::transform(thrust::device, a.begin(), a.end(), c.begin(), thrust::negate<int>());
    CHECK(equals(c, {0, -1, -2, -3, -4}));
    thrust::sequence(thrust::host, c.begin(), c.end(), 10, -2);
    CHECK(equals(c, {10, 8, 6, 4, 2}));
    thrust::for_each(c.begin(), c.end(), [](int &x) { ++x; });
    CHECK(equals(c, {11, 9, 7, 5, 3}));
    thrust::for_each_n(thrust::device, thrust::make_counting_iterator(1), 3,
                       [&](int i) { c[i] = i; });
    CHECK(equals(c, {11, 1, 2, 3, 3}));
    thrust::fill(c.begin(), c.begin() + 2, 5);
    thrust::fill_n(c.begin() + 2, 2, 6);
    CHECK(equals(c, {5, 5, 6, 6, 3}));
    CHECK(thrust::copy(a.begin() + 1, a.begin() + 3, c.begin()) == c.begin() + 2);
    CHECK(equals(c, {1, 2, 6, 6, 3}));
    thrust::tabulate(c.begin(), c.end(), [](int i) { return i * i; });
    CHECK(equals(c, {0, 1, 4, 9, 16}));
    thrust::gather(b.begin(), b.end(), c.begin(), a.begin());
    CHECK(equals(a, {4, 4, 4, 4, 4}));
    const int order[] = {4, 3, 2, 1, 0};
    thrust::scatter(thrust::device, c.begin(), c.end(), order, a.begin());
    CHECK(equals(a, {16, 9, 4, 1, 0}));
    thrust::replace(a.begin(), a.end(), 9, 8);
    thrust::replace_if(a.begin(), a.end(), IsOdd(), -1);
    CHECK(equals(a, {16, 8, 4, -1, 0}));
    thrust::reverse(a.begin(), a.end());
    CHECK(equals(a, {0, -1, 4, 8, 16}));
    thrust::adjacent_difference(a.begin(), a.end(), a.begin());
    CHECK(equals(a, {0, -1, 5, 4, 8}));
    thrust::swap_ranges(a.begin(), a.end(), c.begin());
    CHECK(equals(a, {0, 1, 4, 9, 16}) && equals(c, {0, -1, 5, 4, 8}));
    std::vector<int> numbers(50), sorted(50);
    thrust::sequence(numbers.begin(), numbers.end());
    thrust::default_random_engine engine(7);
    thrust::shuffle_copy(numbers.begin(), numbers.end(), sorted.begin(), engine);
    CHECK(sorted != numbers);
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == numbers);
    const int odd[] = {1, 1, 0, 3}, where[] = {2, 0, 1, 3}, low[] = {1, 4}, high[] = {1, 3, 5};
    CHECK(thrust::remove_copy(odd, odd + 4, sorted.begin(), 1) == sorted.begin() + 2);
    thrust::replace_copy(odd, odd + 4, sorted.begin(), 1, 9);
    CHECK(sorted[0] == 9 && sorted[1] == 9 && sorted[2] == 0 && sorted[3] == 3);
    thrust::replace_copy_if(odd, odd + 4, numbers.begin(), sorted.begin(), IsOdd(), 8);
    CHECK(sorted[0] == 1 && sorted[1] == 8 && sorted[2] == 0 && sorted[3] == 8);
    std::vector<int> yes(4), no(5);
    const auto parts =
        thrust::partition_copy(odd, odd + 4, yes.begin(), no.begin(), IsOdd());
    CHECK(parts.first == yes.begin() + 3 && parts.second == no.begin() + 1);
    CHECK(!thrust::is_partitioned(odd, odd + 4, IsOdd()));
    thrust::gather_if(where, where + 4, odd, numbers.begin(), yes.begin());
    CHECK(yes[0] == 2 && yes[1] == 0 && yes[2] == 3 && yes[3] == 3);
    const auto keys =
        thrust::unique_by_key_copy(odd, odd + 4, where, yes.begin(), no.begin());
    CHECK(keys.first == yes.begin() + 3 && yes[1] == 0 && yes[2] == 3 && no[0] == 2 && no[1] == 1);
    thrust::merge_by_key(low, low + 2, high, high + 3, where, odd, sorted.begin(), no.begin());
    CHECK(sorted[0] == 1 && sorted[2] == 3 && sorted[3] == 4 && no[0] == 2 && no[1] == 1);
    CHECK(no[2] == 1 && no[3] == 0);
    int next = 3;
    thrust::host_vector<int> made(4);
    thrust::generate(made.begin(), made.end(), [&] { return next++; });
    CHECK(equals(made, {3, 4, 5, 6}));
    std::ostringstream text;
    thrust::copy(a.begin(), a.end(), std::ostream_iterator<int>(text, " "));
    CHECK(text.str() == "0 1 4 9 16 ");
    std::list<int> linked{3, 1, 2};
    thrust::copy(linked.begin(), linked.end(), a.begin());
    CHECK(equals(a, {3, 1, 2, 9, 16}) && thrust::reduce(linked.begin(), linked.end()) == 6);
}

void reductions_and_scans()
{
    const Ints v{3, 1, 4, 1, 5};
    CHECK(thrust::reduce(v.begin(), v.end()) == 14);
    CHECK(thrust::reduce(v.begin(), v.end(), 100) == 114);
    CHECK(thrust::reduce(thrust::device, v.begin(), v.end(), 0, thrust::maximum<int>()) == 5);
    CHECK(thrust::reduce(v.begin(), v.end(), 9, thrust::minimum<>()) == 1);
    CHECK(thrust::transform_reduce(v.begin(), v.end(), thrust::square<int>(), 0,
                                   thrust::plus<int>()) == 52);
    CHECK(thrust::inner_product(v.begin(), v.end(), v.begin(), 0) == 52);
    CHECK(thrust::count(v.begin(), v.end(), 1) == 2);
    CHECK(thrust::count_if(v.begin(), v.end(), IsOdd()) == 4);
    CHECK(thrust::min_element(v.begin(), v.end()) - v.begin() == 1);
    CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == 4);
    CHECK(thrust::max_element(v.begin(), v.end(), thrust::greater<int>()) - v.begin() == 1);
    CHECK(thrust::minmax_element(v.begin(), v.end()).first == v.begin() + 1);
    CHECK(thrust::any_of(v.begin(), v.end(), IsOdd()) &&
          !thrust::all_of(v.begin(), v.end(), IsOdd()));
    CHECK(thrust::none_of(v.begin(), v.end(), [](int x) { return x > 5; }));
    Ints w(5);
    CHECK(thrust::inclusive_scan(v.begin(), v.end(), w.begin()) == w.end());
    CHECK(equals(w, {3, 4, 8, 9, 14}));
    thrust::exclusive_scan(v.begin(), v.end(), w.begin());
    CHECK(equals(w, {0, 3, 4, 8, 9}));
    thrust::exclusive_scan(thrust::host, v.begin(), v.end(), w.begin(), 10);
    CHECK(equals(w, {10, 13, 14, 18, 19}));
    w = v;
    thrust::exclusive_scan(w.begin(), w.end(), w.begin(), -1, thrust::maximum<int>());
    CHECK(equals(w, {-1, 3, 3, 4, 4}));
    thrust::transform_inclusive_scan(v.begin(), v.end(), w.begin(), thrust::negate<int>(),
                                     thrust::plus<int>());
    CHECK(equals(w, {-3, -4, -8, -9, -14}));
    thrust::transform_exclusive_scan(v.begin(), v.end(), w.begin(), thrust::square<int>(), 1,
                                     thrust::plus<int>());
    CHECK(equals(w, {1, 10, 11, 27, 28}));
    const Ints keys{1, 1, 2, 2, 1};
    Ints keys_out(5), sums(5);
    const auto ends =
        thrust::reduce_by_key(keys.begin(), keys.end(), v.begin(), keys_out.begin(), sums.begin());
    CHECK(ends.first - keys_out.begin() == 3 && ends.second - sums.begin() == 3);
    keys_out.resize(3), sums.resize(3);
    CHECK(equals(keys_out, {1, 2, 1}) && equals(sums, {4, 5, 5}));
    thrust::inclusive_scan_by_key(keys.begin(), keys.end(), v.begin(), w.begin());
    CHECK(equals(w, {3, 4, 4, 5, 5}));
    thrust::exclusive_scan_by_key(keys.begin(), keys.end(), v.begin(), w.begin());
    CHECK(equals(w, {0, 3, 0, 4, 0}));
}

void sorts_and_selections()
{
    Ints v{3, 1, 4, 1, 5}, index(5);
    thrust::sequence(index.begin(), index.end());
    thrust::sort_by_key(v.begin(), v.end(), index.begin());
    CHECK(equals(v, {1, 1, 3, 4, 5}) && equals(index, {1, 3, 0, 2, 4}));
    thrust::stable_sort_by_key(v.begin(), v.end(), index.begin(), thrust::greater<int>());
    CHECK(equals(v, {5, 4, 3, 1, 1}) && equals(index, {4, 2, 0, 1, 3}));
    thrust::sort(thrust::device, v.data(), v.data() + 5);
    CHECK(equals(v, {1, 1, 3, 4, 5}) && thrust::is_sorted(v.begin(), v.end()));
    int plain[] = {2, 3, 1};
    thrust::sort(plain, plain + 3, thrust::greater<int>());
    CHECK(plain[0] == 3 && plain[1] == 2 && plain[2] == 1);
    thrust::sort(thrust::make_zip_iterator(thrust::make_tuple(index.begin(), v.begin())),
                 thrust::make_zip_iterator(thrust::make_tuple(index.end(), v.end())));
    CHECK(equals(index, {0, 1, 2, 3, 4}) && equals(v, {3, 4, 1, 5, 1}));
    thrust::sort(v.begin(), v.end());
    CHECK(thrust::lower_bound(v.begin(), v.end(), 3) - v.begin() == 2);
    CHECK(thrust::upper_bound(v.begin(), v.end(), 3) - v.begin() == 3);
    CHECK(thrust::binary_search(v.begin(), v.end(), 4) &&
          !thrust::binary_search(v.begin(), v.end(), 2));
    Ints places(5);
    thrust::upper_bound(v.begin(), v.end(), thrust::counting_iterator<int>(0),
                        thrust::counting_iterator<int>(5), places.begin());
    CHECK(equals(places, {0, 2, 2, 3, 4}));
    CHECK(thrust::find(v.begin(), v.end(), 4) - v.begin() == 3);
    CHECK(thrust::find_if(v.begin(), v.end(), [](int x) { return x > 3; }) - v.begin() == 3);
    CHECK(thrust::equal(v.begin(), v.end(), Ints(v).begin()));

    Ints out(5, 0);
    CHECK(thrust::copy_if(v.begin(), v.end(), out.begin(), IsOdd()) - out.begin() == 4);
    CHECK(equals(out, {1, 1, 3, 5, 0}));
    CHECK(thrust::copy_if(v.begin(), v.end(), index.begin(), out.begin(), IsOdd()) - out.begin() ==
          2);
    CHECK(equals(out, {1, 4, 3, 5, 0}));
    v.erase(thrust::unique(v.begin(), v.end()), v.end());
    CHECK(equals(v, {1, 3, 4, 5}));
    v.erase(thrust::remove_if(v.begin(), v.end(), IsOdd()), v.end());
    CHECK(equals(v, {4}));
    v = Ints{1, 2, 3, 4, 5};
    CHECK(thrust::remove(v.begin(), v.end(), v[0]) - v.begin() == 4 && v[0] == 2 && v[3] == 5);
    v = Ints{1, 2, 3, 4, 5};
    CHECK(thrust::stable_partition(v.begin(), v.end(), [](int x) { return x % 2 == 0; }) -
              v.begin() ==
          2);
    CHECK(equals(v, {2, 4, 1, 3, 5}));
    Ints keys{1, 1, 2}, values{7, 8, 9};
    const auto ends = thrust::unique_by_key(keys.begin(), keys.end(), values.begin());
    CHECK(ends.first - keys.begin() == 2 && values[0] == 7 && values[1] == 9 && keys[1] == 2);
    Ints merged(4);
    thrust::merge(plain + 2, plain + 3, index.begin(), index.begin() + 3, merged.begin());
    CHECK(equals(merged, {0, 1, 1, 2}));
}

void iterators()
{
    Ints a{1, 2, 3}, b{10, 20, 30}, c(3);
    const auto begin =
        thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin()));
    thrust::for_each(begin, begin + 3,
                     [](auto t) { thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t); });
    CHECK(equals(c, {11, 22, 33}));
    const auto squares = thrust::make_transform_iterator(a.begin(), thrust::square<int>());
    CHECK(thrust::reduce(squares, squares + 3) == 14);
    const Ints order{2, 0};
    const auto chosen = thrust::make_permutation_iterator(b.begin(), order.begin());
    CHECK(chosen[0] == 30 && chosen[1] == 10 && thrust::reduce(chosen, chosen + 2) == 40);
    const auto ones = thrust::make_constant_iterator(1);
    CHECK(thrust::reduce(ones, ones + 7) == 7);
    CHECK(thrust::reduce(thrust::counting_iterator<int>(1), thrust::counting_iterator<int>(5)) ==
          10);
    thrust::reduce_by_key(a.begin(), a.end(), ones, thrust::make_discard_iterator(), c.begin());
    CHECK(equals(c, {1, 1, 1}));
    thrust::pair<int, float> pair = thrust::make_pair(1, 2.0f);
    int first = 0;
    thrust::tie(first, pair.second) = thrust::make_tuple(4, 5.0f);
    CHECK(first == 4 && pair.second == 5.0f);
}

// What runs in parallel gives the same bits for every number of threads.
void many_elements()
{
    constexpr int count = 100003;
    thrust::device_vector<double> x(count), sums(count);
    thrust::device_vector<unsigned> keys(count), values(count);
    for (int i = 0; i < count; ++i) {
        x[i] = 1.0 / (1 + i);
        keys[i] = unsigned(i) * 2654435761u % 1009;
        values[i] = unsigned(i);
    }
    double expected = 0.0;
    thrust::device_vector<double> expected_sums;
    for (int threads : {1, 2, 3, 4}) {
#ifdef _OPENMP
        omp_set_num_threads(threads);
#endif
        const double sum = thrust::reduce(x.begin(), x.end());
        thrust::inclusive_scan(x.begin(), x.end(), sums.begin());
        if (threads == 1) {
            expected = sum;
            expected_sums = sums;
            CHECK(std::fabs(sum - 12.0901758) < 1e-6);
            CHECK(std::fabs(sums.back() - sum) < 1e-12);
        }
        CHECK(sum == expected && sums == expected_sums);
        Ints numbers(count, 1), scanned(count);
        thrust::exclusive_scan(numbers.begin(), numbers.end(), scanned.begin(), 5);
        CHECK(scanned[0] == 5 && scanned[count - 1] == count + 4);
        thrust::inclusive_scan(numbers.begin(), numbers.end(), numbers.begin());
        CHECK(numbers[0] == 1 && numbers[count / 2] == count / 2 + 1 && numbers.back() == count);
        auto sorted = keys;
        auto order = values;
        thrust::sort_by_key(sorted.begin(), sorted.end(), order.begin());
        bool stable = true;
        for (int i = 1; i < count; ++i) {
            stable = stable && sorted[i - 1] <= sorted[i];
            stable = stable && (sorted[i - 1] != sorted[i] || order[i - 1] < order[i]);
            stable = stable && keys[order[i]] == sorted[i];
        }
        CHECK(stable);
        auto again = keys;
        thrust::sort(again.begin(), again.end());
        CHECK(again == sorted);
        CHECK(thrust::max_element(keys.begin(), keys.end()) - keys.begin() ==
              std::max_element(keys.begin(), keys.end()) - keys.begin());
        CHECK(thrust::count_if(keys.begin(), keys.end(), IsOdd()) ==
              std::count_if(keys.begin(), keys.end(), IsOdd()));
    }
}

} // namespace

int main()
{
    vectors();
    element_by_element();
    reductions_and_scans();
    sorts_and_selections();
    iterators();
    many_elements();
    return finish();
}
