// Shortest augmenting paths over integer costs.
#include "matching.hpp"
#include "tight_paths.hpp"

#include "ddla/watched_scope.hpp"

#include <queue>

namespace ddla::factor {

std::int64_t log2_fixed(double x)
{
    // log2 m = 2 / ln 2 artanh((m - 1) / (m + 1)), m between 0.7 and 1.42: the next term of the
    // series is below 2^-40.  IEEE operations only.
    constexpr double two_over_ln2 = 2.8853900817779268;
    int exponent = exponent_of(x);
    double m = std::fabs(scaled(x, -exponent));
    if (m < 0.7071067811865476) {
        m *= 2;
        --exponent;
    }
    const double t = (m - 1) / (m + 1), t2 = t * t;
    double sum = 0;
    for (int k = 13; k > 0; k -= 2) sum = sum * t2 + 1.0 / k;
    const double log = two_over_ln2 * t * sum;
    constexpr double unit = 1 << 24;
    return exponent * std::int64_t{1 << 24} + static_cast<std::int64_t>(std::floor(log * unit));
}

namespace {

std::vector<column_t> unmatched(const std::vector<column_t>& partner)
{
    std::vector<column_t> free;
    for (std::size_t i = 0; i < partner.size(); ++i)
        if (partner[i] < 0) free.push_back(static_cast<column_t>(i));
    return free;
}

constexpr std::int64_t infinite = INT64_MAX;

/// The costs are differences to the largest entry of a column; u and v are the duals of rows and
/// columns: cost - u - v >= 0, and = 0 on matched entries.
class augmenting_paths {
public:
    augmenting_paths(index_t rows, index_t columns, const std::vector<index_t>& begin,
                     const std::vector<column_t>& row, const std::vector<std::int64_t>& log,
                     double most_operations)
        : most_operations_(most_operations), begin_(begin), row_(row), cost_(log.size()),
          u_(as_size(rows), infinite), v_(as_size(columns), 0), most_(as_size(columns), 0),
          distance_(as_size(rows), infinite), from_(as_size(rows), -1), settled_(as_size(rows), 0)
    {
        m_.row_of_column.assign(as_size(columns), -1);
        m_.column_of_row.assign(as_size(rows), -1);
        for (std::size_t j = 0; j < v_.size(); ++j) set_costs(j, log);
    }

    matching run()
    {
        start();
        match_tight_entries();
        for (std::size_t j = 0; j < v_.size() && goes_on(); ++j)
            if (m_.row_of_column[j] < 0) augment_from(static_cast<column_t>(j));
        if (!goes_on()) return given_up();
        lift_dead_ends();
        m_.row_dual = std::move(u_);
        m_.column_dual = std::move(v_);
        for (std::size_t j = 0; j < most_.size(); ++j) m_.column_dual[j] -= most_[j];
        return std::move(m_);
    }

private:
    bool goes_on() const { return static_cast<double>(m_.operations) <= most_operations_; }
    matching given_up() const
    {
        matching none;
        none.operations = m_.operations;
        none.complete = false;
        return none;
    }
    void count(std::int64_t operations)
    {
        m_.operations += operations;
        count_work(10 * operations);  // they miss the cache
    }

    /// As many as can be, before the first search.
    void match_tight_entries()
    {
        const auto is_tight = [&](index_t k, column_t j) { return reduced(k, as_size(j)) == 0; };
        tight_paths paths(begin_, row_, m_.row_of_column, m_.column_of_row, is_tight);
        while (goes_on()) {
            const index_t found = paths.pass([&](std::int64_t looks) {
                count(looks);
                return goes_on();
            });
            m_.size += found;
            if (found == 0) return;
        }
    }

    void set_costs(std::size_t j, const std::vector<std::int64_t>& log)
    {
        std::int64_t most = INT64_MIN;
        count_work(2 * (begin_[j + 1] - begin_[j]));
        for (index_t k = begin_[j]; k < begin_[j + 1]; ++k) most = std::max(most, log[as_size(k)]);
        for (index_t k = begin_[j]; k < begin_[j + 1]; ++k)
            cost_[as_size(k)] = most - log[as_size(k)];
        most_[j] = most == INT64_MIN ? 0 : most;
    }

