// Launches kernels of many iterations each, for systems that fit on the device at once.
#pragma once

#include "device/core/launcher.cuh"
#include "resident_solve.cuh"
#include "schedule.hpp"

#include <algorithm>

namespace ddla::device_backend {

class resident_launcher {
public:
    resident_launcher(launcher& to, const schedule& s) : to_(to), schedule_(s) {}

    /// Whether the system is small, and all its blocks fit on the device at once.
    template <class V, class... Steps>
    bool fits(const steps::sequence<Steps...>& iteration, const csr<V>& a)
    {
        const auto& first = std::get<0>(iteration.steps);
        return iterates_in_one_kernel(schedule_, a.rows, a.longest_row) &&
               tiles(a.rows) <=
                   to_.occupancy().most(to_, iterate<V, Steps...>, bytes_of<Steps...>(first));
    }

    /// Runs iterations in kernels of many each, and returns how many were run: all, or less if a
    /// kernel does not fit on the stream.  After is_over() the rest counts as run.
    template <class V, class IsOver, class... Steps>
    index_t run(const steps::sequence<Steps...>& iteration, const csr<V>& a, index_t times,
                const IsOver& is_over)
    {
        const auto parameter =
            std::apply([](const auto&... step) { return chained(step...); }, iteration.steps);
        index_t done = 0;
        while (done < times) {
            const index_t now = std::min(times - done, tuning::iterations_per_kernel);
            if (!fits(iteration, a) || !start(parameter, a, now)) return done;
            count_resident_kernel();
            done += now;
            if (done < times && is_over()) return times;
        }
        return times;
    }

private:
    template <class... Steps, class Step>
    static std::size_t bytes_of(const Step& first)
    {
        return resident_bytes<steps::preconditioner_of<Steps...>>(first);
    }
    // False if the stream has fewer SMs than the device.  Another schedule can go on then: between
    // two kernels all vectors and scalars are in global memory.
    template <class V, class... Steps>
    bool start(const chain<Steps...>& iteration, const csr<V>& a, index_t times)
    {
        const auto& first = iteration.first;
        scratch& memory = to_.memory();
        memory.slots.reserve(resident_slots(first, tiles(a.rows)) * sizeof(slot), 0);
        if (!to_.start_together(iterate<V, Steps...>, launcher::blocks(tiles(a.rows), 1),
                                bytes_of<Steps...>(first), iteration, a, times,
                                static_cast<slot*>(memory.slots.sums), word{memory.last_exchange}))
            return to_.occupancy().refuse(iterate<V, Steps...>);
        memory.last_exchange += static_cast<word>(times) * sizeof...(Steps) + 1;
        return true;
    }

    launcher& to_;
    const schedule& schedule_;
};

}  // namespace ddla::device_backend
