// One solve on the host and in many ways on the device: iterates, history, end and report agree.
#pragma once

#include "everywhere.hpp"
#include "support/solves.hpp"

#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"

namespace test {

/// How a solve is cut, and after how many iterations the host looks (0: the backend's choice).
struct way {
    ddla::device_backend::schedule cut;
    std::int64_t check_every;
};

/// Every schedule with every interval.
inline std::vector<way> every_way()
{
    std::vector<way> all;
    for (const auto& s : schedules())
        for (const int check_every : {0, 1, 7, 100, 1000000}) all.push_back({s, check_every});
    return all;
}

/// Every schedule once, with intervals by turns: for systems that take their time.
inline std::vector<way> few_ways()
{
    constexpr int check_every[] = {0, 1, 7, 5, 100, 1000000, 3, 2};
    std::vector<way> all;
    for (const auto& s : schedules())
        all.push_back({s, check_every[all.size() % std::size(check_every)]});
    return all;
}

/// The report of the host, which every way on the device, where A is stored so, has matched.
template <class T, class V>
ddla::solve_report compare_solve(const ddla::csr_matrix<V>& a, const ddla::vector<T>& b,
                                 const ddla::vector<T>& guess, ddla::solve_options options,
                                 const std::vector<way>& ways,
                                 ddla::sparse_format stored = ddla::sparse_format::csr)
{
    options.record_history = true;
    auto x = guess;
    const auto here = ddla::solve(a, b, x, options);
    CHECK(here.where == ddla::host);
    auto da = a.to(gpu);
    ddla::set_format(da, {.format = stored});
    const auto db = b.to(gpu), dguess = guess.to(gpu);
    for (const way& w : ways)
        under(w.cut, [&] { check_solve(da, db, dguess, options, w.check_every, here, x); });
    return here;
}

}  // namespace test