    /// Duals from the smallest costs, and what they match at once.
    void start()
    {
        for (std::size_t j = 0; j < v_.size(); ++j) {
            count_work(10 * (begin_[j + 1] - begin_[j]));
            for (index_t k = begin_[j]; k < begin_[j + 1]; ++k) {
                std::int64_t& u = u_[as_size(row_[as_size(k)])];
                u = std::min(u, cost_[as_size(k)]);
            }
        }
        std::replace(u_.begin(), u_.end(), infinite, std::int64_t{0});
        for (std::size_t j = 0; j < v_.size(); ++j) {
            if (begin_[j] == begin_[j + 1]) continue;
            v_[j] = infinite;
            for (index_t k = begin_[j]; k < begin_[j + 1]; ++k)
                v_[j] = std::min(v_[j], cost_[as_size(k)] - u_[as_size(row_[as_size(k)])]);
            count(3 * (begin_[j + 1] - begin_[j]));
            for (index_t k = begin_[j]; k < begin_[j + 1]; ++k)
                if (reduced(k, j) == 0 && m_.column_of_row[as_size(row_[as_size(k)])] < 0) {
                    match(row_[as_size(k)], static_cast<column_t>(j));
                    ++m_.size;
                    break;
                }
        }
    }

    std::int64_t reduced(index_t k, std::size_t j) const
    {
        return cost_[as_size(k)] - u_[as_size(row_[as_size(k)])] - v_[j];
    }

    void match(column_t i, column_t j)
    {
        m_.row_of_column[as_size(j)] = i;
        m_.column_of_row[as_size(i)] = j;
    }

    /// Dijkstra's algorithm from column j0 to the nearest free row.
    void augment_from(column_t j0)
    {
        std::int64_t length = 0, shortest = infinite;
        column_t end = -1, j = j0;
        bound_ = infinite;
        touched_.clear();
        final_.clear();
        queue waiting;
        while (goes_on()) {
            look_at(j, length, waiting);
            column_t next = -1;
            while (next < 0 && !waiting.empty()) {
                const column_t i = waiting.top().second;
                waiting.pop();
                ++m_.operations;
                count_work(10);
                if (settled_[as_size(i)] == 0) next = i;
            }
            if (next < 0) break;
            length = distance_[as_size(next)];
            if (m_.column_of_row[as_size(next)] < 0) {
                end = next;
                shortest = length;
                break;
            }
            settled_[as_size(next)] = 1;
            final_.push_back(next);
            j = m_.column_of_row[as_size(next)];
        }
        if (end >= 0) {
            take_path(j0, end, shortest);
            for (const column_t i : final_) settled_[as_size(i)] = 0;
        } else {
            remember_dead_end(j0);
        }
        for (const column_t i : touched_) distance_[as_size(i)] = infinite;
    }

    using queue =
        std::priority_queue<std::pair<std::int64_t, column_t>,
                            std::vector<std::pair<std::int64_t, column_t>>, std::greater<>>;

    /// Rows farther than the nearest free one so far are not worth waiting for.
    void look_at(column_t j, std::int64_t length, queue& waiting)
    {
        count(begin_[as_size(j) + 1] - begin_[as_size(j)]);
        for (index_t k = begin_[as_size(j)]; k < begin_[as_size(j) + 1]; ++k) {
            const column_t i = row_[as_size(k)];
            const std::int64_t d = length + reduced(k, as_size(j));
            if (settled_[as_size(i)] != 0 || d >= distance_[as_size(i)] || d > bound_) continue;
            if (distance_[as_size(i)] == infinite) touched_.push_back(i);
            if (m_.column_of_row[as_size(i)] < 0) bound_ = d;
            distance_[as_size(i)] = d;
            from_[as_size(i)] = j;
            waiting.push({d, i});
        }
    }

