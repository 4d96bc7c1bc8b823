// The b and x of a call of all ranks, as A keeps its rows.
#pragma once

#include "rank_place.hpp"

#include "solve/solve_on.hpp"

#include <span>
#include <string>
#include <vector>

namespace ddla::distributed {

/// Throws on all ranks unless all have as many b as x, and as many as rank 0.
inline void require_systems(communicator& among, std::size_t of_b, std::size_t of_x)
{
    std::size_t on_first = of_b;
    broadcast(among, 0, std::as_writable_bytes(std::span(&on_first, 1)));
    agreed(among, [&] {
        api::require_as_many("solve", "b", of_b, "x", of_x);
        if (of_b != on_first)
            throw input_error("solve: rank " + std::to_string(among.rank()) + " has " +
                              std::to_string(of_b) + " systems, rank 0 has " +
                              std::to_string(on_first));
    });
}

template <scalar V>
void require_for_ranks(const matrix_parts<V>& a, const solve_options& options)
{
    if (options.certify)
        throw input_error("solve: a bound of the error is proved of matrices of one rank");
    if (!a.is_square() && options.method != method::lsmr)
        api::require_square("solve", a.rows().all(), a.columns().all());
}

/// Throws on all ranks where vectors of one do not fit, or are not as many as those of others.
template <scalar T>
class rank_systems {
public:
    template <scalar V>
    rank_systems(const matrix_parts<V>& a, const std::vector<vector<T>>& b,
                 const std::vector<vector<T>>& x)
    {
        communicator& among = a.among();
        const int rank = among.rank();
        require_systems(among, b.size(), x.size());
        for (std::size_t j = 0; j < b.size(); ++j) {
            require_part(among, "solve", "b", b[j], a.rows().size(rank), a.where());
            require_part(among, "solve", "x", x[j], a.columns().size(rank), a.where());
            b_.emplace_back(among, a.rows(), a.layout().row_ranges(), b[j]);
            x_.emplace_back(among, a.columns(), a.layout().column_ranges(), x[j]);
            all_.push_back({b_.back().view(), x_.back().view()});
        }
    }
    std::span<const api::system_vectors<T>> all() const { return all_; }
    /// The last call for x of system j.
    void give_back(std::size_t j, vector<T>& x) { x_[j].give_back(x); }

private:
    std::vector<kept_vector<T>> b_, x_;
    std::vector<api::system_vectors<T>> all_;
};

}  // namespace ddla::distributed
