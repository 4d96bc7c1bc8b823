// Sparse QR by Givens rotations.
#include "qr.hpp"

#include "factor/order/scaling.hpp"
#include "factor/scaled_vectors.hpp"
#include "factor/tuning.hpp"

#include "ddla/error.hpp"
#include "steps/random_bits.hpp"

#include <cmath>

namespace ddla::factor {
namespace {

/// One entry of each of two rows after a rotation costs so many operations.
constexpr int operations_of_entry = 4;

using std::sqrt;

/// c and s of a rotation that makes (a, b) to (h, 0); b is not 0.
template <scalar F>
void make_rotation(const F& a, const F& b, rotation<F>& of)
{
    // Squares in range.
    const int e = std::ilogb(std::max(magnitude(a), magnitude(b)));
    const F x = scaled(a, -e), y = scaled(b, -e);
    const F h = sqrt(x * x + y * y);
    of.c = x / h;
    of.s = y / h;
}

/// Entries whose first is 0 are no part of a row on its way.
template <scalar F>
void drop_leading_zeros(qr_row<F>& row)
{
    std::size_t k = 0;
    while (k < row.value.size() && row.value[k] == F(0)) ++k;
    row.column.erase(row.column.begin(), row.column.begin() + static_cast<std::ptrdiff_t>(k));
    row.value.erase(row.value.begin(), row.value.begin() + static_cast<std::ptrdiff_t>(k));
}

/// How many columns have an entry in one row, or in both.
template <scalar F>
std::size_t size_of_union(const qr_row<F>& above, const qr_row<F>& below)
{
    std::size_t i = 0, k = 0, count = 0;
    for (; i < above.column.size() && k < below.column.size(); ++count) {
        const column_t of_above = above.column[i], of_below = below.column[k];
        i += of_above <= of_below;
        k += of_below <= of_above;
    }
    return count + (above.column.size() - i) + (below.column.size() - k);
}

/// Rotates two rows that begin in the same column and have so many together; `below` loses it.
template <scalar F>
void rotate(const rotation<F>& by, std::size_t columns, qr_row<F>& above, qr_row<F>& below)
{
    qr_row<F> upper, lower;
    for (qr_row<F>* row : {&upper, &lower}) {
        row->column.reserve(columns);
        row->value.reserve(columns);
    }
    std::size_t i = 0, k = 0;
    while (i < above.column.size() || k < below.column.size()) {
        const bool has_above = k == below.column.size() ||
                               (i < above.column.size() && above.column[i] <= below.column[k]);
        const bool has_below = i == above.column.size() ||
                               (k < below.column.size() && below.column[k] <= above.column[i]);
        const column_t j = has_above ? above.column[i] : below.column[k];
        const F x = has_above ? above.value[i] : F(0), y = has_below ? below.value[k] : F(0);
        upper.column.push_back(j);
        upper.value.push_back(by.c * x + by.s * y);
        if (i + k > 0) {  // what follows the first column, which becomes 0 below
            lower.column.push_back(j);
            lower.value.push_back(by.c * y - by.s * x);
        }
        i += has_above;
        k += has_below;
    }
    above = std::move(upper);
    below = std::move(lower);
}

template <scalar F>
bool is_finite(const qr_row<F>& row)
{
    return std::all_of(row.value.begin(), row.value.end(),
                       [](const F& v) { return std::isfinite(magnitude(v)); });
}

/// Makes R and Q, row by row.
template <scalar F, scalar V>
class triangulation {
public:
    triangulation(const csr<V>& a, const qr_options& options, qr_data<F>& to, double& done)
        : rows_(detail::clean_rows_of(a)), options_(options), to_(to), done_(done)
    {
    }

