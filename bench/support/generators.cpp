#include "generators.hpp"

#include "row_builder.hpp"

#include <numeric>

namespace bench {

namespace {

/// `length` different columns, each set of them as likely as any other, in ascending order.
void draw_columns(std::vector<index_t>& to, index_t columns, index_t length, random_numbers& bits)
{
    to.clear();
    if (columns <= 4 * length) {
        // Selection sampling: Knuth, The Art of Computer Programming 2, Algorithm 3.4.2 S.
        for (index_t j = 0, left = length; left > 0; ++j)
            if (bits.below(columns - j) < left) to.push_back(j), --left;
        return;
    }
    while (static_cast<index_t>(to.size()) < length) {
        for (auto k = static_cast<index_t>(to.size()); k < length; ++k)
            to.push_back(bits.below(columns));
        std::sort(to.begin(), to.end());
        to.erase(std::unique(to.begin(), to.end()), to.end());
    }
}

void add_random_row(row_builder& a, index_t columns, index_t length, random_numbers& bits,
                    std::vector<index_t>& drawn)
{
    draw_columns(drawn, columns, length, bits);
    for (const index_t j : drawn) a.add(j, bits.symmetric());
    a.end_row();
}

/// Three in four within 200 of the diagonal, a few anywhere.
index_t column_of_circuit(const circuit& c, index_t i, random_numbers& bits)
{
    const index_t kind = bits.below(16);
    if (c.hubs > 0 && kind == 0) return bits.below(c.hubs) * (c.n / c.hubs);
    if (kind == 1) return bits.below(c.n);
    const index_t reach = kind < 4 ? 20000 : 200;
    return std::clamp<index_t>(i + bits.below(2 * reach + 1) - reach, 0, c.n - 1);
}

void add_circuit_row(row_builder& a, const circuit& c, index_t i, random_numbers& bits,
                     std::vector<index_t>& columns)
{
    columns.assign({i});
    for (index_t k = bits.below(5) + 1; k > 0; --k)
        columns.push_back(column_of_circuit(c, i, bits));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const index_t j : columns) a.add(j, bits.symmetric());
    a.end_row();
}

/// The quadrants of a recursive graph, in 65536ths: 0.57, 0.19, 0.19, 0.05.
constexpr std::uint64_t upper_left = 37356, upper = upper_left + 12452, but_last = upper + 12452;

struct edge {
    std::uint32_t from, to;
};

edge random_edge(int scale, random_numbers& bits)
{
    edge e{0, 0};
    std::uint64_t word = 0;
    for (int level = 0; level < scale; ++level) {
        word = level % 4 == 0 ? bits.next() : word >> 16;
        const std::uint64_t u = word & 0xffff;
        e.from = 2 * e.from + (u >= upper);
        e.to = 2 * e.to + ((u >= upper_left && u < upper) || u >= but_last);
    }
    return e;
}

/// Columns of the edges, bucketed by row.
struct buckets {
    std::vector<index_t> begin;
    std::vector<std::uint32_t> column;
};

buckets by_rows(std::size_t rows, const std::vector<edge>& edges)
{
    buckets b{std::vector<index_t>(rows + 1), std::vector<std::uint32_t>(edges.size())};
    for (const edge& e : edges) ++b.begin[e.from + 1];
    std::partial_sum(b.begin.begin(), b.begin.end(), b.begin.begin());
    std::vector<index_t> next(b.begin.begin(), b.begin.end() - 1);
    for (const edge& e : edges) b.column[static_cast<std::size_t>(next[e.from]++)] = e.to;
    return b;
}

}  // namespace

csr_matrix<double> banded(index_t n, index_t width)
{
    row_builder a(n, n, n * width);
    random_numbers bits(21);
    for (index_t i = 0; i < n; ++i) {
        const index_t from = std::max<index_t>(0, i - width / 2);
        for (index_t j = from; j <= std::min(n - 1, i + width / 2); ++j) a.add(j, bits.symmetric());
        a.end_row();
    }
    return a.finish();
}

csr_matrix<double> circuit_like(const circuit& c)
{
    row_builder a(c.n, c.n, 4 * c.n + c.dense_rows * c.dense_length);
    random_numbers bits(22);
    std::vector<index_t> columns;
    const index_t period = c.n / c.dense_rows;
    for (index_t i = 0; i < c.n; ++i)
        if (i % period == period / 2)
            add_random_row(a, c.n, c.dense_length, bits, columns);
        else
            add_circuit_row(a, c, i, bits, columns);
    return a.finish();
}

csr_matrix<double> random_rows(index_t rows, index_t columns,
                               const std::function<index_t(index_t)>& length)
{
    index_t entries = 0;
    for (index_t i = 0; i < rows; ++i) entries += length(i);
    row_builder a(rows, columns, entries);
    random_numbers bits(23);
    std::vector<index_t> drawn;
    for (index_t i = 0; i < rows; ++i) add_random_row(a, columns, length(i), bits, drawn);
    return a.finish();
}

csr_matrix<double> recursive_graph(int scale, index_t edges, bool scattered)
{
    const std::size_t n = std::size_t{1} << scale;
    random_numbers bits(24);
    std::vector<edge> all(n * static_cast<std::size_t>(edges));
    const auto last = static_cast<std::uint32_t>(n - 1);
    const std::uint32_t odd = scattered ? 0x9e3779b1u : 1u;  // times it, modulo n: a permutation
    for (edge& e : all) {
        e = random_edge(scale, bits);
        e = {e.from * odd & last, e.to * odd & last};
    }
    buckets b = by_rows(n, all);
    row_builder a(static_cast<index_t>(n), static_cast<index_t>(n),
                  static_cast<index_t>(all.size()));
    for (std::size_t i = 0; i < n; ++i) {
        const auto from = b.column.begin() + b.begin[i], to = b.column.begin() + b.begin[i + 1];
        std::sort(from, to);
        std::for_each(from, std::unique(from, to),
                      [&](std::uint32_t j) { a.add(j, bits.symmetric()); });
        a.end_row();
    }
    return a.finish();
}

csr_matrix<double> replicated(const csr_matrix<double>& a, index_t copies)
{
    const ddla::csr<double> v = a.view();
    row_builder all(copies * v.rows, copies * v.columns, copies * a.nonzeros());
    for (index_t copy = 0; copy < copies; ++copy) {
        const double factor = 1 + static_cast<double>(copy) / 1024;
        for (index_t i = 0; i < v.rows; ++i) {
            for (index_t k = v.row_begin[i]; k < v.row_begin[i + 1]; ++k)
                all.add(copy * v.columns + v.column[k], factor * v.value.get(k));
            all.end_row();
        }
    }
    return all.finish();
}

}  // namespace bench
