// Launches the steps of an iteration, a kernel each, or those between two products as one.
#pragma once

#include "step_launcher.cuh"
#include "sweep_sequence.cuh"

#include <algorithm>
#include <tuple>

namespace ddla::device_backend {

class sequence_launcher {
public:
    sequence_launcher(launcher& to, step_launcher& steps, const schedule& s)
        : to_(to), steps_(steps), schedule_(s)
    {
    }

    template <class V, class... Steps>
    void launch_iteration(const steps::sequence<Steps...>& iteration, const csr<V>& a)
    {
        std::apply([&](const Steps&... step) { launch_in_order(a, std::tuple<>(), step...); },
                   iteration.steps);
    }

private:
    /// `before` are steps over elements that have not been launched yet.
    template <class V, class... Before, class Step, class... Rest>
    void launch_in_order(const csr<V>& a, const std::tuple<Before...>& before, const Step& step,
                         const Rest&... rest)
    {
        if constexpr (Step::sweeps == steps::over::elements) {
            launch_in_order(a, std::tuple_cat(before, std::tuple(step)), rest...);
        } else {
            launch_elements(before, a.rows);
            // Entries in double-double would double the kernels for hardly any gain.
            if constexpr (words_of<V> == 1)
                if (steps_.leaves_sums(a))
                    return launch_in_order(a, std::tuple(steps_.multiply_and_sum_for(step, a)),
                                           rest...);
            steps_.multiply_for(step, a);
            launch_in_order(a, std::tuple(steps::sums_after_product{step}), rest...);
        }
    }
    template <class V, class... Before>
    void launch_in_order(const csr<V>& a, const std::tuple<Before...>& before)
    {
        launch_elements(before, a.rows);
    }
    template <class... Steps>
    void launch_elements(const std::tuple<Steps...>& all, index_t n)
    {
        constexpr bool can_share =
            sizeof...(Steps) > 1 && !(std::is_void_v<typename Steps::sum> && ...);
        const auto in_one = [&](const Steps&... step) {
            if constexpr (can_share) {
                using first = std::tuple_element_t<0, std::tuple<Steps...>>;
                return sweeps_together(schedule_, n, words_of<typename first::scalar>) &&
                       start_in_one(chained(step...), n);
            } else {
                return false;
            }
        };
        const auto one_each = [&](const Steps&... step) {
            (steps_.launch(step, elements_of(step, n)), ...);
        };
        if (!std::apply(in_one, all)) std::apply(one_each, all);
    }
    /// What a sweep of a step between two products goes over, in a system of n unknowns.
    template <class Step>
    static index_t elements_of(const Step&, index_t n)
    {
        if constexpr (is_summed<Step>)
            return tiles(n);
        else
            return n;
    }
    /// False if the blocks cannot be on the device at once.
    template <class... Steps>
    bool start_in_one(const chain<Steps...>& all, index_t n)
    {
        const auto kernel = run_sweep_sequence<Steps...>;
        int most = std::min(to_.occupancy().most<sequence_threads>(to_, kernel, 0),
                            to_.device().blocks_at_once(1));
        if (most == 0) return false;
        if (schedule_.sequence_blocks > 0) most = std::min(most, schedule_.sequence_blocks);
        const index_t m = tiles(n);
        to_.memory().place.reserve(all_reduce_memory::bytes(m), 0);
        if (!to_.start_sweeps_together<sequence_threads>(
                kernel, static_cast<unsigned>(std::min<index_t>(m, most)), all, n,
                all_reduce_memory(to_.memory().place.sums)))
            return to_.occupancy().refuse(kernel);
        count_sweep_sequence_kernel();
        return true;
    }

    launcher& to_;
    step_launcher& steps_;
    const schedule& schedule_;
};

}  // namespace ddla::device_backend
