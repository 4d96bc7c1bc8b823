// Runs programs on the host: part by part, a loop each.
#pragma once

#include "context.hpp"
#include "engine/part_runner.hpp"
#include "engine/program_operations.hpp"
#include "operations.hpp"

#include <cstdint>

namespace ddla::host_backend {

template <scalar T>
class machine {
public:
    using scalar_type = T;
    using backend_type = backend;
    using list = steps::program_list<T, backend>;
    static constexpr bool reads_freely = true;
    static constexpr std::size_t most_in_lockstep = SIZE_MAX;

    template <class Context>
    machine(const Context& context, call& c, const program_request<T>& q)
        : on_(c.backend), n_(q.b.size), parts_(context.maps(), on_, q)
    {
    }

    backend& steps_on() { return on_; }
    /// Memory that a program will need.
    void reserve(const list& all)
    {
        for (std::size_t k = 0; k < all.size(); ++k) all[k].reserve(on_, n_);
    }
    void run(std::span<const list* const> all) { parts_.run(all); }
    /// Until a product is ended, if one is: then was_ended(), and the iteration counts for nothing.
    template <class IsIdle>
    void repeat(std::span<const list* const> all, index_t times, const IsIdle& is_idle)
    try {
        for (index_t k = 0; k < times && !is_idle(); ++k) parts_.run_iteration(all);
    } catch (const interrupted_error&) {
        if (work_has_ended()) throw;  // not a product of these iterations, which a look would end
        was_ended_ = true;
    }
    bool was_ended() const { return was_ended_; }
    /// Polling is free.
    static index_t usual_interval() { return 1; }
    static void finish() {}
    /// What it has allocated itself.
    static std::size_t bytes() { return 0; }

private:
    backend& on_;
    index_t n_;
    bool was_ended_ = false;
    part_runner<T, backend> parts_;
};

template <scalar T>
program_operations<T>& programs_on_host()
{
    static program_operations_on<context, machine, T> only{{}};
    return only;
}

}  // namespace ddla::host_backend
