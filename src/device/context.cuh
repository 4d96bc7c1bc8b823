// What one call of the device engine works with.
#pragma once

#include "backend.cuh"
#include "engine/workspace.hpp"

namespace ddla::device_backend {

struct call {
    backend on;
    workspace memory;
};

struct context {
    int index;
    device_backend::call call() const { return {backend(gpu_at(index)), workspace(device(index))}; }
};

}  // namespace ddla::device_backend
