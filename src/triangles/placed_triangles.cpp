#include "placed_triangles.hpp"

#include "calls/host_chunks.hpp"
#include "calls/place_of.hpp"
#include "level_spans.hpp"
#include "solving_order.hpp"

#include "ddla/error.hpp"
#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace ddla::api {

namespace {

buffer placed(buffer here, place where)
{
    if (where.is_host()) return here;
    buffer there(here.bytes(), where);
    copy_bytes(there.data(), where, here.data(), host, here.bytes());
    return there;
}
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

template <scalar F>
index_t entries_of(const triangle_chain<F>& chain)
{
    index_t entries = 0;
    for (const auto& link : chain.links) entries += link.triangle->off_diagonal.entries();
    return entries;
}

template <scalar F>
solving_order order_of(const triangle_chain<F>& chain, const factor::chunk_runner& run)
{
    const index_t n = chain.links.front().triangle->rows();
    const auto triangles = static_cast<index_t>(chain.links.size());
    if (n * triangles >= std::numeric_limits<column_t>::max())
        throw resource_error("triangular solves: " + std::to_string(n * triangles) +
                             " unknowns, 2147483646 at most");
    solving_order order(n, triangles, run);
    for (const auto& link : chain.links) order.add(*link.triangle, *link.levels);
    order.end();
    return order;
}

/// f(begin, end) for parts of 0, ..., n - 1, which have `work` elements and entries in all; a watch
/// is asked between pieces of them.
template <class F>
void watched_parts(const factor::chunk_runner& run, index_t n, index_t work, const F& f)
{
    const index_t pieces = work / operations_between_looks + 1, piece = (n + pieces - 1) / pieces;
    for (index_t from = 0; from < n; from += piece) {
        const index_t size = std::min(piece, n - from);
        count_work(operations_between_looks);
        run.parts(size, [&](index_t begin, index_t end) { f(from + begin, from + end); });
    }
}

/// Rows of a level lie apart.
constexpr index_t rows_ahead = 16;
template <scalar F>
void prefetch(const triangle_chain<F>& chain, const column_t* unknown, index_t k, index_t end)
{
    if (k >= end) return;
    const index_t n = chain.links.front().triangle->rows(), which = k / n;
    const factor::sparse_rows<F>& a = chain.links[as_size(which)].triangle->off_diagonal;
    const index_t first = a.begin[as_size(unknown[k] - which * n)];
    __builtin_prefetch(a.column.data() + first);
    for (int w = 0; w < words_of<F>; ++w) __builtin_prefetch(a.value.view().word(w) + first);
}

/// The rows of an order: entries, pivots.  `number`: of the unknowns, or null.
template <scalar F>
void fill_rows(const triangle_chain<F>& chain, const solving_order& order, const column_t* number,
               const factor::chunk_runner& run, column_t* column, vec<F> value, vec<F> pivot)
{
    const index_t n = chain.links.front().triangle->rows();
    watched_parts(run, pivot.size, pivot.size + value.size, [&](index_t begin, index_t end) {
        for (index_t k = begin; k < end; ++k) {
            const index_t which = k / n, first = which * n;
            const factor::triangle<F>& t = *chain.links[as_size(which)].triangle;
            const factor::sparse_rows<F>& a = t.off_diagonal;
            const index_t i = order.unknown()[k] - first;
            prefetch(chain, order.unknown(), k + rows_ahead, end);
            pivot.set(k, t.has_unit_diagonal() ? F(1) : t.pivot.get(i));
            index_t to = order.row_begin()[k];
            for (index_t e = a.begin[as_size(i)]; e < a.begin[as_size(i) + 1]; ++e, ++to) {
                const index_t c = first + a.column[as_size(e)];
                column[to] = number ? number[c] : static_cast<column_t>(c);
                value.set(to, a.value.get(e));
            }
        }
    });
}

/// Of elements of a vector of[u] for unknowns u: the number of its unknown for each element.
buffer turned_round(const std::vector<column_t>& of, const column_t* number,
                    const factor::chunk_runner& run)
{
    const auto n = static_cast<index_t>(of.size());
    buffer turned = room_for<column_t>(n);
    column_t* const to = data_of<column_t>(turned);
    watched_parts(run, n, n, [&](index_t begin, index_t end) {
        for (index_t u = begin; u < end; ++u) to[of[as_size(u)]] = number[u];
    });
    return turned;
}

/// The unknown on the right-hand side of each row, all numbered.
buffer right_of(const solving_order& order, const column_t* number, index_t n,
                const factor::chunk_runner& run)
{
    buffer right = room_for<column_t>(order.rows());
    column_t* const to = data_of<column_t>(right);
    watched_parts(run, order.rows(), order.rows(), [&](index_t begin, index_t end) {
        for (index_t k = begin; k < end; ++k) {
            const column_t u = order.unknown()[k];
            to[k] = number[u < n ? u : u - n];
        }
    });
    return right;
}

}  // namespace

