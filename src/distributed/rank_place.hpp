// The engine of a rank, and what calls of all ranks check.
#pragma once

#include "matrix_parts.hpp"

#include "calls/place_of.hpp"

#include <memory>
#include <string>

namespace ddla::distributed {

/// Throws on all ranks where the vector of one does not fit.
template <scalar T>
void require_part(communicator& among, const char* call, const char* name, const vector<T>& x,
                  index_t wanted, place where)
{
    agreed(among, [&] {
        if (x.size() != wanted)
            throw input_error(std::string(call) + ": " + name + " has " + std::to_string(x.size()) +
                              " elements on rank " + std::to_string(among.rank()) + ", which has " +
                              std::to_string(wanted));
        api::require_same_place(call, name, x.where(), "A", where);
    });
}

/// The sums of a solve, and its engine.
class rank_place {
public:
    template <scalar V>
    explicit rank_place(const matrix_parts<V>& a)
    {
        with.traffic = a.traffic();
        with.answer->set_alone(a.among().size() == 1);
        sums_ = std::make_unique<ranks::rank_sums>(a.shared_communicator(), a.layout().row_ranges(),
                                                   with.answer, with.traffic);
        if (!a.is_square()) sums_->add_columns(a.layout().column_ranges());
        engine_ = a.where().is_host() ? host_engine_of_rank(*sums_)
                                      : device_engine_of_rank(a.where().device_index, *sums_);
    }
    engine& here() { return *engine_; }

    shared_solve with;

private:
    std::unique_ptr<ranks::rank_sums> sums_;
    std::unique_ptr<engine> engine_;
};

}  // namespace ddla::distributed