    void run()
    {
        for (index_t e = 0; e < rows_.entries; ++e)
            if (!std::isfinite(magnitude(rows_.value.get(e)))) return ends(factor_end::not_finite);
        order();
        scale();
        to_.r.resize(as_size(to_.about.columns));
        to_.row_of.assign(as_size(to_.about.columns), -1);
        index_t count = 0;
        for (const column_t i : by_last_column()) {
            done_ = static_cast<double>(count++) / static_cast<double>(to_.about.rows);
            if (options_.watch && !options_.watch(done_)) return ends(factor_end::stopped);
            if (!eliminate(i)) return;
        }
        for (const qr_row<F>& row : to_.r)
            if (row.value.empty()) return ends(factor_end::singular);
    }

private:
    void ends(factor_end e) { to_.about.end = e; }

    void order()
    {
        const sparse_columns<V> by_rows{to_.about.columns, to_.about.rows, rows_.begin,
                                        rows_.column, rows_.value};
        const sparse_columns<V> columns = transposed(by_rows);
        to_.column_of = order_columns(pattern_of(columns), options_.order, {}).column;
        place_.resize(as_size(to_.about.columns));
        for (std::size_t k = 0; k < place_.size(); ++k)
            place_[as_size(to_.column_of[k])] = static_cast<column_t>(k);
    }
    void scale()
    {
        std::vector<double> largest(place_.size(), 0);
        for (index_t e = 0; e < rows_.entries; ++e) {
            double& most = largest[as_size(rows_.column[as_size(e)])];
            most = std::max(most, magnitude(rows_.value.get(e)));
        }
        to_.exponent.resize(place_.size());
        for (std::size_t j = 0; j < place_.size(); ++j)
            to_.exponent[j] = largest[j] > 0 ? -std::ilogb(largest[j]) : 0;
    }
    /// Rows of A; those that reach less far to the right first, so that R fills late.
    std::vector<column_t> by_last_column() const
    {
        std::vector<column_t> last(as_size(to_.about.rows), -1), order(last.size());
        for (std::size_t i = 0; i < last.size(); ++i)
            for (index_t e = rows_.begin[i]; e < rows_.begin[i + 1]; ++e)
                last[i] = std::max(last[i], place_[as_size(rows_.column[as_size(e)])]);
        std::iota(order.begin(), order.end(), column_t{0});
        std::stable_sort(order.begin(), order.end(), [&](column_t i, column_t k) {
            return last[as_size(i)] < last[as_size(k)];
        });
        return order;
    }
    qr_row<F> row_of(column_t i) const
    {
        std::vector<std::pair<column_t, index_t>> entries;
        for (index_t e = rows_.begin[as_size(i)]; e < rows_.begin[as_size(i) + 1]; ++e)
            entries.emplace_back(place_[as_size(rows_.column[as_size(e)])], e);
        std::sort(entries.begin(), entries.end());
        qr_row<F> row;
        for (const auto& [k, e] : entries) {
            row.column.push_back(k);
            row.value.push_back(scaled(rounded<F>(rows_.value.get(e)),
                                       to_.exponent[as_size(rows_.column[as_size(e)])]));
        }
        return row;
    }
    /// False where that ends all.
    bool eliminate(column_t i)
    {
        qr_row<F> row = row_of(i);
        for (drop_leading_zeros(row); !row.value.empty(); drop_leading_zeros(row)) {
            const std::size_t k = as_size(row.column[0]);
            qr_row<F>& above = to_.r[k];
            if (above.value.empty()) {
                to_.row_of[k] = i;
                hold(static_cast<index_t>(row.value.size()));
                above = std::move(row);
                return goes_on(above);
            }
            rotation<F> by{to_.row_of[k], i, F(0), F(0)};
            make_rotation(above.value[0], row.value[0], by);
            const std::size_t columns = size_of_union(above, row);
            const auto before = static_cast<index_t>(above.value.size());
            const auto after = static_cast<index_t>(columns);
            if (!has_room(static_cast<index_t>(row.value.size()) + 2 * after)) return false;
            rotate(by, columns, above, row);
            to_.q.push_back(by);
            ++to_.about.rotations;
            to_.about.operations += static_cast<double>(operations_of_entry * after);
            count_work(tuning::nanoseconds_of_rotation * after);
            hold(after - before);
            if (!goes_on(above)) return false;
        }
        return true;
    }
    void hold(index_t entries)
    {
        to_.about.entries += entries;
        to_.about.bytes = to_.about.entries * bytes_of_entry +
                          to_.about.rotations * static_cast<std::int64_t>(sizeof(rotation<F>));
        to_.about.making_bytes = std::max(to_.about.making_bytes, to_.about.bytes);
    }
    /// Counts rows on their way of so many entries; false where there is no room for them.
    bool has_room(index_t entries)
    {
        const std::int64_t bytes = to_.about.bytes + entries * bytes_of_entry;
        to_.about.making_bytes = std::max(to_.about.making_bytes, bytes);
        if (bytes > options_.most_bytes) ends(factor_end::over_memory);
        return bytes <= options_.most_bytes;
    }
    bool goes_on(const qr_row<F>& changed)
    {
        if (!is_finite(changed)) ends(factor_end::not_finite);
        if (to_.about.operations > options_.most_operations) ends(factor_end::over_work);
        if (to_.about.bytes > options_.most_bytes) ends(factor_end::over_memory);
        return to_.about.end == factor_end::complete;
    }

