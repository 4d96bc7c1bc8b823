// Products with A^-1 and A^-T, refined.
#include "inverse.hpp"

#include "element_loops.hpp"

#include "ddla/dd_math.hpp"
#include "ddla/vector.hpp"
#include "ddla/watched_scope.hpp"
#include "steps/random_bits.hpp"
#include "steps/words.hpp"
#include "storage/memory.hpp"

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
double scaled_magnitude(vec<const dd_real> x, const shared_scale& scale)
{
    if (scale.empty()) return largest_magnitude(x);
    return largest_of(x.size, [high = x.word(0), s = scale.data()](index_t i) {
        const bool is_out = s[i] == 0;  // no quotient that only some lanes have
        const double m = std::fabs(high[i]) / (is_out ? 1 : s[i]);
        return is_out ? 0 : m;
    });
}

void copy_to(vec<dd_real> to, vec<const dd_real> from)
{
    std::copy_n(from.word(0), from.size, to.word(0));
    std::copy_n(from.word(1), from.size, to.word(1));
}

/// One y of M y = v for M = A or A^T, in memory of this size; `scale` is that of y.  v, rounded y
/// in the end, must stay where it is.
template <scalar V>
class refined_column {
public:
    refined_column(const csr<V>& m, const shared_scale& scale, real_vector& v,
                   const real_vector& zeros, vec<dd_real> y)
        : m_(m), scale_(scale), v_(v), wanted_(v.data(), zeros.data(), m.rows), y_(y)
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
        if (step == 0)
            each_element(d.size, [y = y_, d](index_t i) { y.set(i, dd_real(0) + d.get(i)); });
        else
            each_element(d.size, [y = y_, d](index_t i) { y.set(i, y.get(i) + d.get(i)); });
        if (step > 0 && size <= close_enough * scaled_magnitude(y_, scale_)) {
            std::copy_n(y_.word(0), y_.size, v_.data());
            found_.y = std::move(v_);
            return false;
        }
        count_work(10 * m_.nonzeros());
        host_engine().matrices<dd_real, V>().residual(m_, y_, wanted_, r);
        return found_.solves < most_steps;
    }
    refined_product result() { return std::move(found_); }

private:
    const csr<V> m_;
    const shared_scale& scale_;
    real_vector& v_;
    const vec<const dd_real> wanted_;
    const vec<dd_real> y_;
    double last_ = HUGE_VAL;
    refined_product found_;
};

