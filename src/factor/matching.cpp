// Shortest augmenting paths over integer costs.
#include "matching.hpp"

#include <queue>

namespace ddla::factor {

std::int64_t log2_fixed(double x)
{
    constexpr int fraction_bits = 24;
    int exponent;
    const double mantissa = std::frexp(std::fabs(x), &exponent);    // in [1/2, 1)
    auto m = static_cast<std::uint64_t>(std::ldexp(mantissa, 32));  // in [2^31, 2^32): 1 is 2^31
    std::int64_t log = exponent - 1;
    for (int bit = 0; bit < fraction_bits; ++bit) {
        m = (m * m) >> 31;
        const bool two = m >= std::uint64_t{1} << 32;
        if (two) m >>= 1;
        log = log * 2 + two;
    }
    return log;
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
                     const std::vector<column_t>& row, const std::vector<std::int64_t>& log)
        : begin_(begin), row_(row), cost_(log.size()), u_(at(rows), infinite), v_(at(columns), 0),
          distance_(at(rows), infinite), from_(at(rows), -1), settled_(at(rows), 0)
    {
        m_.row_of_column.assign(at(columns), -1);
        m_.column_of_row.assign(at(rows), -1);
        for (std::size_t j = 0; j < v_.size(); ++j) set_costs(j, log);
    }

    matching run()
    {
        start();
        for (std::size_t j = 0; j < v_.size(); ++j)
            if (m_.row_of_column[j] < 0) augment_from(static_cast<column_t>(j));
        return std::move(m_);
    }

private:
    void set_costs(std::size_t j, const std::vector<std::int64_t>& log)
    {
        std::int64_t most = INT64_MIN;
        for (index_t k = begin_[j]; k < begin_[j + 1]; ++k) most = std::max(most, log[at(k)]);
        for (index_t k = begin_[j]; k < begin_[j + 1]; ++k) cost_[at(k)] = most - log[at(k)];
    }

    /// Duals from the smallest costs, and what they match at once.
    void start()
    {
        for (std::size_t k = 0; k < row_.size(); ++k) {
            std::int64_t& u = u_[at(row_[k])];
            u = std::min(u, cost_[k]);
        }
        std::replace(u_.begin(), u_.end(), infinite, std::int64_t{0});
        for (std::size_t j = 0; j < v_.size(); ++j) {
            if (begin_[j] == begin_[j + 1]) continue;
            v_[j] = infinite;
            for (index_t k = begin_[j]; k < begin_[j + 1]; ++k)
                v_[j] = std::min(v_[j], cost_[at(k)] - u_[at(row_[at(k)])]);
            for (index_t k = begin_[j]; k < begin_[j + 1]; ++k)
                if (reduced(k, j) == 0 && m_.column_of_row[at(row_[at(k)])] < 0) {
                    match(row_[at(k)], static_cast<column_t>(j));
                    ++m_.size;
                    break;
                }
        }
    }

    std::int64_t reduced(index_t k, std::size_t j) const
    {
        return cost_[at(k)] - u_[at(row_[at(k)])] - v_[j];
    }

    void match(column_t i, column_t j)
    {
        m_.row_of_column[at(j)] = i;
        m_.column_of_row[at(i)] = j;
    }

    /// Dijkstra's algorithm from column j0 to the nearest free row.
    void augment_from(column_t j0)
    {
        std::vector<column_t> touched, final;
        queue waiting;
        std::int64_t length = 0, shortest = infinite;
        column_t end = -1, j = j0;
        for (;;) {
            look_at(j, length, waiting, touched);
            column_t next = -1;
            while (next < 0 && !waiting.empty()) {
                const column_t i = waiting.top().second;
                waiting.pop();
                if (settled_[at(i)] == 0) next = i;
            }
            if (next < 0) break;
            length = distance_[at(next)];
            if (m_.column_of_row[at(next)] < 0) {
                end = next;
                shortest = length;
                break;
            }
            settled_[at(next)] = 1;
            final.push_back(next);
            j = m_.column_of_row[at(next)];
        }
        if (end >= 0) take_path(j0, end, shortest, final);
        for (const column_t i : touched) {
            distance_[at(i)] = infinite;
            settled_[at(i)] = 0;
        }
    }

    using queue =
        std::priority_queue<std::pair<std::int64_t, column_t>,
                            std::vector<std::pair<std::int64_t, column_t>>, std::greater<>>;

    void look_at(column_t j, std::int64_t length, queue& waiting, std::vector<column_t>& touched)
    {
        for (index_t k = begin_[at(j)]; k < begin_[at(j) + 1]; ++k) {
            const column_t i = row_[at(k)];
            const std::int64_t d = length + reduced(k, at(j));
            if (settled_[at(i)] != 0 || d >= distance_[at(i)]) continue;
            if (distance_[at(i)] == infinite) touched.push_back(i);
            distance_[at(i)] = d;
            from_[at(i)] = j;
            waiting.push({d, i});
        }
    }

    void take_path(column_t j0, column_t end, std::int64_t shortest,
                   const std::vector<column_t>& final)
    {
        for (const column_t i : final) {
            v_[at(m_.column_of_row[at(i)])] += shortest - distance_[at(i)];
            u_[at(i)] -= shortest - distance_[at(i)];
        }
        v_[at(j0)] += shortest;
        for (column_t i = end, j = -1; j != j0;) {
            j = from_[at(i)];
            const column_t before = m_.row_of_column[at(j)];
            match(i, j);
            i = before;
        }
        ++m_.size;
    }

    const std::vector<index_t>& begin_;
    const std::vector<column_t>& row_;
    std::vector<std::int64_t> cost_, u_, v_, distance_;
    std::vector<column_t> from_;
    std::vector<char> settled_;
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
    for (std::size_t k = 0; k < columns.size(); ++k) all[at(columns[k])] = rows[k];
    return all;
}

matching largest_product(index_t rows, index_t columns, const std::vector<index_t>& begin,
                         const std::vector<column_t>& row,
                         const std::vector<std::int64_t>& log_magnitude)
{
    return augmenting_paths(rows, columns, begin, row, log_magnitude).run();
}

}  // namespace ddla::factor
