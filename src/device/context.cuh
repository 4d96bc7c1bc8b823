// What one call of the device engine works with.
#pragma once

#include "backend.cuh"
#include "engine/workspace.hpp"
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
    device_backend::call call() const { return {backend(*in), workspace(*in)}; }
    place where() const { return device(in->device().index()); }
    /// Vectors are whole.
    static index_t first_element(index_t) { return 0; }
    static index_t all_elements() { return -1; }
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
