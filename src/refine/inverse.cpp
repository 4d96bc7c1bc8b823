// Products with A^-1 and A^-T, refined.
#include "inverse.hpp"

#include "ddla/dd_math.hpp"
#include "ddla/vector.hpp"
#include "ddla/watched_scope.hpp"
#include "steps/random_bits.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <deque>
#include <functional>

namespace ddla::refine {
namespace {

constexpr int most_steps = 12;
constexpr double close_enough = 0x1p-20;

/// max |x_i| / scale_i of those with a scale; NaN if one is.
double scaled_magnitude(vec<const dd_real> x, const std::vector<double>& scale)
{
    if (scale.empty()) return largest_magnitude(x);
    double most = 0;
    for (index_t i = 0; i < x.size; ++i) {
        if (scale[static_cast<std::size_t>(i)] == 0) continue;
        const double m = std::fabs(x.word(0)[i]) / scale[static_cast<std::size_t>(i)];
        if (!(m <= most)) most = m;
        if (std::isnan(most)) return most;
    }
    return most;
}

void copy_to(vec<dd_real> to, vec<const dd_real> from)
{
    std::copy_n(from.word(0), from.size, to.word(0));
    std::copy_n(from.word(1), from.size, to.word(1));
}

/// One y of M y = v for M = A or A^T; `scale` is that of y.
template <scalar V>
class refined_column {
public:
    refined_column(const csr<V>& m, const std::vector<double>& scale, const real_vector& v,
                   const real_vector& zeros)
        : m_(m), scale_(scale), wanted_(v.data(), zeros.data(), m.rows), y_(m.rows)
    {
    }

    vec<const dd_real> right_hand_side() const { return wanted_; }
    /// Takes the next correction; false if that was the last one.  Else r is the next residual.
    bool take(vec<const dd_real> d, vec<dd_real> r)
    {
        const double size = scaled_magnitude(d, scale_);
        const int step = found_.solves++;
        if (!std::isfinite(size) || (step > 1 && size > 0.5 * last_)) return false;
        last_ = size;
        const vec<dd_real> y = y_.view();
        for (index_t i = 0; i < d.size; ++i) y.set(i, y.get(i) + d.get(i));
        if (step > 0 && size <= close_enough * scaled_magnitude(y, scale_)) {
            found_.y = real_vector(y.word(0), y.word(0) + y.size);
            y_ = vector<dd_real>(0);
            return false;
        }
        count_work(10 * m_.nonzeros());
        host_engine().matrices<dd_real, V>().residual(m_, y, wanted_, r);
        return found_.solves < most_steps;
    }
    refined_product result() { return std::move(found_); }

private:
    const csr<V> m_;
    const std::vector<double>& scale_;
    const vec<const dd_real> wanted_;
    vector<dd_real> y_;
    double last_ = HUGE_VAL;
    refined_product found_;
};

/// y of M y = v, with this correction.
template <scalar V>
std::optional<real_vector> refined(const csr<V>& m, const correction& correct,
                                   const std::vector<double>& scale,
                                   const std::function<bool()>& may_go_on, const real_vector& v)
{
    const real_vector zeros(v.size(), 0);
    refined_column<V> column(m, scale, v, zeros);
    vector<dd_real> r(m.rows), d(m.rows);
    copy_to(r.view(), column.right_hand_side());
    do {
        if (may_go_on && !may_go_on()) return std::nullopt;
        correct(std::as_const(r).view(), d.view());
    } while (column.take(std::as_const(d).view(), r.view()));
    return column.result().y;
}

/// Columns whose solves one correction takes together; false where `may_go_on` is.
template <scalar V>
bool refine_together(std::vector<refined_column<V>*> columns, const correction& correct,
                     const std::function<bool(index_t)>& may_go_on)
{
    if (columns.empty()) return true;
    const index_t n = columns.front()->right_hand_side().size;
    vector<dd_real> all(n * static_cast<index_t>(columns.size()));
    const auto part = [&](std::size_t k) {
        return all.view().part(n * static_cast<index_t>(k), n);
    };
    for (std::size_t k = 0; k < columns.size(); ++k)
        copy_to(part(k), columns[k]->right_hand_side());
    while (!columns.empty()) {
        const auto count = static_cast<index_t>(columns.size());
        if (!may_go_on(count)) return false;
        const vec<dd_real> used = all.view().part(0, n * count);
        correct(used, used);
        std::size_t left = 0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (!columns[k]->take(part(k), part(k))) continue;
            if (left < k) copy_to(part(left), part(k));
            columns[left++] = columns[k];
        }
        columns.resize(left);
    }
    return true;
}

}  // namespace

template <scalar V>
std::optional<real_vector> refined_solve(const host_system<V>& system,
                                         const approximate_inverse& approximate,
                                         const real_vector& v)
{
    return refined(system.matrix(), approximate.solve, approximate.column_scale,
                   approximate.may_go_on, v);
}

template <scalar V>
std::optional<real_vector> refined_solve_transposed(const host_system<V>& system,
                                                    const approximate_inverse& approximate,
                                                    const real_vector& v)
{
    return refined(system.transposed(), approximate.solve_transposed, approximate.row_scale,
                   approximate.may_go_on, v);
}

