// A x = b at the host: residuals, the transpose, magnitudes.
#include "host_system.hpp"

#include "element_loops.hpp"
#include "hasty_residuals.hpp"

#include "engine/host_loops.hpp"
#include "factor/supernodal/definite.hpp"

#include "ddla/host_threads.hpp"
#include "ddla/vector.hpp"
#include "ddla/watched_scope.hpp"
#include "steps/scaling.hpp"
#include "storage/transposed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla::refine {

double largest_magnitude(vec<const dd_real> x)
{
    return largest_of(x.size, [&](index_t i) { return x.word(0)[i]; });
}

namespace {

/// Entries of A whose exact residuals take a thread some milliseconds.
constexpr index_t entries_of_thread = index_t{1} << 16, most_entries_at_once = index_t{1} << 20;
/// Nanoseconds an entry, about: see count_work().
constexpr std::int64_t time_of_entry = 40;

constexpr std::int64_t tenth_of_a_second = 100'000'000;

/// So many rows of A.
template <scalar V>
csr<V> rows_of(const csr<V>& a, index_t first, index_t count)
{
    csr<V> part;
    part.rows = count;
    part.columns = a.columns;
    part.row_begin = a.row_begin.is_wide() ? row_offsets(a.row_begin.wide() + first)
                                           : row_offsets(a.row_begin.narrow() + first);
    part.column = a.column;
    part.value = a.value.part(0, a.row_begin[first + count]);
    part.longest_row = a.longest_row;
    return part;
}

/// The end of the rows from `first` on that have so many entries, or of all.
template <scalar V>
index_t end_of_rows(const csr<V>& a, index_t first)
{
    const index_t most = std::min(entries_of_thread * host_threads(), most_entries_at_once);
    index_t end = first;
    while (end < a.rows && a.row_begin[end] - a.row_begin[first] < most) ++end;
    return end;
}

/// Whether A^T, with its rows sorted, is A as it is stored: entry by entry those of a column, which
/// come in the order of rows, are those of the row.
template <scalar V>
bool is_own_transpose(const csr<V>& a)
{
    if (a.rows != a.columns) return false;
    if (factor::is_mirrored(a, {host_threads(), run_on_host})) return true;
    std::vector<index_t> next(static_cast<std::size_t>(a.rows));
    for (index_t i = 0; i < a.rows; ++i) next[static_cast<std::size_t>(i)] = a.row_begin[i];
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
            const column_t j = a.column[e];
            const index_t mirror = next[static_cast<std::size_t>(j)]++;
            if (mirror >= a.row_begin[j + 1] || a.column[mirror] != i) return false;
            for (int k = 0; k < words_of<V>; ++k)
                if (a.value.word(k)[mirror] != a.value.word(k)[e]) return false;
        }
    return true;
}

/// Of work that ended early, or has not begun.
bool is_zero(const_solution_view x)
{
    return largest_magnitude(x.high) == 0 && (x.words() == 2 || largest_magnitude(x.low) == 0);
}

}  // namespace

bool all_finite(vec<const dd_real> x)
{
    return std::isfinite(largest_magnitude(x));
}

template <scalar V>
host_system<V>::host_system(const csr<V>& a, vec<const dd_real> b)
    : a_(a), b_(b), largest_b_(largest_magnitude(b))
{
}

template <scalar V>
bool host_system<V>::is_own_transpose() const
{
    if (!is_own_transpose_) is_own_transpose_ = refine::is_own_transpose(a_);
    return *is_own_transpose_;
}

template <scalar V>
csr<V> host_system<V>::transposed() const
{
    if (is_own_transpose()) return a_;
    if (!transposed_) transposed_ = ddla::transposed(a_);
    return transposed_->view();
}

template <scalar V>
std::int64_t host_system<V>::transposed_bytes() const
{
    if (!transposed_) return 0;
    return (a_.columns + 1) * static_cast<std::int64_t>(sizeof(index_t)) +
           a_.nonzeros() * static_cast<std::int64_t>(sizeof(column_t) + sizeof(V));
}