    static constexpr auto bytes_of_entry = static_cast<std::int64_t>(sizeof(column_t) + sizeof(F));

    const detail::clean_rows<V> rows_;
    const qr_options& options_;
    qr_data<F>& to_;
    double& done_;
    std::vector<column_t> place_;  ///< in the order of elimination, of each column of A
};

/// y of R y = y.
template <scalar F>
void solve_r(const qr_data<F>& f, vec<F> y)
{
    for (std::size_t k = f.r.size(); k-- > 0;) {
        const qr_row<F>& row = f.r[k];
        count_work(20 * static_cast<std::int64_t>(row.value.size()));
        F sum = y.get(static_cast<index_t>(k));
        for (std::size_t e = 1; e < row.value.size(); ++e)
            sum = sum - row.value[e] * y.get(row.column[e]);
        y.set(static_cast<index_t>(k), sum / row.value[0]);
    }
}

/// y of R^T y = y.
template <scalar F>
void solve_r_transposed(const qr_data<F>& f, vec<F> y)
{
    for (std::size_t k = 0; k < f.r.size(); ++k) {
        const qr_row<F>& row = f.r[k];
        count_work(20 * static_cast<std::int64_t>(row.value.size()));
        const F found = y.get(static_cast<index_t>(k)) / row.value[0];
        y.set(static_cast<index_t>(k), found);
        for (std::size_t e = 1; e < row.value.size(); ++e)
            y.set(row.column[e], y.get(row.column[e]) - row.value[e] * found);
    }
}

template <scalar F>
void apply(const rotation<F>& by, bool is_transposed, vec<F> y)
{
    const F v = y.get(by.first), w = y.get(by.second), s = is_transposed ? by.s : -by.s;
    y.set(by.first, by.c * v + s * w);
    y.set(by.second, by.c * w - s * v);
}

template <scalar F>
void apply_q_transposed(const qr_data<F>& f, vec<F> y)
{
    count_work(50 * static_cast<std::int64_t>(f.q.size()));
    for (const rotation<F>& by : f.q) apply(by, true, y);
}

template <scalar F>
void apply_q(const qr_data<F>& f, vec<F> y)
{
    count_work(50 * static_cast<std::int64_t>(f.q.size()));
    for (auto by = f.q.rbegin(); by != f.q.rend(); ++by) apply(*by, false, y);
}

template <scalar F>
double largest_of(vec<const F> y)
{
    double most = 0;
    for (index_t i = 0; i < y.size; ++i) most = std::max(most, magnitude(y.get(i)));
    return most;
}

/// Inverse iteration with R^T R from hashed signs: each step leaves less of what is not the
/// smallest singular value's.
template <scalar F>
double smallest_singular_value(const qr_data<F>& f)
{
    constexpr int steps = 4;
    const auto n = static_cast<index_t>(f.r.size());
    vector<F> y(n);
    for (index_t i = 0; i < n; ++i)
        y.view().set(i,
                     F((steps::random_bits(1, static_cast<std::uint64_t>(i)) & 1) == 0 ? 1 : -1));
    double smallest = 0, size = 1;  // of y
    for (int step = 0; step < steps; ++step) {
        solve_r_transposed(f, y.view());
        const double once = largest_of(std::as_const(y).view());
        const int e = once > 0 && std::isfinite(once) ? std::ilogb(once) : 0;
        for (index_t i = 0; i < n; ++i) y.view().set(i, scaled(y.view().get(i), -e));
        solve_r(f, y.view());
        const double twice = largest_of(std::as_const(y).view());
        if (!(twice > 0) || !std::isfinite(twice)) return 0;
        smallest = std::sqrt(std::ldexp(size / twice, -e));
        const int back = std::ilogb(twice);
        size = std::ldexp(twice, -back);
        for (index_t i = 0; i < n; ++i) y.view().set(i, scaled(y.view().get(i), -back));
    }
    return smallest;
}

}  // namespace

template <scalar F>
template <scalar V>
qr_factors<F> qr_factors<F>::make(const csr<V>& a, const qr_options& options)
{
    if (a.rows < a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no QR: it has fewer rows than columns");
    const auto data = std::make_shared<qr_data<F>>();
    data->about.rows = a.rows;
    data->about.columns = a.columns;
    double done = 0;
    const auto goes_on = [&] { return !options.watch || options.watch(done); };
    const auto work = [&] {
        triangulation<F, V>(a, options, *data, done).run();
        if (data->about.end == factor_end::complete)
            data->about.smallest_singular_value = smallest_singular_value(*data);
    };
    if (!completed(goes_on, work)) data->about.end = factor_end::stopped;
    qr_factors f;
    f.data_ = data;
    return f;
}

template <scalar F>
void qr_factors<F>::solve_augmented(int exponent_of_alpha, vec<const F> right, vec<F> y) const
{
    const qr_data<F>& f = *data_;
    const index_t m = f.about.rows, n = f.about.columns;
    require_complete(f.about.end);
    if (right.size != m + n || y.size != m + n)
        throw input_error("solve: the right-hand side has " + std::to_string(right.size) +
                          " elements, y " + std::to_string(y.size) + ", the augmented matrix " +
                          std::to_string(m + n) + " rows");
    // With s = alpha r and x = S P z:  s + Q (R; 0) z = b,  (R^T, 0) Q^T s = alpha P^T S c.
    std::vector<int> exponent(as_size(m + n), 0);
    for (index_t j = 0; j < n; ++j)
        exponent[as_size(m + j)] = f.exponent[as_size(j)] + exponent_of_alpha;
    const int common = common_exponent(right, exponent);
    vector<F> b(m), u(n), z(n);
    for (index_t i = 0; i < m; ++i) b.view().set(i, scaled(right.get(i), -common));
    for (index_t k = 0; k < n; ++k) {
        const index_t j = m + f.column_of[as_size(k)];
        u.view().set(k, scaled(right.get(j), exponent[as_size(j)] - common));
    }
    apply_q_transposed(f, b.view());
    solve_r_transposed(f, u.view());
    for (index_t k = 0; k < n; ++k) {
        const column_t i = f.row_of[as_size(k)];
        z.view().set(k, b.view().get(i) - u.view().get(k));
        b.view().set(i, u.view().get(k));
    }
    solve_r(f, z.view());
    apply_q(f, b.view());
    for (index_t i = 0; i < m; ++i) y.set(i, scaled(b.view().get(i), common - exponent_of_alpha));
    for (index_t k = 0; k < n; ++k) {
        const column_t j = f.column_of[as_size(k)];
        y.set(m + j, scaled(z.view().get(k), common + f.exponent[as_size(j)]));
    }
}

template class qr_factors<dd_real>;
template qr_factors<dd_real> qr_factors<dd_real>::make(const csr<double>&, const qr_options&);
template qr_factors<dd_real> qr_factors<dd_real>::make(const csr<dd_real>&, const qr_options&);

}  // namespace ddla::factor
