// Products with A^-1 and A^-T, refined.
#include "inverse.hpp"

#include "element_loops.hpp"
#include "product_range.hpp"

#include "ddla/dd_math.hpp"
#include "ddla/vector.hpp"
#include "ddla/watched_scope.hpp"
#include "steps/random_bits.hpp"
#include "steps/words.hpp"
#include "storage/memory.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>

namespace ddla::refine {
namespace {

constexpr int most_steps = 12;
constexpr double close_enough = 0x1p-20;

/// max |x_i| / scale_i of those with a scale; NaN if one is.
double scaled_magnitude(const double* high, index_t n, const shared_scale& scale)
{
    if (scale.empty()) return largest_of(n, [high](index_t i) { return high[i]; });
    return largest_of(n, [high, s = scale.data()](index_t i) {
        const bool is_out = s[i] == 0;  // no quotient that only some lanes have
        const double m = std::fabs(high[i]) / (is_out ? 1 : s[i]);
        return is_out ? 0 : m;
    });
}
template <scalar R>
double scaled_magnitude(vec<const R> x, const shared_scale& scale)
{
    return scaled_magnitude(x.word(0), x.size, scale);
}

/// The words that R has.
template <scalar R, scalar T>
void copy_to(vec<R> to, vec<const T> from)
{
    for (int k = 0; k < words_of<R>; ++k) std::copy_n(from.word(k), from.size, to.word(k));
}

/// One y of M y = v for M = A or A^T; `scale` is that of y.  v, rounded y in the end, must stay
/// where it is.  Corrections and residuals are in R.
template <scalar V, scalar R>
class refined_column {
public:
    /// `low_of_r`: in double, where the low words of a residual go.  Then those of y are memory
    /// that columns share.
    refined_column(const csr<V>& m, const shared_scale& scale, real_vector& v,
                   const real_vector& zeros, vec<dd_real> y, double* low_of_r = nullptr)
        : m_(m), scale_(scale), v_(v), wanted_(v.data(), zeros.data(), m.rows), y_(y),
          low_of_r_(low_of_r)
    {
    }

    vec<const dd_real> right_hand_side() const { return wanted_; }
    /// Takes the next correction; false if that was the last one.  Else r is the next residual.
    bool take(vec<const R> d, vec<R> r)
    {
        const double size = scaled_magnitude(d, scale_);
        const int step = found_.solves++;
        if (!std::isfinite(size) || (step > 1 && size > 0.5 * last_)) return false;
        last_ = size;
        add(d, step);
        if (step > 0 && size <= close_enough * scaled_magnitude(vec<const dd_real>(y_), scale_)) {
            std::copy_n(y_.word(0), y_.size, v_.data());
            found_.y = std::move(v_);
            return false;
        }
        if (is_in_double && step == 1) keep_low_words();
        count_work(10 * m_.nonzeros());
        host_engine().matrices<dd_real, V>().residual(m_, y_, wanted_, whole(r));
        return found_.solves < most_steps;
    }
    refined_product result() { return std::move(found_); }

private:
    static constexpr bool is_in_double = words_of<R> == 1;

    /// The first correction is y, and has no low words in double.
    void add(vec<const R> d, int step)
    {
        const vec<dd_real> y = y_;
        if (step == 0)
            each_element(d.size, [y, d](index_t i) { y.set(i, dd_real(0) + dd_real(d.get(i))); });
        else if (is_in_double && step == 1)
            each_element(
                d.size, [y, d](index_t i) { y.set(i, dd_real(y.word(0)[i]) + dd_real(d.get(i))); });
        else
            each_element(d.size, [y, d](index_t i) { y.set(i, y.get(i) + dd_real(d.get(i))); });
    }
    /// Few columns take a third correction.
    void keep_low_words()
    {
        low_.assign(y_.word(1), y_.word(1) + y_.size);
        y_ = vec<dd_real>(y_.word(0), low_.data(), y_.size);
    }
    vec<dd_real> whole(vec<R> r) const
    {
        if constexpr (is_in_double)
            return {r.word(0), low_of_r_, r.size};
        else
            return r;
    }

