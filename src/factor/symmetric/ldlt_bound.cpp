// The proof is in docs/certify.md.
#include "ldlt_bound.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::factor {

double backward_error_bound(const ldlt_pattern& p, const ldlt_values<dd_real>& f)
{
    constexpr double largest = 0x1p100;
    constexpr double rounding = 0x1p-102;  // twice what a product or a difference may be off by
    constexpr double underflow = 0x1p-900;
    constexpr index_t at_once = 4096;
    constexpr double upward = 1.01;  // for the roundings of this function
    for (index_t e = 0; e < f.l.size(); ++e) {
        if (e % at_once == 0) count_work(at_once);
        if (!(magnitude(f.l.get(e)) <= largest)) return HUGE_VAL;
    }
    for (index_t k = 0; k < p.size(); ++k)
        if (!(magnitude(f.d.get(k)) <= largest && magnitude(f.beside.get(k)) <= largest))
            return HUGE_VAL;
    if (p.size() >= index_t{1} << 30) return HUGE_VAL;
    const double factor = rounding * static_cast<double>(p.most_updates + 12);
    const std::vector<double> sums = row_sums_of_product(p, f);
    double most = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const double row = factor * sums[i] + 2 * f.defect[i];
        if (!std::isfinite(row)) return HUGE_VAL;
        most = std::max(most, row);
    }
    return upward * most + underflow;
}

}  // namespace ddla::factor
