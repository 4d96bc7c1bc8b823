// What one call of the device engine works with.
#pragma once

#include "backend.cuh"
#include "engine/workspace.hpp"
#include "tuning.hpp"

namespace ddla::device_backend {

struct call {
    static constexpr const formats::tuning& tuned = tuning::of_formats;
    backend on;
    workspace memory;
};

struct context {
    queue* in;
    device_backend::call call() const { return {backend(*in), workspace(*in)}; }
    place where() const { return device(in->on().index()); }
};

}  // namespace ddla::device_backend
