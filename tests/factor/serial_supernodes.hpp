// What tests of factors by supernodes have in common.
#pragma once

#include "serial_static_lu.hpp"

#include "ddla/vector.hpp"

#include <bit>

namespace test {

/// As docs/factorisation.md has it.
template <class Q>
oracle::static_rule rule_for(const oracle::dense<Q>& a)
{
    double most = 0;
    for (const auto& row : a)
        for (const Q& x : row) most = std::max(most, oracle::magnitude(x));
    return sizeof(Q) == 8 ? oracle::static_rule{0.1, 0x1p-46 * most, 0x1p-26 * most}
                          : oracle::static_rule{0.1, 0x1p-98 * most, 0x1p-52 * most};
}

inline oracle::dense<::dd_real> in_dd(const oracle::dense<double>& l)
{
    oracle::dense<::dd_real> wide;
    for (const auto& row : l) wide.emplace_back(row.begin(), row.end());
    return wide;
}
inline oracle::dense<::dd_real> in_dd(const oracle::dense<::dd_real>& l)
{
    return l;
}

template <class W, class Q>
auto widened(const oracle::dense<Q>& l)
{
    if constexpr (std::is_same_v<W, ddla::dd_real>)
        return in_dd(l);
    else
        return l;
}

/// x of a solve, on its way in by `in` and out by `out`, beside the serial program.
template <class W, class Solve>
int differing(const std::vector<ddla::column_t>& in, const std::vector<ddla::column_t>& out,
              const std::vector<int>& scale_in, const std::vector<int>& scale_out,
              const Solve& solve, const ddla::vector<W>& b, const ddla::vector<W>& x)
{
    int common = -100000;
    for (ddla::index_t i = 0; i < b.size(); ++i) {
        int e;
        std::frexp(oracle::magnitude(oracle::to(W(b[i]))), &e);
        common = std::max(common, e + scale_in[std::size_t(i)]);
    }
    std::vector<oracle::type<W>> y;
    for (const auto i : in)
        y.push_back(oracle::scaled(oracle::to(W(b[i])), scale_in[std::size_t(i)] - common));
    solve(y);
    int wrong = 0;
    for (std::size_t k = 0; k < y.size(); ++k)
        wrong += !(oracle::to(W(x[out[k]])) ==
                   oracle::scaled(y[k], scale_out[std::size_t(out[k])] + common));
    return wrong;
}

/// FNV-1a of 64-bit words.
template <class F>
std::uint64_t hash_of(const std::vector<F>& all)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const F& x : all)
        ddla::each_word(x, [&](auto, double w) {
            hash = (hash ^ std::bit_cast<std::uint64_t>(w)) * 0x100000001b3u;
        });
    return hash;
}

}  // namespace test