template <scalar V>
std::optional<std::vector<refined_product>>
refined_solves(const host_system<V>& system, const approximate_inverse& approximate,
               const std::vector<asked_product>& asked,
               const std::function<bool(index_t)>& may_go_on)
{
    const real_vector zeros(static_cast<std::size_t>(system.size()), 0);
    std::deque<refined_column<V>> columns;  // which stay where they are
    std::vector<refined_column<V>*> direct, transposed;
    for (const asked_product& p : asked) {
        if (p.by_transpose)
            columns.emplace_back(system.transposed(), approximate.row_scale, p.v, zeros);
        else
            columns.emplace_back(system.matrix(), approximate.column_scale, p.v, zeros);
        const bool is_apart = p.by_transpose && !approximate.is_symmetric;
        (is_apart ? transposed : direct).push_back(&columns.back());
    }
    if (!refine_together(direct, approximate.solve_several, may_go_on) ||
        !refine_together(transposed, approximate.solve_several_transposed, may_go_on))
        return std::nullopt;
    std::vector<refined_product> found;
    for (refined_column<V>& column : columns) found.push_back(column.result());
    return found;
}

namespace {

/// What the probe begins with, of each component.
using first_vector = std::function<dd_real(std::uint64_t start, std::size_t i)>;

/// Half of `scale` to all of it, of hashed sign and words: whole numbers and powers of two would
/// hide what rounding does.
dd_real full_words(std::uint64_t start, std::size_t i, double scale)
{
    const double high = random_number(start, i) * scale;
    const auto low = static_cast<double>(steps::random_bits(start + 16, i) >> 12) * 0x1p-107;
    return dd_real(high) + dd_real(low * high);
}

/// Least and largest exponents; none: least is above largest.
struct exponent_range {
    int least = INT_MAX, largest = INT_MIN;

    void take(int e)
    {
        least = std::min(least, e);
        largest = std::max(largest, e);
    }
};

/// A power of two for z of these sizes, so that the rows of A z are about the middle of the range:
/// products lose bits near its ends.  It leaves z normal, and A z finite.  1 where a size is
/// infinite: A z has no middle then, and no rate.
template <scalar V>
double middle_of_range(const csr<V>& a, const std::vector<double>& scale)
{
    constexpr int far = 900;
    exponent_range rows, z;
    for (index_t i = 0; i < a.rows; ++i) {
        exponent_range row;
        for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
            const double size = scale.empty() ? 1 : scale[static_cast<std::size_t>(a.column[e])];
            const double value = a.value.word(0)[e];
            if (!std::isfinite(size)) return 1;
            if (size != 0) z.take(std::ilogb(size));
            if (size != 0 && value != 0) row.take(std::ilogb(value) + std::ilogb(size));
        }
        if (row.least <= row.largest) rows.take(row.largest);
    }
    if (rows.largest < rows.least) return 1;
    const int middle = std::max(-(rows.least + rows.largest) / 2, -far - z.least);
    return std::ldexp(1.0, std::clamp(std::min(middle, far - rows.largest), -far, far));
}

template <scalar V>
double rate_of(const host_system<V>& system, const correction& solve,
               const std::vector<double>& scale, double rounding, const first_vector& first)
{
    const index_t n = system.size();
    const double unit = middle_of_range(system.matrix(), scale);
    vector<dd_real> z(n), az(n), e(n);
    double rate = 0;
    for (const std::uint64_t start : {1, 2}) {
        for (index_t i = 0; i < n; ++i) z.set(i, first(start, static_cast<std::size_t>(i)) * unit);
        for (int step = 0; step < 2; ++step) {
            const double size = scaled_magnitude(z.view(), scale);
            if (size == 0) break;
            host_engine().matrices<dd_real, V>().spmv(dd_real(1), system.matrix(), z.view(),
                                                      dd_real(0), az.view());
            for (index_t i = 0; i < n; ++i) {
                const auto at = static_cast<std::uint64_t>(2 * i + step);
                az.set(i, az[i] * (dd_real(1) + rounding * random_number(start + 8, at)));
            }
            solve(az.view(), e.view());
            for (index_t i = 0; i < n; ++i) {
                const bool is_out = !scale.empty() && scale[static_cast<std::size_t>(i)] == 0;
                e.set(i, is_out ? dd_real(0) : e[i] - z[i]);
            }
            const double left = scaled_magnitude(e.view(), scale) / size;
            if (!(left <= rate)) rate = left;
            if (!std::isfinite(rate)) return HUGE_VAL;
            std::swap(z, e);
        }
    }
    return rate;
}

}  // namespace

template <scalar V>
double probed_rate(const host_system<V>& system, const correction& solve,
                   const std::vector<double>& scale, double rounding)
{
    return rate_of(system, solve, scale, rounding, [&](std::uint64_t start, std::size_t i) {
        return full_words(start, i, scale[i]);
    });
}

template <scalar V>
double probed_rate(const host_system<V>& system, const approximate_inverse& approximate)
{
    const std::vector<double>& scale = approximate.column_scale;
    return rate_of(system, approximate.solve, scale, approximate.rounding,
                   [&](std::uint64_t start, std::size_t i) {
                       return full_words(start, i, scale.empty() ? 1 : scale[i]);
                   });
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template std::optional<real_vector> refined_solve(                                             \
        const host_system<V>&, const approximate_inverse&, const real_vector&);                    \
    template std::optional<real_vector> refined_solve_transposed(                                  \
        const host_system<V>&, const approximate_inverse&, const real_vector&);                    \
    template std::optional<std::vector<refined_product>> refined_solves(                           \
        const host_system<V>&, const approximate_inverse&, const std::vector<asked_product>&,      \
        const std::function<bool(index_t)>&);                                                      \
    template double probed_rate(const host_system<V>&, const approximate_inverse&);                \
    template double probed_rate(const host_system<V>&, const correction&,                          \
                                const std::vector<double>&, double);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
