// Runs programs on a device: part by part, a kernel a step; what is repeated is recorded once as a
// CUDA graph and replayed, unless a map of the solve cannot be recorded.
#pragma once

#include "context.cuh"
#include "engine/part_runner.hpp"
#include "engine/program_operations.hpp"
#include "operations.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace ddla::device_backend {

/// A stream that is captured and runs nothing itself, with scratch that the recorded graph uses.
class recording_stream {
public:
    explicit recording_stream(gpu& on) : stream_(make()), in(on, stream_.get()), backend_on(in) {}

private:
    struct destroy {
        void operator()(cudaStream_t stream) const { forget_error(cudaStreamDestroy(stream)); }
    };
    using owned = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, destroy>;
    static owned make()
    {
        cudaStream_t stream = nullptr;
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
              "cudaStreamCreateWithFlags");
        return owned(stream);
    }
    owned stream_;

public:
    queue in;
    backend backend_on;
};

template <scalar T>
class machine {
public:
    using scalar_type = T;
    using backend_type = backend;
    using list = steps::program_list<T, backend>;
    static constexpr bool reads_freely = false;
    /// As many as share a product; more would only take more memory.
    static constexpr std::size_t most_in_lockstep = most_columns;

    machine(context of, call& c, const program_request<T>& q)
        : in_(*of.in), on_(c.backend), request_(q),
          maps_on_(of.of_rank.maps ? nullptr : engine_on(in_)),
          direct_(of.of_rank.maps ? *of.of_rank.maps : *maps_on_, on_, q),
          is_of_rank_(of.of_rank.sums != nullptr),
          is_recordable_(q.system->is_recordable() &&
                         (!q.preconditioner || q.preconditioner->is_recordable()) &&
                         (!q.transposed || q.transposed->is_recordable()))
    {
    }
    machine(const machine&) = delete;
    machine& operator=(const machine&) = delete;
    /// After an exception: the scratch of a graph goes with it.
    ~machine()
    {
        if (!is_finished_) forget_error(cudaStreamSynchronize(in_.stream()));
    }

    backend& steps_on() { return on_; }
    /// Scratch grows where it is needed, also while work is recorded.
    static void reserve(const list&) {}
    void run(std::span<const list* const> all) { direct_.run(all); }
    /// Lists that stay where they are; others than before only after a read.  To ask whether they
    /// are idle would wait.
    template <class IsIdle>
    void repeat(std::span<const list* const> all, index_t times, const IsIdle&)
    {
        for (index_t k = 0; k < times; ++k)
            if (!is_recordable_ || !has_run(all) || !replay(all)) {
                // The first time it is not recorded, so that all of its kernels are loaded when it
                // is.
                direct_.run(all);
                last_.assign(all.begin(), all.end());
            }
    }
    /// Functions of the host wait anyway, and should not be called after the end.  Products of
    /// ranks do no harm then.
    index_t usual_interval() const
    {
        return is_recordable_ || is_of_rank_ ? tuning::usual_interval : 1;
    }
    /// What fails here is told, unlike in the destructor.
    void finish()
    {
        in_.wait();
        is_finished_ = true;
    }
    /// What it has allocated itself.
    std::size_t bytes() const { return recording_ ? recording_->backend_on.scratch_bytes() : 0; }

private:
    bool has_run(std::span<const list* const> all) const { return std::ranges::equal(all, last_); }
    static std::vector<std::byte> key_of(std::span<const list* const> all)
    {
        const auto bytes = std::as_bytes(all);
        return {bytes.begin(), bytes.end()};
    }
    /// False if it cannot be recorded.
    bool replay(std::span<const list* const> all)
    {
        const std::vector<std::byte> key = key_of(all);
        if (!recorded_.holds(key)) is_recordable_ = record(all, key);
        is_recordable_ = is_recordable_ && recorded_.replay(in_.stream());
        return is_recordable_;
    }
    /// No graph is under way: the first one, or others have been waited for.
    bool record(std::span<const list* const> all, const std::vector<std::byte>& key)
    {
        if (!recorder_) {
            recording_.emplace(in_.device());
            recorder_on_ = engine_on(recording_->in);
            recorder_.emplace(*recorder_on_, recording_->backend_on, request_);
        }
        const bool done =
            recorded_.record(key, recording_->in.stream(), [&] { recorder_->run(all); });
        if (done) count_program_graph();
        return done;
    }

    queue& in_;
    backend& on_;
    const program_request<T>& request_;
    std::unique_ptr<engine> maps_on_;
    part_runner<T, backend> direct_;
    bool is_of_rank_, is_recordable_, is_finished_ = false;
    std::vector<const list*> last_;  ///< what was launched last
    std::optional<recording_stream> recording_;
    std::unique_ptr<engine> recorder_on_;
    std::optional<part_runner<T, backend>> recorder_;  ///< the graph uses what its maps hold
    graph recorded_;
};

template <scalar T>
std::unique_ptr<program_operations<T>> programs_on_device(queue& in, rank_part of)
{
    return std::make_unique<program_operations_on<context, machine, T>>(context{&in, of});
}

}  // namespace ddla::device_backend
