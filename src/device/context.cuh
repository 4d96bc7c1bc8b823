// What one call of the device engine works with.
#pragma once

#include "backend.cuh"
#include "engine/workspace.hpp"
#include "operations.hpp"
#include "tuning.hpp"

namespace ddla::device_backend {

struct call {
    static constexpr const formats::tuning& tuned = tuning::of_formats;
    device_backend::backend backend;
    workspace memory;
};

class lasting_call;

struct context {
    using lasting_call = device_backend::lasting_call;
    queue* in;
    rank_part of_rank = {};

    device_backend::call call() const { return {backend(*in, of_rank.sums), workspace(*in)}; }
    place where() const { return device(in->device().index()); }
    /// Of vectors, the number of their first element and how many there are on all ranks; -1 where
    /// they are whole.
    index_t first_element(index_t n) const
    {
        return of_rank.sums ? of_rank.sums->first_element(n) : 0;
    }
    index_t all_elements() const { return of_rank.sums ? of_rank.sums->all_elements() : -1; }
};

/// A call that goes on: a new one for each use, because a call makes its device current.  Scratch
/// stays with the queue.
class lasting_call {
public:
    explicit lasting_call(context of) : of_(of) {}
    call now() const { return of_.call(); }

private:
    context of_;
};

}  // namespace ddla::device_backend
