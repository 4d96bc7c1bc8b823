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
    static constexpr bool reads_freely = true;
    static constexpr std::size_t most_in_lockstep = SIZE_MAX;

    machine(context, call& c, const program_request<T>& q)
        : on_(c.on), n_(q.b.size), parts_(host_engine(), on_, q)
    {
    }

    /// Memory that a program will need.
    template <class... Parts>
    void reserve(const steps::program<Parts...>& all)
    {
        const auto for_part = [&]<class Part>(const Part& part) {
            if constexpr (steps::basis_sums<Part>) on_.reserve(part, n_);
            if constexpr (steps::is_several<Part>)
                for (const auto& one : part.each) reserve(one);
        };
        std::apply([&](const Parts&... part) { (for_part(part), ...); }, all.parts);
    }
    template <class... Parts>
    void run(const steps::program<Parts...>& all)
    {
        parts_.run(all);
    }
    /// Programs of one kind.
    template <class Program>
    void run(const std::vector<const Program*>& all)
    {
        parts_.run(all);
    }
    template <class Program, class State>
    void repeat(const Program& all, const State* shared, index_t times)
    {
        for (index_t k = 0; k < times && !steps::is_idle(*shared); ++k) run(all);
    }
    /// Polling is free.
    static index_t usual_interval() { return 1; }
    template <class State>
    State read(const State* shared) const
    {
        return on_.read(shared);
    }
    template <class State>
    std::vector<State> read(const State* shared, index_t count) const
    {
        return on_.read(shared, count);
    }
    template <class State>
    void write(State* shared, const std::type_identity_t<State>& q) const
    {
        on_.write(shared, q);
    }
    static void finish() {}
    /// What it has allocated itself.
    static std::size_t bytes() { return 0; }

private:
    backend& on_;
    index_t n_;
    part_runner<T, backend> parts_;
};

template <scalar T>
program_operations<T>& programs_on_host()
{
    static program_operations_on<context, machine, T> only{{}};
    return only;
}

}  // namespace ddla::host_backend
