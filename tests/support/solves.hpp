// One solve on the host and in many ways at the place under test: iterates, history, end and
// report agree.
#pragma once

#include "place.hpp"
#include "same_bits.hpp"

#include "ddla/solve.hpp"

namespace test {

inline bool same_history(const std::vector<double>& a, const std::vector<double>& b)
{
    bool same = a.size() == b.size();
    for (std::size_t k = 0; same && k < a.size(); ++k) same = same_bits(a[k], b[k]);
    return same;
}

inline void check_same(const ddla::solve_report& here, const ddla::solve_report& there)
{
    CHECK(there.status == here.status);
    CHECK(there.breakdown == here.breakdown);
    CHECK(there.iterations == here.iterations);
    CHECK(there.interrupted == here.interrupted);
    CHECK(same_bits(there.relative_residual, here.relative_residual));
    CHECK(same_bits(there.true_relative_residual, here.true_relative_residual));
    CHECK(there.solution_hash == here.solution_hash);
    CHECK(same_history(there.history, here.history));
}

/// Solves there from a copy of `guess`: as on the host, whose report and solution these are.
template <class T, class V>
void check_solve(const ddla::csr_matrix<V>& a, const ddla::vector<T>& b,
                 const ddla::vector<T>& guess, ddla::solve_options options,
                 std::int64_t check_every, const ddla::solve_report& here,
                 const ddla::vector<T>& x_here)
{
    INFO("looking after " << check_every);
    options.check_every = check_every;
    auto x = guess;
    const auto there = ddla::solve(a, b, x, options);
    CHECK(there.where == a.where());
    check_same(here, there);
    CHECK(same_bits(x, x_here));
}

/// The report of the host, which a solve at the place under test has matched for every interval of
/// looks and `cuts`; x is the guess and becomes the solution.
template <class T, class V>
ddla::solve_report solve_in(void (*cuts)(const std::function<void()>&),
                            const ddla::csr_matrix<V>& a, const ddla::vector<T>& b,
                            ddla::vector<T>& x, ddla::solve_options options)
{
    const ddla::place at = place_under_test();
    const auto a_there = a.to(at);
    const auto b_there = b.to(at), guess = x.to(at);
    options.record_history = true;
    const auto here = ddla::solve(a, b, x, options);
    CHECK(here.where == ddla::host);
    cuts([&] {
        for (const std::int64_t interval : next_intervals())
            check_solve(a_there, b_there, guess, options, interval, here, x);
    });
    return here;
}

/// Under every cut.
template <class T, class V>
ddla::solve_report
solve_in_every_way(const ddla::csr_matrix<V>& a, const ddla::vector<T>& b, ddla::vector<T>& x,
                   ddla::solve_options options = {.method = ddla::method::bicgstab})
{
    return solve_in(under_every_cut, a, b, x, options);
}

/// Under the cut that is chosen anyway: for methods without schedules of their own, and cases that
/// are not about bits.
template <class T, class V>
ddla::solve_report solve_at_every_interval(const ddla::csr_matrix<V>& a, const ddla::vector<T>& b,
                                           ddla::vector<T>& x, ddla::solve_options options)
{
    return solve_in([](const std::function<void()>& check) { check(); }, a, b, x, options);
}

}  // namespace test
