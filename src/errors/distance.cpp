// How far b is from the range of a singular A.
#include "distance.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {
namespace {

dd_real product(vec<const dd_real> x, vec<const dd_real> y)
{
    dd_real sum = 0;
    for (index_t i = 0; i < x.size; ++i) sum += x.get(i) * y.get(i);
    return sum;
}

/// 2^k x with the largest element near 1, so that no square leaves the range.
vector<dd_real> near_one(vec<const dd_real> x)
{
    double largest = 0;
    for (index_t i = 0; i < x.size; ++i) largest = std::max(largest, std::fabs(x.word(0)[i]));
    const int by = largest > 0 ? -std::ilogb(largest) : 0;
    vector<dd_real> scaled(x.size);
    for (index_t i = 0; i < x.size; ++i)
        scaled.set(i, dd_real(std::ldexp(x.word(0)[i], by), std::ldexp(x.word(1)[i], by)));
    return scaled;
}

void subtract(vector<dd_real>& from, const vector<dd_real>& x, dd_real times)
{
    for (index_t i = 0; i < from.size(); ++i) from.set(i, from[i] - times * x[i]);
}

}  // namespace

std::vector<vector<dd_real>> orthonormal(std::vector<vector<dd_real>> of)
{
    for (std::size_t k = 0; k < of.size(); ++k) {
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t j = 0; j < k; ++j)
                subtract(of[k], of[j],
                         product(std::as_const(of[j]).view(), std::as_const(of[k]).view()));
        const auto view = std::as_const(of[k]).view();
        const dd_real length = sqrt(product(view, view));
        for (index_t i = 0; i < of[k].size(); ++i) of[k].set(i, of[k][i] / length);
    }
    return of;
}

std::optional<double> distance_from_range(const std::vector<vector<dd_real>>& y,
                                          vec<const dd_real> b)
{
    if (y.empty()) return {};
    const vector<dd_real> scaled = near_one(b);
    const auto view = scaled.view();
    dd_real outside = 0;
    for (const vector<dd_real>& one : y) {
        const dd_real part = product(one.view(), view);
        outside += part * part;
    }
    return static_cast<double>(sqrt(outside / product(view, view)));
}

}  // namespace ddla::refine
