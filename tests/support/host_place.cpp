// The host as the place of the shared test cases.
#include "everywhere.hpp"
#include "place.hpp"

#include <iterator>

ddla::place test::place_under_test()
{
    return ddla::host;
}

void test::under_every_cut(const std::function<void()>& check)
{
    everywhere(check);
}

void test::under_few_cuts(const std::function<void()>& check)
{
    using ddla::host_backend::isa;
    on_threads(isa::baseline, 1, check);
    on_threads(ddla::host_backend::current_isa(), 3, check);
}

const std::vector<ddla::index_t>& test::sizes()
{
    static const std::vector<ddla::index_t> all{0,   1,    2,     3,     31,    33,    127,
                                                128, 129,  255,   256,   257,   511,   512,
                                                513, 4095, 65535, 65536, 65537, 200001};
    return all;
}

// By turns: there are more cuts than intervals.
std::vector<std::int64_t> test::next_intervals()
{
    constexpr std::int64_t all[] = {0, 1, 5, 7, 100, 1000000};
    static std::size_t turn = 0;
    return {all[turn++ % std::size(all)]};
}