template <scalar V>
double host_system<V>::residual(const_solution_view x, vec<dd_real> r) const
{
    const double scale = steps::residual_scale(largest_b_, largest_magnitude(x.high));
    if (is_zero(x))
        for (index_t i = 0; i < a_.rows; ++i) r.set(i, steps::times_power_of_two(b_.get(i), scale));
    else if (x.words() == 2)
        residual_of_parts(x.high, scale, r);
    else
        wide_residual(a_, x, b_, scale, r);
    return scale;
}

template <scalar V>
void host_system<V>::residual_of_parts(vec<const dd_real> x, double scale, vec<dd_real> r) const
{
    const bool is_watched = !work_has_ended();
    auto& on = host_engine().matrices<dd_real, V>();
    for (index_t i = 0; i < a_.rows;) {
        const index_t end = end_of_rows(a_, i), n = end - i;
        if (is_watched) count_work(time_of_entry * (a_.row_begin[end] - a_.row_begin[i]));
        on.scaled_residual(rows_of(a_, i, n), x, b_.part(i, n), scale, r.part(i, n));
        i = end;
    }
}

template <scalar V>
double host_system<V>::scale_of_residuals() const
{
    return std::min(1.0, steps::residual_scale(largest_b_, 0));
}

template <scalar V>
double host_system<V>::relative_residual_of_zero() const
{
    return largest_b_ == 0 ? 0 : 1;
}

template <scalar V>
double host_system<V>::relative_residual(const_solution_view x, vec<const dd_real> r,
                                         double scale) const
{
    if (is_zero(x)) return relative_residual_of_zero();
    vector<dd_real> b(a_.rows);
    for (index_t i = 0; i < a_.rows; ++i) b.set(i, steps::times_power_of_two(b_.get(i), scale));
    auto& vectors = host_engine().vectors<dd_real>();
    const dd_real of_r = vectors.nrm2(r), of_b = vectors.nrm2(std::as_const(b).view());
    if (of_r == dd_real(0)) return 0;
    return of_b == dd_real(0) ? HUGE_VAL : double(of_r / of_b);
}

template <scalar V>
double host_system<V>::relative_residual(const_solution_view x) const
{
    if (is_zero(x)) return relative_residual_of_zero();
    if (x.words() > 2) {
        vector<dd_real> r(a_.rows);
        const double scale = residual(x, r.view());
        return relative_residual(x, std::as_const(r).view(), scale);
    }
    const scaled_norms n = host_engine().matrices<dd_real, V>().true_residual(a_, x.high, b_);
    if (n.residual == dd_real(0)) return 0;
    if (n.right_hand_side == dd_real(0)) return HUGE_VAL;
    return double(n.residual / n.right_hand_side);
}

template <scalar V>
bool host_system<V>::is_quick(int words) const
{
    if (words == 2) return time_of_entry * a_.nonzeros() <= tenth_of_a_second;
    // What is counted is the most that it takes, twice the usual.
    return time_of_wide_residual(a_.rows, a_.nonzeros()) <= 2 * tenth_of_a_second;
}

template <scalar V>
double host_system<V>::hasty_relative_residual(const_solution_view x) const
{
    if (is_zero(x) || is_quick(x.words())) return relative_residual(x);
    std::optional<hasty_residuals> hasty;
    csr<V> rows = a_;
    rows.storage = nullptr;  // some formats are slower at the host
    if (x.words() == 2)
        hasty = hasty_residuals_of<dd_real, V>(host_engine(), rows, nullptr, x.high, b_);
    return hasty ? hasty->relative : std::numeric_limits<double>::quiet_NaN();
}

template <scalar V>
std::vector<double> host_system<V>::magnitudes(vec<const dd_real> x) const
{
    std::vector<double> w(static_cast<std::size_t>(a_.rows), 0);
    each_part(a_.rows, [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i)
            for (index_t e = a_.row_begin[i]; e < a_.row_begin[i + 1]; ++e)
                w[static_cast<std::size_t>(i)] +=
                    std::fabs(a_.value.word(0)[e] * x.word(0)[a_.column[e]]);
    });
    return w;
}

template class host_system<double>;
template class host_system<dd_real>;

}  // namespace ddla::refine
