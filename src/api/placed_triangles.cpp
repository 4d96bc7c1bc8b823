#include "placed_triangles.hpp"

#include "place_of.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace ddla::api {

namespace {

using factor::at;

/// Threads for a row of a packet: one an entry, of a warp at most.
int lanes_for(index_t length)
{
    int lanes = 1;
    while (lanes < length && lanes < 32) lanes *= 2;
    return lanes;
}

/// The rows of some triangles in the order of solving.
template <scalar F>
class row_list {
public:
    explicit row_list(const triangle_chain<F>& of)
        : n_(of.links.front().triangle->rows()), pivot(n_ * static_cast<index_t>(of.links.size())),
          value(entries_of(of))
    {
        if (pivot.size() >= std::numeric_limits<column_t>::max())
            throw resource_error("triangular solves: " + std::to_string(pivot.size()) +
                                 " unknowns, 2147483646 at most");
        column.reserve(at(value.size()));
        index_t first = 0;
        for (const auto& link : of.links) {
            add(*link.triangle, *link.levels, first);
            first += n_;
        }
        level.push_back({static_cast<column_t>(unknown.size()), 0});
    }

private:
    index_t n_;

public:
    std::vector<row_packet> packet;
    std::vector<row_level> level;
    std::vector<index_t> row_begin = {0};
    std::vector<column_t> unknown, column;
    vector<F> pivot, value;

    /// Numbers unknowns in the order of solving.  Returns for each row the number of its right-hand
    /// side.  Turns `in` and `out` round: elements of r and of z say their unknowns.
    std::vector<column_t> renumber(std::vector<column_t>& in, std::vector<column_t>& out)
    {
        const std::size_t rows = unknown.size(), n = at(n_);
        std::vector<column_t> number(rows), right(rows);
        for (std::size_t k = 0; k < rows; ++k) number[at(unknown[k])] = static_cast<column_t>(k);
        for (column_t& c : column) c = number[at(c)];
        for (std::size_t k = 0; k < rows; ++k)
            right[k] = number[at(unknown[k] < n_ ? unknown[k] : unknown[k] - n_)];
        const std::vector<column_t> element_in = in, element_out = out;
        for (std::size_t u = 0; u < n; ++u) {
            in[at(element_in[u])] = number[u];
            out[at(element_out[u])] = number[rows - n + u];
        }
        return right;
    }

private:
    static index_t entries_of(const triangle_chain<F>& of)
    {
        index_t entries = 0;
        for (const auto& link : of.links) entries += link.triangle->off_diagonal.entries();
        return entries;
    }
    void add(const factor::triangle<F>& t, const factor::level_sets& levels, index_t first)
    {
        const factor::sparse_rows<F>& a = t.off_diagonal;
        for (index_t l = 0; l < levels.levels(); ++l) {
            std::vector<column_t> rows(levels.row.begin() + levels.begin[at(l)],
                                       levels.row.begin() + levels.begin[at(l) + 1]);
            std::stable_sort(rows.begin(), rows.end(),
                             [&](column_t i, column_t j) { return a.length(i) < a.length(j); });
            level.push_back({static_cast<column_t>(unknown.size()), !t.has_unit_diagonal()});
            bool is_open = false;
            for (const column_t i : rows) {
                const int lanes = lanes_for(a.length(i));
                is_open = is_open && packet.back().lanes == lanes &&
                          (packet.back().rows + 1) * lanes <= 32;
                if (!is_open) open_packet(lanes, !t.has_unit_diagonal());
                is_open = true;
                ++packet.back().rows;
                add_row(t, i, first);
            }
        }
    }
    void open_packet(int lanes, bool divides)
    {
        packet.push_back(
            {static_cast<column_t>(unknown.size()), 0, static_cast<std::uint8_t>(lanes), divides});
    }
    void add_row(const factor::triangle<F>& t, column_t i, index_t first)
    {
        const factor::sparse_rows<F>& a = t.off_diagonal;
        pivot.set(static_cast<index_t>(unknown.size()),
                  t.has_unit_diagonal() ? F(1) : t.pivot.get(i));
        unknown.push_back(static_cast<column_t>(first + i));
        for (index_t k = a.begin[at(i)]; k < a.begin[at(i) + 1]; ++k) {
            value.set(static_cast<index_t>(column.size()), a.value.get(k));
            column.push_back(static_cast<column_t>(first + a.column[at(k)]));
        }
        row_begin.push_back(static_cast<index_t>(column.size()));
    }
};

template <class X>
buffer placed(const std::vector<X>& all, place where)
{
    buffer there(all.size() * sizeof(X), where);
    copy_bytes(there.data(), where, all.data(), host, there.bytes());
    return there;
}
template <class X>
buffer placed(const std::vector<X>* all, place where)
{
    return all ? placed(*all, where) : buffer(0, where);
}

template <class X>
const X* data_of(const buffer& b)
{
    return b.bytes() > 0 ? static_cast<const X*>(b.data()) : nullptr;
}

}  // namespace