template <scalar F>
placed_triangles<F>::placed_triangles(const triangle_chain<F>& chain, place where)
    : n_(chain.links.front().triangle->rows())
{
    const factor::chunk_runner run = host_chunks();
    solving_order order = order_of(chain, run);
    unknowns_ = order.rows();
    entries_ = entries_of(chain);
    buffer numbers;
    if (where.is_host()) {
        numbers = order.row_of_unknowns();
        const auto* const number = data_of<const column_t>(numbers);
        right_ = right_of(order, number, n_, run);
        in_ = turned_round(chain.in, number, run);
        out_ = turned_round(chain.out, number + unknowns_ - n_, run);
    } else {
        in_ = placed(chain.in, where);
        out_ = placed(chain.out, where);
    }
    buffer column = room_for<column_t>(entries_), value = room_for<F>(entries_),
           pivot = room_for<F>(unknowns_);
    fill_rows(chain, order, data_of<const column_t>(numbers), run, data_of<column_t>(column),
              vec<F>::in_memory(data_of<double>(value), entries_),
              vec<F>::in_memory(data_of<double>(pivot), unknowns_));
    if (!where.is_host()) {
        spans_ = spans_of(order);
        name_kept_rows(order, spans_, run, data_of<column_t>(column));
    }
    column_ = placed(std::move(column), where);
    value_ = placed(std::move(value), where);
    pivot_ = placed(std::move(pivot), where);
    packets_ = static_cast<index_t>(order.packet.size());
    packet_ = placed(order.packet, where);
    levels_ = static_cast<index_t>(order.level.size()) - 1;
    level_ = placed(where.is_host() ? &order.level : nullptr, where);
    row_begin_ = placed(order.take_row_begin(), where);
    if (!where.is_host()) unknown_ = placed(order.take_unknown(), where);
    scale_in_ = placed(chain.scale_in, where);
    scale_out_ = placed(chain.scale_out, where);
}

template <scalar F>
triangle_list<F> placed_triangles<F>::view() const
{
    return view_of<F>(vec<const F>::in_memory(data_of<double>(pivot_), unknowns_),
                      vec<const F>::in_memory(data_of<double>(value_), entries_));
}

template <scalar F>
triangle_list<double> placed_triangles<F>::view_in_double() const
{
    return view_of<double>(vec<const double>(data_of<double>(pivot_), unknowns_),
                           vec<const double>(data_of<double>(value_), entries_));
}

template <scalar F>
template <scalar G>
triangle_list<G> placed_triangles<F>::view_of(vec<const G> pivot, vec<const G> value) const
{
    return {.n = n_,
            .unknowns = unknowns_,
            .packets = packets_,
            .packet = data_of<const row_packet>(packet_),
            .levels = levels_,
            .level = data_of<const row_level>(level_),
            .spans = static_cast<index_t>(spans_.size()),
            .span = spans_.data(),
            .row_begin = data_of<const index_t>(row_begin_),
            .unknown = data_of<const column_t>(unknown_),
            .right = data_of<const column_t>(right_),
            .pivot = pivot,
            .column = data_of<const column_t>(column_),
            .value = value,
            .in = data_of<const column_t>(in_),
            .out = data_of<const column_t>(out_),
            .scale_in = data_of<const int>(scale_in_),
            .scale_out = data_of<const int>(scale_out_)};
}

template <scalar F>
std::size_t placed_triangles<F>::bytes() const
{
    std::size_t bytes = 0;
    for (const buffer* b : {&packet_, &level_, &row_begin_, &unknown_, &right_, &column_, &in_,
                            &out_, &scale_in_, &scale_out_, &pivot_, &value_})
        bytes += b->bytes();
    return bytes;
}

template <scalar T, scalar F>
std::unique_ptr<bound_map<T>> triangular_map<T, F>::bind(engine& here) const
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
std::unique_ptr<bound_map<double>> triangular_map_in_double<F>::bind(engine& here) const
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
