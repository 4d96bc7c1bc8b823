// What one call of the host engine works with.
#pragma once

#include "backend.hpp"
#include "engine/workspace.hpp"
#include "threads.hpp"
#include "tuning.hpp"

namespace ddla::host_backend {

struct call {
    static constexpr const formats::tuning& tuned = tuning::of_formats;
    std::shared_ptr<thread_pool> pool = current_pool();
    backend on{*pool};
    workspace memory{host_memory()};
};

struct context {
    static host_backend::call call() { return {}; }
    static place where() { return host; }
};

}  // namespace ddla::host_backend
