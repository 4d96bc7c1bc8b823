#include "distributed_system.hpp"

#include "gathered_solve.hpp"

#include "precondition/polynomial_base.hpp"

#include <algorithm>
#include <type_traits>

namespace ddla::distributed {
namespace {

/// ||v|| of all values of all ranks, with the bits of one rank: their tiles do not begin where the
/// rows of ranks do, so the values move.
template <scalar V>
double norm_of_values(communicator& among, const std::shared_ptr<communicator>& shared,
                      const vector<V>& values, const shared_solve& with)
{
    const ranks::ranges have = ranks::ranges_of(among, values.size());
    const ranks::ranges want = ranks::aligned_ranges(have, tile_size);
    const vector<V> aligned = ranks::moved<V>(among, have, want, values.view());
    ranks::rank_sums sums(shared, want, with.answer, with.traffic);
    return static_cast<double>(
        host_engine_of_rank(sums)->template vectors<V>().nrm2(aligned.view()));
}

}  // namespace

template <scalar T, scalar V>
double distributed_system<T, V>::frobenius_norm(engine&) const
{
    return norm_of_values<V>(among(), layout_->shared_communicator(),
                             rows_of(*layout_, on_host_).value, with_);
}

template <scalar T, scalar V>
double distributed_system<T, V>::normal_residual(engine& here, vec<const T> x, vec<const T> b) const
{
    vector<dd_real> r(rows(), where());
    vector<T> rounded(rows(), where()), products(columns(), where());
    const double scale = steps::residual_scale(here.vectors<T>().largest_magnitude(b),
                                               here.vectors<T>().largest_magnitude(x));
    scaled_residual(here, x, b, scale, r.view());
    for (int w = 0; w < words_of<T>; ++w)
        copy_bytes(rounded.view().word(w), where(), r.view().word(w), where(),
                   static_cast<std::size_t>(rows()) * sizeof(double));
    transposed().bind(here)->apply(std::as_const(rounded).view(), 1, products.view());
    const auto norm = static_cast<double>(here.vectors<T>().nrm2(std::as_const(rounded).view()));
    const auto normal = static_cast<double>(here.vectors<T>().nrm2(std::as_const(products).view()));
    return normal > 0 ? normal / norm / frobenius_norm(here) : 0;
}

template <scalar T, scalar V>
void distributed_system<T, V>::require_preconditioner(preconditioning kind,
                                                      const preconditioner_options& options) const
{
    const bool is_blocks = kind == preconditioning::block_jacobi;
    if (!is_blocks && kind != preconditioning::polynomial && kind != preconditioning::jacobi)
        throw input_error("solve: " + std::string(to_string(kind)) +
                          " is for matrices of one rank; ranks have jacobi, block_jacobi and "
                          "polynomial");
    if (!is_blocks) return;
    if (!options.blocks.empty())
        throw input_error("preconditioner: ranks take blocks of one size (block_rows), not a list");
    const index_t begin = layout_->row_ranges().begin(among().rank());
    const bool cuts = rows() > 0 && begin % options.block_rows != 0;
    if (ranks::smallest_of(among(), cuts ? 0 : 1) == 0)
        throw input_error("preconditioner: the rows of a rank begin within a block of " +
                          std::to_string(options.block_rows) +
                          " rows; the alignment of the matrix must be a multiple of that");
}

template <scalar T, scalar V>
std::optional<preconditioner<T>>
distributed_system<T, V>::make_preconditioner(preconditioning kind,
                                              const preconditioner_options& options,
                                              const std::function<bool(double)>& watch) const
{
    require_preconditioner(kind, options);
    return kind == preconditioning::polynomial ? polynomial(options) : block_jacobi(options, watch);
}

template <scalar T, scalar V>
std::optional<preconditioner<T>>
distributed_system<T, V>::block_jacobi(const preconditioner_options& options,
                                       const std::function<bool(double)>& watch) const
{
    const index_t begin = layout_->row_ranges().begin(among().rank());
    std::optional<preconditioner<T>> made;
    index_t entries_of_own = 0;
    agreed(among(), [&] {
        const csr_matrix<V> own = own_square(*layout_, on_host_);
        entries_of_own = own.nonzeros();
        made = api::make_block_jacobi<T>(own.view(), where(), options, watch, begin);
    });
    if (!made) return {};
    const build_report built = joined_report(made->built(), begin, entries_of_own);
    return preconditioner<T>(
        made->name(), made->size(), where(), [k = *made](place at) { return k.map_at(at); }, built);
}

/// Of all ranks: the work and the entries together, the smallest pivot; bytes are those of this
/// one.
template <scalar T, scalar V>
build_report distributed_system<T, V>::joined_report(const build_report& mine, index_t begin,
                                                     index_t entries_of_own) const
{
    struct part {
        build_report built;
        index_t nonzeros, begin;
        double entries;  ///< of the factors
    };
    static_assert(std::is_trivially_copyable_v<part>);
    build_report all = mine;
    double entries = 0, nonzeros = 0;
    all.operations = 0;
    all.smallest_pivot_row = -1;
    const double own =
        std::round(mine.fill * static_cast<double>(std::max<index_t>(entries_of_own, 1)));
    for (const part& one : ranks::gathered(among(), part{mine, parts_.nonzeros(), begin, own})) {
        entries += one.entries;
        nonzeros += static_cast<double>(one.nonzeros);
        all.operations += one.built.operations;
        const bool has_pivot = one.built.smallest_pivot_row >= 0;
        if (has_pivot &&
            !(all.smallest_pivot_row >= 0 && all.smallest_pivot <= one.built.smallest_pivot)) {
            all.smallest_pivot = one.built.smallest_pivot;
            all.smallest_pivot_row = one.begin + one.built.smallest_pivot_row;
        }
    }
    all.fill = entries / std::max(nonzeros, 1.0);
    return all;
}

template <scalar T, scalar V>
double distributed_system<T, V>::largest_row_sum() const
{
    const index_t begin = layout_->row_ranges().begin(among().rank());
    double largest = 0;
    std::optional<api::scaled_row_sum> sum;
    index_t row = -1;
    const auto end_row = [&] {
        if (sum) largest = std::max(largest, sum->value());
    };
    for_entries(*layout_, on_host_, [&](index_t i, index_t j, const V& value) {
        if (i != row) {
            end_row();
            sum.emplace();
            row = i;
        }
        sum->add(word<0>(value), j == begin + i);
    });
    end_row();
    return ranks::largest_of(among(), largest);
}

template <scalar T, scalar V>
preconditioner<T> distributed_system<T, V>::polynomial(const preconditioner_options& options) const
{
    const api::stopwatch clock;
    require_diagonal(host_engine());
    const vector<T> d = inverted_diagonal();
    const auto all =
        std::make_shared<const distributed_system>(layout_, lists_, parts_, on_host_, keep_, with_);
    const api::polynomial_base<T> base{
        .rows = rows(),
        .where = where(),
        .product = [all](engine& here) { return all->bind(here); },
        .is_recordable = false,
        .inverted_diagonal = std::make_shared<const vector<T>>(d.to(where())),
        .largest_inverse =
            ranks::largest_of(among(), host_engine().vectors<T>().largest_magnitude(d.view())),
        .largest_row_sum = [all] { return all->largest_row_sum(); }};
    return api::polynomial_of<T>(base, options, clock.seconds(), [all, options] {
        const auto rounded =
            std::static_pointer_cast<const distributed_system<double, double>>(all->in_double());
        return std::make_shared<const preconditioner<double>>(
            *rounded->make_preconditioner(preconditioning::polynomial, options, {}));
    });
}

template <scalar T, scalar V>
std::optional<refine::passed_limit>
distributed_system<T, V>::solve_by_factors(engine&, vec<const T> b, vec<T> x,
                                           const solve_options& options, solve_report& report,
                                           refine::kept_factors*) const
{
    with_.answer->set_alone(true);  // rank 0 is, and no other one is asked
    const auto solved = [&](vec<const T> host_b, vec<T> host_x) {
        return gathered_solve<T, V>(*layout_, on_host_, host_b, host_x, options, report);
    };
    std::optional<refine::passed_limit> passed;
    if (where().is_host()) {
        passed = solved(b, x);
    } else {
        const vector<T> host_b = copy_from(where(), b);
        vector<T> host_x = copy_from<T>(where(), x);
        passed = solved(host_b.view(), host_x.view());
        copy_to(where(), std::as_const(host_x).view(), x);
    }
    with_.answer->set_alone(among().size() == 1);
    return passed;
}

#define DDLA_INSTANTIATE(T, V) template class distributed_system<T, V>;
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::distributed
