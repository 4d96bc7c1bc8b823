// How many threads the host engine uses.
#pragma once

#include "thread_pool.hpp"

#include <memory>

namespace ddla::host_backend {

/// The pool of the current thread count; lives as long as it is held.
std::shared_ptr<thread_pool> current_pool();

}  // namespace ddla::host_backend
