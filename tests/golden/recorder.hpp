// What the cases hand in: names, and hashes of all that was computed.
#pragma once

#include "hash_list.hpp"

#include "ddla/blas.hpp"
#include "ddla/solve.hpp"

#include <bit>

namespace golden {

/// Where the cases compute, and their hashes so far.
struct recorder {
    ddla::place at;
    hash_list hashes = {};

    void add(const std::string& name, std::uint64_t hash) { hashes.push_back({name, hash}); }
};

/// Several results under one hash, which changes with each of their bits.
class digest {
public:
    void add(double x) { words_.push_back(x); }
    void add(ddla::dd_real x) { add(x.hi), add(x.lo); }
    void add(std::uint64_t bits)
    {
        // As doubles the halves are exact, while the whole might be one of many NaNs.
        add(static_cast<double>(bits >> 32)), add(static_cast<double>(bits & 0xffffffffu));
    }
    void add(std::string_view text)
    {
        add(static_cast<double>(text.size()));
        for (const char c : text) add(static_cast<double>(c));
    }
    std::uint64_t hash() const
    {
        ddla::vector<double> all(static_cast<ddla::index_t>(words_.size()));
        for (std::size_t i = 0; i < words_.size(); ++i)
            all.set(static_cast<ddla::index_t>(i), words_[i]);
        return ddla::hash_of(all);
    }

private:
    std::vector<double> words_;
};

/// All of a report but times and sizes.
inline std::uint64_t hash_of_report(const ddla::solve_report& report)
{
    digest all;
    all.add(report.solution_hash);
    all.add(static_cast<std::uint64_t>(report.iterations));
    all.add(ddla::to_string(report.status)), all.add(report.breakdown);
    all.add(report.relative_residual), all.add(report.true_relative_residual);
    for (const double r : report.history) all.add(r);
    return all.hash();
}

template <class T>
std::uint64_t hash_of_scalar(T x)
{
    return ddla::hash_of(ddla::vector<T>{x});
}

/// A system: scalars T, matrix values V, and the two in the names of cases.
template <class T, class V>
struct types {
    using scalar = T;
    using value = V;
    static std::string name()
    {
        const std::string t = ddla::number_traits<T>::name;
        if constexpr (std::is_same_v<T, double>) return t;
        return t + "_" + ddla::number_traits<V>::name;
    }
};

template <class Cases>
void for_all_types(const Cases& cases)
{
    cases(types<double, double>{});
    cases(types<ddla::dd_real, double>{});
    cases(types<ddla::dd_real, ddla::dd_real>{});
}

}  // namespace golden