/// y of M y = v, with this correction.
template <scalar V>
std::optional<real_vector> refined(const csr<V>& m, const correction& correct,
                                   const shared_scale& scale,
                                   const std::function<bool()>& may_go_on, real_vector v)
{
    const real_vector zeros(v.size(), 0);
    vector<dd_real> y(m.rows), r(m.rows), d(m.rows);
    refined_column<V> column(m, scale, v, zeros, y.view());
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
                     const std::function<bool(index_t)>& may_go_on, vec<dd_real> all)
{
    if (columns.empty()) return true;
    const index_t n = columns.front()->right_hand_side().size;
    const auto part = [&](std::size_t k) { return all.part(n * static_cast<index_t>(k), n); };
    for (std::size_t k = 0; k < columns.size(); ++k)
        copy_to(part(k), columns[k]->right_hand_side());
    while (!columns.empty()) {
        const auto count = static_cast<index_t>(columns.size());
        if (!may_go_on(count)) return false;
        const vec<dd_real> used = all.part(0, n * count);
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
                                         const approximate_inverse& approximate, real_vector v)
{
    return refined(system.matrix(), approximate.solve, approximate.column_scale,
                   approximate.may_go_on, std::move(v));
}

template <scalar V>
std::optional<real_vector> refined_solve_transposed(const host_system<V>& system,
                                                    const approximate_inverse& approximate,
                                                    real_vector v)
{
    return refined(system.transposed(), approximate.solve_transposed, approximate.row_scale,
                   approximate.may_go_on, std::move(v));
}

void memory_of_solves::hold(index_t n, index_t columns)
{
    zeros.resize(static_cast<std::size_t>(n), 0);
    if (y.size() >= n * columns) return;
    y = r = vector<dd_real>(0);
    return_freed_memory(2 * n * columns * std::int64_t{sizeof(dd_real)});  // that of refinement
    y = vector<dd_real>(n * columns);
    r = vector<dd_real>(n * columns);
}

template <scalar V>
std::optional<std::vector<refined_product>>
refined_solves(const host_system<V>& system, const approximate_inverse& approximate,
               std::vector<asked_product> asked, const std::function<bool(index_t)>& may_go_on)
{
    const index_t n = system.size();
    // What looks for the transpose takes memory of its own, before that of solves is there.
    for (const asked_product& p : asked)
        if (p.by_transpose) system.transposed();
    memory_of_solves& memory = *approximate.memory;
    memory.hold(n, static_cast<index_t>(asked.size()));
    std::deque<refined_column<V>> columns;  // which stay where they are
    std::vector<refined_column<V>*> direct, transposed;
    for (asked_product& p : asked) {
        const vec<dd_real> y = memory.y.view().part(n * std::ssize(columns), n);
        if (p.by_transpose)
            columns.emplace_back(system.transposed(), approximate.row_scale, p.v, memory.zeros, y);
        else
            columns.emplace_back(system.matrix(), approximate.column_scale, p.v, memory.zeros, y);
        const bool is_apart = p.by_transpose && !approximate.is_symmetric;
        (is_apart ? transposed : direct).push_back(&columns.back());
    }
    const vec<dd_real> r = memory.r.view();
    if (!refine_together(direct, approximate.solve_several, may_go_on, r) ||
        !refine_together(transposed, approximate.solve_several_transposed, may_go_on, r))
        return std::nullopt;
    std::vector<refined_product> found;
    for (refined_column<V>& column : columns) found.push_back(column.result());
    return found;
}

namespace {

/// Half of `scale` to all of it, of hashed sign and words: whole numbers and powers of two would
/// hide what rounding does.
dd_real full_words(std::uint64_t start, std::uint64_t i, double scale)
{
    const double high = random_number(start, i) * scale;
    const auto low = static_cast<double>(steps::random_bits(start + 16, i) >> 12) * 0x1p-107;
    return dd_real(high) + dd_real(low * high);
}

/// ilogb(x), mostly without a call.
int exponent_in(double x)
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
};

/// A power of two for z of these sizes, so that the rows of A z are about the middle of the range:
/// products lose bits near its ends.  It leaves z normal, and A z finite.  1 where a size is
/// infinite: A z has no middle then, and no rate.
template <scalar V>
double middle_of_range(const csr<V>& a, const shared_scale& scale)
{
    constexpr int far = 900;
    exponent_range rows, z;
    for (index_t i = 0; i < a.rows; ++i) {
        exponent_range row;
        for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
            const double size = scale.empty() ? 1 : scale[a.column[e]];
            const double value = a.value.word(0)[e];
            if (!std::isfinite(size)) return 1;
            if (size != 0) z.take(exponent_in(size));
            if (size != 0 && value != 0) row.take(exponent_in(value) + exponent_in(size));
        }
        if (row.least <= row.largest) rows.take(row.largest);
    }
    if (rows.largest < rows.least) return 1;
    const int middle = std::max(-(rows.least + rows.largest) / 2, -far - z.least);
    return std::ldexp(1.0, std::clamp(std::min(middle, far - rows.largest), -far, far));
}

constexpr int starts_of_probe = 2, steps_of_probe = solves_of_probe / starts_of_probe;

/// How much of z a correction leaves, for some z side by side in the memory of solves.
template <scalar V>
class rate_probe {
public:
    rate_probe(const host_system<V>& system, const approximate_inverse& approximate,
               const shared_scale& scale)
        : system_(system), approximate_(approximate), scale_(scale), n_(system.size()),
          memory_(*approximate.memory)
    {
        memory_.hold(n_, starts_of_probe);
        const double unit = middle_of_range(system.matrix(), scale);
        for (int k = 0; k < starts_of_probe; ++k)
            each_element(n_, [&, z = this->z(k), start = number(k)](index_t i) {
                const double size = scale.empty() ? 1 : scale[i];
                z.set(i, full_words(start, static_cast<std::uint64_t>(i), size) * unit);
            });
    }

    double rate() { return approximate_.solve_several ? together() : one_by_one(); }

private:
    static std::uint64_t number(int k) { return static_cast<std::uint64_t>(k) + 1; }
    vec<dd_real> z(int k) const { return memory_.y.view().part(k * n_, n_); }
    vec<dd_real> r(int k) const { return memory_.r.view().part(k * n_, n_); }

