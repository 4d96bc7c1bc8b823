// The range of the products in A z, and what moves them to the middle of that of numbers.
#pragma once

#include "element_loops.hpp"
#include "shared_scale.hpp"

#include "ddla/views.hpp"
#include "steps/words.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <mutex>

namespace ddla::refine {

/// ilogb(x), mostly without a call.
inline int exponent_in(double x)
{
    const int field = steps::exponent_field(x);
    return field > 0 && field < 0x7ff ? field - 1023 : std::ilogb(x);
}

/// Least and largest exponents; none: least is above largest.
struct exponent_range {
    int least = INT_MAX, largest = INT_MIN;

    void take(int e)
    {
        least = std::min(least, e);
        largest = std::max(largest, e);
    }
    void take(const exponent_range& other)
    {
        least = std::min(least, other.least);
        largest = std::max(largest, other.largest);
    }
};

/// Exponents of sizes of z, and of the largest products of rows.
struct range_of_products {
    exponent_range rows, z;
    bool is_finite = true;
};

/// Of rows begin to end; up to the first size that is not finite.
template <scalar V>
range_of_products products_of_rows(const csr<V>& a, const shared_scale& scale, index_t begin,
                                   index_t end)
{
    range_of_products r;
    for (index_t i = begin; i < end; ++i) {
        exponent_range row;
        for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
            const double size = scale.empty() ? 1 : scale[a.column[e]];
            const double value = a.value.word(0)[e];
            if (!std::isfinite(size)) return {{}, {}, false};
            if (size != 0) r.z.take(exponent_in(size));
            if (size != 0 && value != 0) row.take(exponent_in(value) + exponent_in(size));
        }
        if (row.least <= row.largest) r.rows.take(row.largest);
    }
    return r;
}

/// A power of two for z of these sizes, so that the rows of A z are about the middle of the range:
/// products lose bits near its ends.  It leaves z normal, and A z finite.  1 where a size is
/// infinite: A z has no middle then, and no rate.
template <scalar V>
double middle_of_range(const csr<V>& a, const shared_scale& scale)
{
    constexpr int far = 900;
    range_of_products all;
    std::mutex mutex;
    each_part(a.rows, [&](index_t begin, index_t end) {
        const range_of_products part = products_of_rows(a, scale, begin, end);
        const std::lock_guard alone(mutex);
        all.rows.take(part.rows);
        all.z.take(part.z);
        all.is_finite = all.is_finite && part.is_finite;
    });
    const exponent_range& rows = all.rows;
    if (!all.is_finite || rows.largest < rows.least) return 1;
    const int middle = std::max(-(rows.least + rows.largest) / 2, -far - all.z.least);
    return std::ldexp(1.0, std::clamp(std::min(middle, far - rows.largest), -far, far));
}

}  // namespace ddla::refine
