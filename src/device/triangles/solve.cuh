// Solves with triangles, span after span.
#pragma once

#include "narrow.cuh"
#include "wide.cuh"

#include "device/context.cuh"

namespace ddla::device_backend {

/// Keeps the slots, and for each span what its kernels count.  One is run or recorded, not both:
/// what is recorded counts when it is replayed.
template <scalar T, scalar F>
class triangle_solver final : public bound_map<T> {
public:
    static constexpr std::size_t bytes_of_word = sizeof(slot);

    triangle_solver(context of, const triangle_list<F>& a)
        : of_(of), a_(a), memory_(memory_for(of, a))
    {
    }
    void apply(vec<const T> r, double, vec<T> z) override
    {
        auto* const shared = static_cast<state*>(memory_->data());
        if (of_.of_rank.sums || (a_.scale_in && a_.n > 0)) {  // ranks do it together
            call c = of_.call();
            c.backend.run(steps::common_exponent<T>{{}, r, a_.scale_in, &shared->common}, a_.n);
        }
        if (a_.n == 0) return;
        auto* const slots = reinterpret_cast<slot*>(shared + 1);
        auto* const counts = reinterpret_cast<word*>(slots + slots_for(a_));
        launcher to(*of_.in, current_schedule().early_launch >= 0);
        const triangle_solve<T, F> s{a_, r, z, &shared->common, slots};
        // All spans have counted as many solves, unless one could not be started.
        if (!all_started_)
            check(cudaMemsetAsync(slots, 0, bytes_of_slots_and_counts(a_), to.stream()),
                  "cudaMemsetAsync");
        all_started_ = false;
        for (index_t k = 0; k < a_.spans; ++k) start(to, s, a_.span[k], counts + k);
        all_started_ = true;
    }

private:
    struct alignas(sizeof(slot)) state {
        steps::largest_exponent common;
    };
    void start(launcher& to, const triangle_solve<T, F>& s, const level_span& span,
               word* count) const
    {
        if (span.is_narrow)
            to.start_blocks_of<threads_of_narrow_span>(solve_narrow_span<T, F>, 1, s, span, count);
        else
            to.start_blocks_of<tuning::threads_of_triangles>(solve_wide_span<T, F>, grid_for(span),
                                                             s, span, count);
    }
    static std::size_t slots_for(const triangle_list<F>& a)
    {
        return static_cast<std::size_t>(a.unknowns) * value_words<steps::wider<T, F>>;
    }
    static std::size_t bytes_of_slots_and_counts(const triangle_list<F>& a)
    {
        return slots_for(a) * sizeof(slot) + static_cast<std::size_t>(a.spans) * sizeof(word);
    }
    static std::unique_ptr<lasting_memory> memory_for(context of, const triangle_list<F>& a)
    {
        const current_device now(of.in->device().index());
        return std::make_unique<lasting_memory>(sizeof(state) + bytes_of_slots_and_counts(a));
    }
    unsigned grid_for(const level_span& span) const
    {
        constexpr int warps = tuning::threads_of_triangles / warp_size;
        const index_t packets = span.end_packet - span.first_packet;
        const auto blocks = [&](int each) {
            return std::max(of_.in->device().blocks_at_once(each),
                            tuning::least_blocks_of_triangles);
        };
        const index_t most = std::clamp<index_t>(2 * packets / span.levels, blocks(1),
                                                 blocks(tuning::blocks_of_triangles));
        return std::min(launcher::blocks(packets, warps), static_cast<unsigned>(most));
    }

    context of_;
    triangle_list<F> a_;
    std::unique_ptr<lasting_memory> memory_;
    bool all_started_ = true;
};

template <scalar T>
std::unique_ptr<triangle_operations<T>> triangles_on_device(queue& in, rank_part of)
{
    return std::make_unique<triangle_operations_on<context, triangle_solver, T>>(context{&in, of});
}

}  // namespace ddla::device_backend