    double one_by_one()
    {
        double most = 0;
        for (int k = 0; k < starts_of_probe; ++k)
            for (int step = 0; step < steps_of_probe; ++step) {
                if (!apply(k, step, r(0))) break;
                approximate_.solve(r(0), r(1));
                if (!take(leave(k, r(1)), most)) return HUGE_VAL;
            }
        return most;
    }
    /// Charges what the same takes one by one.
    double together()
    {
        double left[starts_of_probe][steps_of_probe];
        int steps[starts_of_probe] = {};
        for (int step = 0; step < steps_of_probe; ++step) {
            bool is_there[starts_of_probe];
            for (int k = 0; k < starts_of_probe; ++k)
                is_there[k] = steps[k] == step && (step == 0 || std::isfinite(left[k][step - 1])) &&
                              apply(k, step, r(k));
            const int first = is_there[0] ? 0 : 1, columns = is_there[0] + is_there[1];
            if (columns == 0) break;
            const vec<dd_real> used = memory_.r.view().part(first * n_, columns * n_);
            approximate_.solve_several(used, used);
            for (int k = 0; k < starts_of_probe; ++k)
                if (is_there[k]) left[k][steps[k]++] = leave(k, r(k));
        }
        double most = 0;
        int solves = 0;
        for (int k = 0; k < starts_of_probe; ++k)
            for (int step = 0; step < steps[k] && std::isfinite(most); ++step, ++solves)
                if (!take(left[k][step], most)) most = HUGE_VAL;
        approximate_.charge(solves);
        return most;
    }

    /// A z, rounded in some way; false where z is 0.
    bool apply(int k, int step, vec<dd_real> az)
    {
        size_[k] = scaled_magnitude(z(k), scale_);
        if (size_[k] == 0) return false;
        host_engine().matrices<dd_real, V>().spmv(dd_real(1), system_.matrix(), z(k), dd_real(0),
                                                  az);
        each_element(
            n_, [az, rounding = approximate_.rounding, column = number(k) + 8, step](index_t i) {
                const auto at = static_cast<std::uint64_t>(2 * i + step);
                az.set(i, az.get(i) * (dd_real(1) + rounding * random_number(column, at)));
            });
        return true;
    }
    /// What e, the solution, has left of z, which is the next z, over it.
    double leave(int k, vec<const dd_real> e)
    {
        const vec<dd_real> z = this->z(k);
        if (scale_.empty())
            each_element(n_, [z, e](index_t i) { z.set(i, e.get(i) - z.get(i)); });
        else
            each_element(n_, [z, e, s = scale_.data()](index_t i) {
                const dd_real left = e.get(i) - z.get(i);
                z.set(i, s[i] == 0 ? dd_real(0) : left);
            });
        return scaled_magnitude(z, scale_) / size_[k];
    }
    static bool take(double left, double& most)
    {
        if (!(left <= most)) most = left;
        return std::isfinite(most);
    }

    const host_system<V>& system_;
    const approximate_inverse& approximate_;
    const shared_scale& scale_;
    const index_t n_;
    memory_of_solves& memory_;
    double size_[starts_of_probe];
};

}  // namespace

template <scalar V>
double probed_rate(const host_system<V>& system, const approximate_inverse& approximate,
                   const shared_scale& scale)
{
    return rate_probe<V>(system, approximate, scale).rate();
}

template <scalar V>
double probed_rate(const host_system<V>& system, const approximate_inverse& approximate)
{
    return probed_rate(system, approximate, approximate.column_scale);
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template std::optional<real_vector> refined_solve(const host_system<V>&,                       \
                                                      const approximate_inverse&, real_vector);    \
    template std::optional<real_vector> refined_solve_transposed(                                  \
        const host_system<V>&, const approximate_inverse&, real_vector);                           \
    template std::optional<std::vector<refined_product>> refined_solves(                           \
        const host_system<V>&, const approximate_inverse&, std::vector<asked_product>,             \
        const std::function<bool(index_t)>&);                                                      \
    template double probed_rate(const host_system<V>&, const approximate_inverse&);                \
    template double probed_rate(const host_system<V>&, const approximate_inverse&,                 \
                                const shared_scale&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
