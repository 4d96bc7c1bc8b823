// The device as the place of the shared test cases.
#include "everywhere.hpp"
#include "support/place.hpp"

ddla::place test::place_under_test()
{
    return gpu;
}

void test::under_every_cut(const std::function<void()>& check)
{
    under_every_schedule(check);
}

void test::under_few_cuts(const std::function<void()>& check)
{
    under_every_schedule(check);
}

const std::vector<ddla::index_t>& test::sizes()
{
    static const std::vector<ddla::index_t> all{
        0,   1,   2,   3,    31,    33,    127,   128,    129,     255,     256,    257,
        511, 512, 513, 4095, 65535, 65536, 65537, 200001, 1048575, 1048576, 1048577};
    return all;
}

std::vector<std::int64_t> test::next_intervals()
{
    return {0, 1, 5, 7, 100, 1000000};
}