template <scalar F>
placed_triangles<F>::placed_triangles(const triangle_chain<F>& of, place where)
    : n_(of.links.front().triangle->rows())
{
    row_list<F> rows(of);
    std::vector<column_t> in = of.in, out = of.out;
    if (where.is_host())
        right_ = placed(rows.renumber(in, out), where);
    else
        unknown_ = placed(rows.unknown, where);
    unknowns_ = rows.pivot.size();
    packets_ = static_cast<index_t>(rows.packet.size());
    packet_ = placed(rows.packet, where);
    levels_ = static_cast<index_t>(rows.level.size()) - 1;
    level_ = placed(where.is_host() ? &rows.level : nullptr, where);
    row_begin_ = placed(rows.row_begin, where);
    column_ = placed(rows.column, where);
    in_ = placed(in, where);
    out_ = placed(out, where);
    scale_in_ = placed(of.scale_in, where);
    scale_out_ = placed(of.scale_out, where);
    pivot_ = rows.pivot.to(where);
    value_ = rows.value.to(where);
}

template <scalar F>
triangle_list<F> placed_triangles<F>::view() const
{
    return view_of<F>(pivot_.view(), value_.view());
}

template <scalar F>
triangle_list<double> placed_triangles<F>::view_in_double() const
{
    const auto high = [](const vector<F>& x) {
        return vec<const double>(x.word(0).data(), x.size());
    };
    return view_of<double>(high(pivot_), high(value_));
}

template <scalar F>
template <scalar G>
triangle_list<G> placed_triangles<F>::view_of(vec<const G> pivot, vec<const G> value) const
{
    return {.n = n_,
            .unknowns = unknowns_,
            .packets = packets_,
            .packet = data_of<row_packet>(packet_),
            .levels = levels_,
            .level = data_of<row_level>(level_),
            .row_begin = data_of<index_t>(row_begin_),
            .unknown = data_of<column_t>(unknown_),
            .right = data_of<column_t>(right_),
            .pivot = pivot,
            .column = data_of<column_t>(column_),
            .value = value,
            .in = data_of<column_t>(in_),
            .out = data_of<column_t>(out_),
            .scale_in = data_of<int>(scale_in_),
            .scale_out = data_of<int>(scale_out_)};
}

template <scalar F>
std::size_t placed_triangles<F>::bytes() const
{
    std::size_t bytes = static_cast<std::size_t>(pivot_.size() + value_.size()) * sizeof(F);
    for (const buffer* b : {&packet_, &level_, &row_begin_, &unknown_, &right_, &column_, &in_,
                            &out_, &scale_in_, &scale_out_})
        bytes += b->bytes();
    return bytes;
}

template <scalar T, scalar F>
std::unique_ptr<bound_map<T>> triangular_map<T, F>::on(engine& here) const
{
    return here.triangles<T>().solver(of_->view());
}

namespace {

/// The triangles, and what bindings for vectors of T allocate that compute in so many words.
template <scalar T, scalar F>
std::size_t bytes_with_bindings(const placed_triangles<F>& of, int words)
{
    const std::size_t bindings = of.where().is_host() ? 1 : 2;
    const std::size_t of_unknown =
        engine_at(of.where()).template triangles<T>().bytes_of_unknown(words);
    return of.bytes() + bindings * of_unknown * static_cast<std::size_t>(of.view().unknowns);
}

}  // namespace

template <scalar T, scalar F>
std::size_t triangular_map<T, F>::bytes() const
{
    return bytes_with_bindings<T>(*of_, words_of<steps::wider<T, F>>);
}

template <scalar F>
std::unique_ptr<bound_map<double>> triangular_map_in_double<F>::on(engine& here) const
{
    return here.triangles<double>().solver(of_->view_in_double());
}

template <scalar F>
std::size_t triangular_map_in_double<F>::bytes() const
{
    return bytes_with_bindings<double>(*of_, 1);
}

template class placed_triangles<double>;
template class placed_triangles<dd_real>;
template class triangular_map<double, double>;
template class triangular_map<double, dd_real>;
template class triangular_map<dd_real, double>;
template class triangular_map<dd_real, dd_real>;
template class triangular_map_in_double<double>;
template class triangular_map_in_double<dd_real>;

}  // namespace ddla::api
