#include "make_preconditioner.hpp"

#include "ddla/fp_mode.hpp"

#include "block_diagonal.hpp"
#include "calls/at_host.hpp"
#include "calls/host_chunks.hpp"
#include "calls/place_of.hpp"
#include "factor/lu/joined_blocks.hpp"
#include "lu_preconditioner.hpp"
#include "refine/factor_stages.hpp"

#include "ddla/text.hpp"
#include "ddla/watched_scope.hpp"

#include <cmath>
#include <cstdio>

namespace ddla {

using namespace api;

namespace {

/// The diagonal entry of a row; 0 if none is stored.
template <scalar V>
double diagonal_of(const csr<V>& a, index_t row)
{
    for (index_t k = a.row_begin[row]; k < a.row_begin[row + 1]; ++k)
        if (a.column[k] == row) return word<0>(a.value.get(k));
    return 0;
}

std::string short_text(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", x);
    return text;
}

template <scalar V>
[[noreturn]] void refuse_ic(const csr<V>& a, const factor::incomplete_report& r, bool may_shift)
{
    const auto text = [](const std::string& what) { return "preconditioner: IC(0) " + what; };
    const std::string otherwise = "take ILU, and a method for any matrix";
    for (index_t i = 0; i < a.rows; ++i)
        if (const double d = diagonal_of(a, i); !(d > 0))
            throw pivot_error(i, false,
                              text("needs a positive definite matrix, but the diagonal entry of "
                                   "row " +
                                   std::to_string(i + 1) + " is " + short_text(d) + "; " +
                                   otherwise));
    const std::string row = std::to_string(r.bad_row + 1);
    if (may_shift)
        throw pivot_error(r.bad_row, true,
                          text("has no pivot in row " + row + ", where elimination leaves " +
                               short_text(r.bad_part) +
                               " of the row's largest entry: A is not positive definite, or too "
                               "little so for factors without fill; bad_pivot::shift makes the "
                               "diagonal larger"));
    throw pivot_error(
        r.bad_row, false,
        text("has no pivot in row " + row + ", nor any with " + short_text(r.diagonal_shift) +
             " times the diagonal added to A, which is far from positive definite; " + otherwise));
}

template <scalar V>
[[noreturn]] void refuse_pivot(const csr<V>& a, const factor::incomplete_report& r,
                               const factor::incomplete_options& o)
{
    const bool may_shift = o.pivots == bad_pivot::refuse;
    if (o.kind == factor::incomplete_kind::ic) refuse_ic(a, r, may_shift);
    const std::string size =
        r.bad_part == 0 ? "zero"
                        : short_text(std::fabs(r.bad_part)) + " of the row's largest entry";
    throw pivot_error(r.bad_row, may_shift,
                      "preconditioner: the pivot of " + title_of(o) + " in row " +
                          std::to_string(r.bad_row + 1) + " is " + size +
                          "; bad_pivot::shift makes it larger and goes on");
}

/// `bytes`: which option the bytes of `o` are from.
template <scalar V>
[[noreturn]] void refuse(const csr<V>& a, const factor::incomplete_report& r,
                         const factor::incomplete_options& o, limit_kind bytes)
{
    const std::string name = title_of(o);
    switch (r.end) {
    case factor::factor_end::bad_pivot:
        refuse_pivot(a, r, o);
    case factor::factor_end::not_finite:
        throw input_error("preconditioner: the numbers of " + name + " pass the range of double");
    case factor::factor_end::over_work:
        throw limit_error(limit_kind::work, "preconditioner: " + name + " takes more than " +
                                                to_string(dd_real(o.most_operations), 4) +
                                                " multiplications with a subtraction (most_work)");
    default:
        throw limit_error(bytes, "preconditioner: " + name + " takes more than " +
                                     std::to_string(o.most_bytes) + " bytes (most_" +
                                     to_string(bytes) + ")");
    }
}

build_report incomplete_build_of(const factor::incomplete_report& r)
{
    build_report built = build_report_of(r, r.nonzeros);
    built.shifts = r.shifts;
    built.bad_row = r.bad_row;
    return built;
}

template <scalar T, scalar F, scalar V>
std::optional<preconditioner<T>> incomplete_in(preconditioning kind, const csr<V>& a, place where,
                                               const preconditioner_options& options,
                                               const std::function<bool(double)>& watch)
{
    const rows_at_host<V> rows(a, where);
    factor::incomplete_options o = incomplete_options_of(kind, options, words_of<F>);
    constexpr double bytes_of_entry = sizeof(F) + sizeof(column_t);
    const double most = options.most_fill * static_cast<double>(a.nonzeros()) * bytes_of_entry;
    const bool fills = most < static_cast<double>(o.most_bytes);
    if (fills) o.most_bytes = static_cast<std::int64_t>(most);
    o.watch = watch;
    o.run = host_chunks();
    const auto made = factor::incomplete_factors<F>::make(rows.view(), o);
    if (made.about().end == factor::factor_end::stopped) return {};
    if (made.about().end != factor::factor_end::complete)
        refuse(rows.view(), made.about(), o, fills ? limit_kind::fill : limit_kind::memory);
    std::optional<preconditioner<T>> k;
    const auto goes_on = [&] { return !watch || watch(1); };
    const bool is_whole = completed(goes_on, [&] {
        k = applying<T>(std::string(to_string(kind)), where, made.triangles(),
                        incomplete_build_of(made.about()));
    });
    if (!is_whole) return {};
    return k;
}

/// Throws unless the factors of the block that begins at this row are complete.
void require_complete(const factor::report& r, index_t first)
{
    if (r.end != factor::factor_end::complete)
        throw input_error("preconditioner: the numbers of the blocks pass the range of double");
    if (r.rank < r.n)
        throw input_error("preconditioner: a block is singular, row " +
                          std::to_string(first + r.pivotless_rows.front() + 1) + " has no pivot");
}

/// Block by block: what is found of one does not depend on the others, which may be on other ranks.
template <scalar T, scalar F, scalar V>
std::optional<preconditioner<T>>
blocks_in(const csr<V>& a, place where, const std::vector<index_t>& begin,
          const preconditioner_options& options, const std::function<bool(double)>& watch,
          index_t first_row)
{
    const rows_at_host<V> rows(a, where);
    check_blocks(begin, a.rows);
    const factorisation_options asked{.ordering = options.ordering,
                                      .scale = options.scale,
                                      .match = options.match,
                                      .most_work = options.most_work,
                                      .most_memory = options.most_memory};
    factor::joined_blocks<F> all;
    for (std::size_t k = 0; k + 1 < begin.size(); ++k) {
        const diagonal_block<V> block(rows.view(), begin[k], begin[k + 1]);
        factorisation_options left = asked;
        left.most_work -= all.about().operations / 1e9;
        left.most_memory -= all.about().bytes;
        const auto made = refine::factor_in<F>(block.view(), left, [&](double done) {
            const double before = static_cast<double>(begin[k]);
            const double size = static_cast<double>(begin[k + 1] - begin[k]);
            return !watch || watch((before + done * size) / static_cast<double>(a.rows));
        });
        factor::report r = made.about();
        if (r.end == factor::factor_end::stopped) return {};
        r.operations += all.about().operations;
        r.bytes += all.about().bytes;
        if (const auto limit = refine::limit_passed_by(r, asked))
            throw limit->error_of("preconditioner");
        require_complete(r, first_row + begin[k]);
        all.add(made);
    }
    const factor::factors<F> made = std::move(all).all();
    return applying<T>("block_jacobi", where, made, build_report_of(made.about(), a.nonzeros()));
}

bool in_double(const preconditioner_options& o)
{
    return o.factors != factor_precision::in_double_double;
}

}  // namespace

factor::incomplete_options api::incomplete_options_of(preconditioning kind,
                                                      const preconditioner_options& p, int words)
{
    factor::incomplete_options o;
    const bool by_size = kind == preconditioning::ilut;
    o.kind = by_size                       ? factor::incomplete_kind::ilut
             : kind == preconditioning::ic ? factor::incomplete_kind::ic
                                           : factor::incomplete_kind::ilu;
    o.fill = p.fill.value_or(by_size ? 10 : 0);
    o.drop = p.drop;
    o.order = p.ordering;
    o.scale = p.scale;
    o.match = p.match ? factor::match_rows::automatic : factor::match_rows::none;
    o.pivots = p.pivots;
    o.most_operations = p.most_work * 1e9 / (words == 1 ? 1 : refine::work_in_dd);
    o.most_bytes = p.most_memory;
    return o;
}

build_report api::build_report_of(const factorisation_report& r, index_t nonzeros)
{
    return {.seconds = r.seconds,
            .bytes = static_cast<std::size_t>(r.bytes),
            .fill = static_cast<double>(r.entries) /
                    static_cast<double>(std::max<index_t>(nonzeros, 1)),
            .smallest_pivot = r.smallest_pivot,
            .smallest_pivot_row = r.smallest_pivot_row,
            .operations = r.operations};
}

std::string api::title_of(const factor::incomplete_options& o)
{
    switch (o.kind) {
    case factor::incomplete_kind::ilut:
        return "ILUT";
    case factor::incomplete_kind::ic:
        return "IC(0)";
    case factor::incomplete_kind::ilu:
        break;
    }
    return "ILU(" + std::to_string(o.fill) + ")";
}

template <scalar T, scalar F>
preconditioner<T> api::applying(std::string name, place where, const factor::factors<F>& factors,
                                build_report built)
{
    const auto applied =
        lu_preconditioner<T>("preconditioner", factors, {}, where, keep_factors::copied);
    built.bytes = applied.built().bytes;
    built.seconds += applied.built().seconds;
    preconditioner<T> k(
        std::move(name), applied.size(), where,
        [applied](place of_vectors) { return applied.map_at(of_vectors); }, built);
    k.keep_for_double([applied] { return applied.in_double(); });
    return k;
}

template <scalar T, scalar V>
std::optional<preconditioner<T>>
api::make_block_jacobi(const csr<V>& a, place where, const preconditioner_options& o,
                       const std::function<bool(double)>& watch, index_t first_row)
{
    const auto begin = o.blocks.empty() ? equal_blocks(a.rows, o.block_rows) : o.blocks;
    return in_double(o) ? blocks_in<T, double>(a, where, begin, o, watch, first_row)
                        : blocks_in<T, dd_real>(a, where, begin, o, watch, first_row);
}

template <scalar T, scalar V>
std::optional<preconditioner<T>>
api::make_preconditioner(preconditioning kind, const csr<V>& a, place where,
                         const preconditioner_options& o, const std::function<bool(double)>& watch)
{
    require_square("preconditioner", a.rows, a.columns);
    switch (kind) {
    case preconditioning::block_jacobi:
        return make_block_jacobi<T>(a, where, o, watch);
    case preconditioning::polynomial:
        return make_polynomial<T>(a, where, o);
    default:
        auto k = in_double(o) ? incomplete_in<T, double>(kind, a, where, o, watch)
                              : incomplete_in<T, dd_real>(kind, a, where, o, watch);
        if (k) k->set_symmetric_positive(kind == preconditioning::ic);
        return k;
    }
}

namespace {

/// Without a watch of its own only one of the caller's scopes can have ended it.
template <scalar T, scalar V>
preconditioner<T> made(preconditioning kind, const csr_matrix<V>& a,
                       const preconditioner_options& o)
{
    require_in_range("preconditioner", o, to_string(kind));
    auto k = make_preconditioner<T>(kind, a.view(), a.where(), o);
    if (!k) throw interrupted_error();
    return std::move(*k);
}

}  // namespace

template <scalar T>
template <scalar V>
requires acts_on<T, V> preconditioner<T> preconditioner<T>::ilu(const csr_matrix<V>& a,
                                                                const preconditioner_options& o)
{
    const fp_mode_guard exact;
    return made<T>(preconditioning::ilu, a, o);
}

template <scalar T>
template <scalar V>
requires acts_on<T, V> preconditioner<T> preconditioner<T>::ilut(const csr_matrix<V>& a,
                                                                 const preconditioner_options& o)
{
    const fp_mode_guard exact;
    return made<T>(preconditioning::ilut, a, o);
}

template <scalar T>
template <scalar V>
requires acts_on<T, V> preconditioner<T> preconditioner<T>::ic(const csr_matrix<V>& a,
                                                               const preconditioner_options& o)
{
    const fp_mode_guard exact;
    return made<T>(preconditioning::ic, a, o);
}

template <scalar T>
template <scalar V>
requires acts_on<T, V> preconditioner<T>
preconditioner<T>::block_jacobi(const csr_matrix<V>& a, const preconditioner_options& o)
{
    const fp_mode_guard exact;
    return made<T>(preconditioning::block_jacobi, a, o);
}

template <scalar T>
template <scalar V>
requires acts_on<T, V> preconditioner<T>
preconditioner<T>::polynomial(const csr_matrix<V>& a, const preconditioner_options& o)
{
    const fp_mode_guard exact;
    return made<T>(preconditioning::polynomial, a, o);
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::optional<preconditioner<T>> api::make_block_jacobi(                              \
        const csr<V>&, place, const preconditioner_options&, const std::function<bool(double)>&,   \
        index_t);                                                                                  \
    template std::optional<preconditioner<T>> api::make_preconditioner(                            \
        preconditioning, const csr<V>&, place, const preconditioner_options&,                      \
        const std::function<bool(double)>&);                                                       \
    template preconditioner<T> preconditioner<T>::ilu(const csr_matrix<V>&,                        \
                                                      const preconditioner_options&);              \
    template preconditioner<T> preconditioner<T>::ilut(const csr_matrix<V>&,                       \
                                                       const preconditioner_options&);             \
    template preconditioner<T> preconditioner<T>::ic(const csr_matrix<V>&,                         \
                                                     const preconditioner_options&);               \
    template preconditioner<T> preconditioner<T>::block_jacobi(const csr_matrix<V>&,               \
                                                               const preconditioner_options&);     \
    template preconditioner<T> preconditioner<T>::polynomial(const csr_matrix<V>&,                 \
                                                             const preconditioner_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(T)                                                                        \
    template preconditioner<T> api::applying(std::string, place, const factor::factors<double>&,   \
                                             build_report);                                        \
    template preconditioner<T> api::applying(std::string, place, const factor::factors<dd_real>&,  \
                                             build_report);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