    void take_path(column_t j0, column_t end, std::int64_t shortest)
    {
        for (const column_t i : final_) {
            v_[as_size(m_.column_of_row[as_size(i)])] += shortest - distance_[as_size(i)];
            u_[as_size(i)] -= shortest - distance_[as_size(i)];
        }
        v_[as_size(j0)] += shortest;
        for (column_t i = end, j = -1; j != j0;) {
            j = from_[as_size(i)];
            const column_t before = m_.row_of_column[as_size(j)];
            match(i, j);
            i = before;
        }
        ++m_.size;
    }

    /// No later path leads through the rows of this search: they stay settled.
    void remember_dead_end(column_t j0)
    {
        if (dead_ends_ == 0) {
            dead_row_.assign(u_.size(), 0);
            dead_column_.assign(v_.size(), 0);
        }
        ++dead_ends_;
        dead_column_[as_size(j0)] = dead_ends_;
        for (const column_t i : final_) {
            dead_row_[as_size(i)] = dead_ends_;
            dead_column_[as_size(m_.column_of_row[as_size(i)])] = dead_ends_;
        }
    }

    /// Later searches raise duals of columns and pass over rows of dead ends, whose reduced costs
    /// may become negative.  A lift of u of these rows by -s, and of v of their columns by s, makes
    /// up for it.  Columns of a dead end have entries in rows of it and of earlier ones only: so
    /// the lifts are found from the last dead end to the first.
    void lift_dead_ends()
    {
        if (dead_ends_ == 0) return;
        std::vector<std::vector<column_t>> columns(as_size(dead_ends_) + 1);
        for (std::size_t j = 0; j < v_.size(); ++j)
            columns[as_size(dead_column_[j])].push_back(static_cast<column_t>(j));
        std::vector<std::int64_t> lift(columns.size(), 0);
        const auto look_at_columns = [&](std::size_t end) {
            for (const column_t j : columns[end]) {
                count_work(10 * (begin_[as_size(j) + 1] - begin_[as_size(j)]));
                for (index_t k = begin_[as_size(j)]; k < begin_[as_size(j) + 1]; ++k) {
                    const auto of_row = as_size(dead_row_[as_size(row_[as_size(k)])]);
                    if (of_row != end && of_row != 0)
                        lift[of_row] = std::max(lift[of_row], lift[end] - reduced(k, as_size(j)));
                }
            }
        };
        look_at_columns(0);  // those of no dead end
        for (std::size_t end = as_size(dead_ends_); end > 0; --end) look_at_columns(end);
        for (std::size_t i = 0; i < u_.size(); ++i) u_[i] -= lift[as_size(dead_row_[i])];
        for (std::size_t j = 0; j < v_.size(); ++j) v_[j] += lift[as_size(dead_column_[j])];
    }

    const double most_operations_;
    const std::vector<index_t>& begin_;
    const std::vector<column_t>& row_;
    std::vector<std::int64_t> cost_, u_, v_, most_, distance_;
    std::vector<column_t> from_;
    std::vector<char> settled_;
    // Searches that found no free row, from 1; 0: rows and columns of none.
    column_t dead_ends_ = 0;
    std::vector<column_t> dead_row_, dead_column_;
    // Of one search:
    std::vector<column_t> touched_, final_;  ///< rows that have a distance, that keep it
    std::int64_t bound_ = infinite;          ///< the distance of the nearest free row so far
    matching m_;
};

}  // namespace

std::vector<column_t> matching::free_rows() const
{
    return unmatched(column_of_row);
}

std::vector<column_t> matching::free_columns() const
{
    return unmatched(row_of_column);
}

std::vector<column_t> matching::completed() const
{
    std::vector<column_t> all = row_of_column;
    const std::vector<column_t> rows = free_rows(), columns = free_columns();
    for (std::size_t k = 0; k < columns.size(); ++k) all[as_size(columns[k])] = rows[k];
    return all;
}

matching largest_product(index_t rows, index_t columns, const std::vector<index_t>& begin,
                         const std::vector<column_t>& row,
                         const std::vector<std::int64_t>& log_magnitude, double most_operations)
{
    return augmenting_paths(rows, columns, begin, row, log_magnitude, most_operations).run();
}

}  // namespace ddla::factor
