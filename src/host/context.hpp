// What one call of the host engine works with.
#pragma once

#include "backend.hpp"
#include "engine/engine.hpp"
#include "engine/workspace.hpp"
#include "threads.hpp"
#include "tuning.hpp"

namespace ddla::host_backend {

struct call {
    static constexpr const formats::tuning& tuned = tuning::of_formats;
    std::shared_ptr<thread_pool> pool = current_pool();
    host_backend::backend backend;
    workspace memory{host_memory()};

    explicit call(shared_sums* shared = nullptr) : backend(*pool, shared) {}
};

/// A call that goes on: it keeps its memory between two uses.
class lasting_call;

struct context {
    using lasting_call = host_backend::lasting_call;
    static host_backend::call call() { return host_backend::call(); }
    static place where() { return host; }
    /// Of vectors, the number of their first element and how many there are on all ranks: the
    /// vectors are whole.
    static index_t first_element(index_t) { return 0; }
    static index_t all_elements() { return -1; }
    static engine& maps() { return host_engine(); }
    static shared_sums* shared() { return nullptr; }
};

/// The same of one rank: vectors are its parts of those of all, and maps are those of `all`.
struct rank_context {
    shared_sums* sums;
    engine* all;

    host_backend::call call() const { return host_backend::call(sums); }
    static place where() { return host; }
    index_t first_element(index_t n) const { return sums->first_element(n); }
    index_t all_elements() const { return sums->all_elements(); }
    engine& maps() const { return *all; }
    shared_sums* shared() const { return sums; }
};

class lasting_call {
public:
    explicit lasting_call(context) {}
    call& now() { return call_; }

private:
    call call_;
};

}  // namespace ddla::host_backend
