// One loop of the host engine whose thread asks between its chunks whether it goes on: see
// storage/asked_loops.hpp.  Where nobody is to be asked, or the loop is short, it costs nothing.
#pragma once

#include "storage/asked_loops.hpp"
#include "tuning.hpp"

#include "ddla/views.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

namespace ddla::host_backend {

class loop_watch {
public:
    /// `work`: elements and entries of the loop.
    explicit loop_watch(index_t work) : work_(work * asked_loops::weight())
    {
        if (is_asked()) caller_ = std::this_thread::get_id();
    }

    /// More chunks where each is as long as may pass between two questions.
    index_t chunks(index_t usual, index_t most) const
    {
        return is_asked() ? std::min(most, std::max(usual, work_ / tuning::work_between_questions))
                          : usual;
    }
    /// Whether no more chunks are wanted.
    bool has_ended() const { return is_asked() && ended_.load(std::memory_order_relaxed); }
    /// After each chunk, on any thread.
    void ask() noexcept
    {
        if (is_asked() && std::this_thread::get_id() == caller_) ask_now();
    }
    /// After the loop, on the caller's thread: throws if it was ended.
    void finish() const
    {
        if (problem_) std::rethrow_exception(problem_);
        if (has_ended()) throw interrupted_error();
    }

private:
    bool is_asked() const { return work_ >= tuning::asked_work; }
    void ask_now() noexcept
    {
        try {
            if (loop_question::goes_on()) return;
        } catch (...) {
            problem_ = std::current_exception();
        }
        ended_ = true;
    }

    index_t work_;
    std::thread::id caller_;
    std::atomic<bool> ended_ = false;
    std::exception_ptr problem_;  ///< of the caller's thread alone
};

}  // namespace ddla::host_backend