    const csr<V> m_;
    const shared_scale& scale_;
    real_vector& v_;
    const vec<const dd_real> wanted_;
    vec<dd_real> y_;
    double* const low_of_r_;
    real_vector low_;
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
    refined_column<V, dd_real> column(m, scale, v, zeros, y.view());
    copy_to(r.view(), column.right_hand_side());
    do {
        if (may_go_on && !may_go_on()) return std::nullopt;
        correct(std::as_const(r).view(), d.view());
    } while (column.take(std::as_const(d).view(), r.view()));
    return column.result().y;
}

/// Columns whose solves one correction takes together; false where `may_go_on` is.
template <scalar V, scalar R, class Correct>
bool refine_together(std::vector<refined_column<V, R>*> columns, const Correct& correct,
                     const std::function<bool(index_t)>& may_go_on, vec<R> all)
{
    if (columns.empty()) return true;
    const index_t n = columns.front()->right_hand_side().size;
    const auto part = [&](std::size_t k) { return all.part(n * static_cast<index_t>(k), n); };
    for (std::size_t k = 0; k < columns.size(); ++k)
        copy_to(part(k), columns[k]->right_hand_side());
    while (!columns.empty()) {
        const auto count = static_cast<index_t>(columns.size());
        if (!may_go_on(count)) return false;
        const vec<R> used = all.part(0, n * count);
        correct(used, used);
        std::size_t left = 0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (!columns[k]->take(part(k), part(k))) continue;
            if (left < k) copy_to(part(left), vec<const R>(part(k)));
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
    high_of_y = high_of_r = {};
    return_freed_memory(2 * n * columns * std::int64_t{sizeof(dd_real)});  // that of refinement
    y = vector<dd_real>(n * columns);
    r = vector<dd_real>(n * columns);
}
void memory_of_solves::hold_in_double(index_t n, index_t columns)
{
    zeros.resize(static_cast<std::size_t>(n), 0);
    const auto all = static_cast<std::size_t>(n * columns), one = static_cast<std::size_t>(n);
    if (high_of_y.size() >= all && low_of_y.size() >= one) return;
    y = r = vector<dd_real>(0);
    high_of_y = high_of_r = {};
    return_freed_memory(2 * n * columns * std::int64_t{sizeof(double)});
    high_of_y.resize(all);
    high_of_r.resize(all);
    low_of_y.resize(one);
    low_of_r.resize(one);
}

namespace {

/// Memory of solves in R: y of column k, and r of all.
template <scalar R>
struct columns_in_memory {
    columns_in_memory(memory_of_solves& m, index_t n, index_t columns) : memory(m), size(n)
    {
        if constexpr (words_of<R> == 1)
            memory.hold_in_double(n, columns);
        else
            memory.hold(n, columns);
    }
    vec<dd_real> y(index_t k)
    {
        if constexpr (words_of<R> == 1)
            return {memory.high_of_y.data() + k * size, memory.low_of_y.data(), size};
        else
            return memory.y.view().part(k * size, size);
    }
    vec<R> r()
    {
        if constexpr (words_of<R> == 1)
            return {memory.high_of_r.data(), static_cast<index_t>(memory.high_of_r.size())};
        else
            return memory.r.view();
    }
    double* low_of_r() { return memory.low_of_r.data(); }

    memory_of_solves& memory;
    const index_t size;
};

template <scalar R, scalar V, class Correct>
std::optional<std::vector<refined_product>>
refined_in(const host_system<V>& system, const approximate_inverse& approximate,
           std::vector<asked_product>& asked, const std::function<bool(index_t)>& may_go_on,
           const Correct& correct, const Correct& correct_transposed)
{
    columns_in_memory<R> memory(*approximate.memory, system.size(), std::ssize(asked));
    std::deque<refined_column<V, R>> columns;  // which stay where they are
    std::vector<refined_column<V, R>*> direct, transposed;
    for (asked_product& p : asked) {
        columns.emplace_back(p.by_transpose ? system.transposed() : system.matrix(),
                             p.by_transpose ? approximate.row_scale : approximate.column_scale, p.v,
                             approximate.memory->zeros, memory.y(std::ssize(columns)),
                             memory.low_of_r());
        const bool is_apart = p.by_transpose && !approximate.is_symmetric;
        (is_apart ? transposed : direct).push_back(&columns.back());
    }
    if (!refine_together(direct, correct, may_go_on, memory.r()) ||
        !refine_together(transposed, correct_transposed, may_go_on, memory.r()))
        return std::nullopt;
    std::vector<refined_product> found;
    for (refined_column<V, R>& column : columns) found.push_back(column.result());
    return found;
}

}  // namespace

template <scalar V>
std::optional<std::vector<refined_product>>
refined_solves(const host_system<V>& system, const approximate_inverse& approximate,
               std::vector<asked_product> asked, const std::function<bool(index_t)>& may_go_on)
{
    // What looks for the transpose takes memory of its own, before that of solves is there.
    for (const asked_product& p : asked)
        if (p.by_transpose) system.transposed();
    if (approximate.several_in_double)
        return refined_in<double>(system, approximate, asked, may_go_on,
                                  approximate.several_in_double,
                                  approximate.several_transposed_in_double);
    return refined_in<dd_real>(system, approximate, asked, may_go_on, approximate.solve_several,
                               approximate.solve_several_transposed);
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
        size_[k] = scaled_magnitude(vec<const dd_real>(z(k)), scale_);
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
        return scaled_magnitude(vec<const dd_real>(z), scale_) / size_[k];
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
