// Products, sums and vectors of matrices whose rows are shared among ranks.
#include "rank_place.hpp"

#include "ddla/fp_mode.hpp"

#include <string>

namespace ddla {

using namespace distributed;

namespace {

/// y = A x.
template <scalar T, scalar V>
void multiply_rows(const placed_rows<V>& a, ranks::traffic& counted, vec<const T> x, vec<T> y)
{
    rank_product<T, V>(*a.layout(), *a.lists(), a.parts(), counted, api::engine_at(a.where()))
        .apply(x, 1, y);
}

}  // namespace

template <scalar V>
template <scalar T>
requires acts_on<T, V>
void distributed_matrix<V>::multiply(const vector<T>& x, vector<T>& y) const
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = *parts_;
    return ranks::together(a.among(), [&] {
        require_part(a.among(), "multiply", "x", x, local_columns(), where());
        require_part(a.among(), "multiply", "y", y, local_rows(), where());
        kept_vector<T> in(a.among(), a.columns(), a.layout().column_ranges(), x);
        kept_vector<T> out(a.among(), a.rows(), a.layout().row_ranges(), where());
        multiply_rows<T, V>(*a.kept(), *a.traffic(), in.view(), out.view());
        out.give_back(y);
    });
}

template <scalar V>
template <scalar T>
requires acts_on<T, V>
void distributed_matrix<V>::multiply_transposed(const vector<T>& x, vector<T>& y) const
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = *parts_;
    return ranks::together(a.among(), [&] {
        require_part(a.among(), "multiply_transposed", "x", x, local_rows(), where());
        require_part(a.among(), "multiply_transposed", "y", y, local_columns(), where());
        kept_vector<T> in(a.among(), a.rows(), a.layout().row_ranges(), x);
        kept_vector<T> out(a.among(), a.columns(), a.layout().column_ranges(), where());
        const std::shared_ptr<const placed_rows<V>> transposed = a.transposed();
        multiply_rows<T, V>(*transposed, *a.traffic(), in.view(), out.view());
        out.give_back(y);
    });
}

template <scalar V>
template <scalar T>
T distributed_matrix<V>::dot(const vector<T>& x, const vector<T>& y) const
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = *parts_;
    return ranks::together(a.among(), [&] {
        require_part(a.among(), "dot", "x", x, local_rows(), where());
        require_part(a.among(), "dot", "y", y, local_rows(), where());
        const ranks::ranges& kept = a.layout().row_ranges();
        kept_vector<T> first(a.among(), a.rows(), kept, x);
        kept_vector<T> second(a.among(), a.rows(), kept, y);
        return rank_place(a).here().vectors<T>().dot(first.view(), second.view());
    });
}

template <scalar V>
template <scalar T>
T distributed_matrix<V>::nrm2(const vector<T>& x) const
{
    const fp_mode_guard exact;
    const matrix_parts<V>& a = *parts_;
    return ranks::together(a.among(), [&] {
        require_part(a.among(), "nrm2", "x", x, local_rows(), where());
        kept_vector<T> mine(a.among(), a.rows(), a.layout().row_ranges(), x);
        return rank_place(a).here().vectors<T>().nrm2(mine.view());
    });
}

namespace {

template <scalar T>
void require_whole(const char* name, const vector<T>& on_first, index_t wanted)
{
    api::require_same_size("part_of", name, on_first.size(), "A", wanted);
    api::require_same_place("part_of", name, on_first.where(), "A", host);
}

/// A vector that rank 0 has, in the caller's parts.
template <scalar T>
vector<T> part_of(communicator& among, const char* name, const ranks::ranges& parts,
                  const vector<T>& on_first, place where)
{
    return ranks::together(among, [&] {
        agreed(among, [&] {
            if (among.rank() == 0) require_whole(name, on_first, parts.all());
        });
        return ranks::moved<T>(among, ranks::on_first_rank(parts.all(), among.size()), parts,
                               on_first.view())
            .to(where);
    });
}

}  // namespace

template <scalar V>
template <scalar T>
vector<T> distributed_matrix<V>::part_of_b(const vector<T>& on_first) const
{
    return part_of<T>(parts_->among(), "b", parts_->rows(), on_first, where());
}

template <scalar V>
template <scalar T>
vector<T> distributed_matrix<V>::part_of_x(const vector<T>& on_first) const
{
    return part_of<T>(parts_->among(), "x", parts_->columns(), on_first, where());
}

template <scalar V>
template <scalar T>
vector<T> distributed_matrix<V>::whole_x(const vector<T>& part) const
{
    communicator& among = parts_->among();
    return ranks::together(among, [&] {
        require_part(among, "distributed_matrix", "x", part, local_columns(), where());
        const vector<T> mine = part.to(host);
        return ranks::moved<T>(among, parts_->columns(),
                               ranks::on_first_rank(columns(), among.size()), mine.view());
    });
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template void distributed_matrix<V>::multiply(const vector<T>&, vector<T>&) const;             \
    template void distributed_matrix<V>::multiply_transposed(const vector<T>&, vector<T>&) const;
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE_WITH(V, T)                                                                \
    template T distributed_matrix<V>::dot(const vector<T>&, const vector<T>&) const;               \
    template T distributed_matrix<V>::nrm2(const vector<T>&) const;                                \
    template vector<T> distributed_matrix<V>::part_of_b(const vector<T>&) const;                   \
    template vector<T> distributed_matrix<V>::part_of_x(const vector<T>&) const;                   \
    template vector<T> distributed_matrix<V>::whole_x(const vector<T>&) const;
#define DDLA_INSTANTIATE(V)                                                                        \
    DDLA_INSTANTIATE_WITH(V, double)                                                               \
    DDLA_INSTANTIATE_WITH(V, dd_real)
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE
#undef DDLA_INSTANTIATE_WITH

}  // namespace ddla
