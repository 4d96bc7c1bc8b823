// Equal bits of results; all NaNs are equal.
#pragma once

#include "catch.hpp"

#include "ddla/blas.hpp"

#include <bit>
#include <cmath>

namespace test {

inline bool same_bits(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) ||
           std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same_bits(ddla::dd_real a, ddla::dd_real b)
{
    return same_bits(a.hi, b.hi) && same_bits(a.lo, b.lo);
}
template <class T>
bool same_bits(const ddla::vector<T>& a, const ddla::vector<T>& b)
{
    if (!a.where().is_host()) return same_bits(a.to(ddla::host), b);
    if (!b.where().is_host()) return same_bits(a, b.to(ddla::host));
    if (a.size() != b.size()) return false;
    for (ddla::index_t i = 0; i < a.size(); ++i)
        if (!same_bits(a[i], b[i])) {
            UNSCOPED_INFO("first difference at " << i << ": " << double(a[i]) << " and "
                                                 << double(b[i]));
            return false;
        }
    return true;
}
/// Equal compressed rows, entry by entry.
template <class V>
bool same_bits(const ddla::csr_matrix<V>& a, const ddla::csr_matrix<V>& b)
{
    if (!a.where().is_host()) return same_bits(a.to(ddla::host), b);
    if (!b.where().is_host()) return same_bits(a, b.to(ddla::host));
    const ddla::csr<V> x = a.view(), y = b.view();
    if (x.rows != y.rows || x.columns != y.columns || x.nonzeros() != y.nonzeros()) {
        UNSCOPED_INFO(x.rows << " x " << x.columns << ", " << x.nonzeros() << " entries, and "
                             << y.rows << " x " << y.columns << ", " << y.nonzeros());
        return false;
    }
    for (ddla::index_t i = 0; i <= x.rows; ++i)
        if (x.row_begin[i] != y.row_begin[i]) {
            UNSCOPED_INFO("first other beginning of a row: " << i);
            return false;
        }
    for (ddla::index_t k = 0; k < x.nonzeros(); ++k)
        if (x.column[k] != y.column[k] || !same_bits(x.value.get(k), y.value.get(k))) {
            UNSCOPED_INFO("first difference at entry " << k);
            return false;
        }
    return true;
}
/// Equal bits of the three numbers.
inline bool same_bits(const ddla::residual_norms& a, const ddla::residual_norms& b)
{
    return same_bits(a.residual, b.residual) && same_bits(a.right_hand_side, b.right_hand_side) &&
           same_bits(a.relative, b.relative);
}

/// A system: numbers T in the vectors, V in the matrix.
template <class T, class V>
struct types {
    using scalar = T;
    using value = V;
};
using double_double = types<double, double>;
using dd_double = types<ddla::dd_real, double>;
using dd_dd = types<ddla::dd_real, ddla::dd_real>;

/// For cases of many sizes beside others of few: all pairs of precisions go through the same
/// indices, and an address sanitizer sees one.
#if defined(__SANITIZE_ADDRESS__)
#define DDLA_PAIRS_OF_MANY ::test::dd_double
#else
#define DDLA_PAIRS_OF_MANY ::test::double_double, ::test::dd_double, ::test::dd_dd
#endif

}  // namespace test
