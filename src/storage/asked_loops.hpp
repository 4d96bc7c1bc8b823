// Long loops on the threads of the host that can be ended between their parts.
//
// Two things must come together: someone to ask, for the life of a loop_question, and a loop whose
// results are of no use until it has ended, for the life of an asked_loops.  Then the loop asks
// some hundred times a second and, once the answer is no, throws interrupted_error.
#pragma once

#include "ddla/watched_scope.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace ddla {

/// From construction to destruction asked loops of this thread ask `goes_on`, in this thread.
class loop_question {
public:
    explicit loop_question(std::function<bool()> goes_on)
        : goes_on_(std::move(goes_on)), outer_(std::exchange(innermost, this))
    {
    }
    loop_question(const loop_question&) = delete;
    loop_question& operator=(const loop_question&) = delete;
    ~loop_question() { innermost = outer_; }

    static bool is_there() { return innermost != nullptr; }
    /// What the innermost one answers, or throws.  Loops of the answer itself are not asked.
    static bool goes_on()
    {
        loop_question* const now = std::exchange(innermost, nullptr);
        struct guard {
            loop_question* asked;
            ~guard() { innermost = asked; }
        } const again{now};
        return now == nullptr || now->goes_on_();
    }

private:
    static inline thread_local loop_question* innermost = nullptr;
    std::function<bool()> goes_on_;
    loop_question* outer_;
};

/// From construction to destruction loops of this thread are asked.  `weight`: what an element of
/// theirs takes, in entries of a product.
class asked_loops {
public:
    explicit asked_loops(std::int64_t weight = 1) : outer_(std::exchange(innermost, weight)) {}
    asked_loops(const asked_loops&) = delete;
    asked_loops& operator=(const asked_loops&) = delete;
    ~asked_loops() { innermost = outer_; }

    /// Of the innermost one; 0 where loops are not asked.
    static std::int64_t weight();

private:
    static inline thread_local std::int64_t innermost = 0;
    std::int64_t outer_;
};

/// From construction to destruction no loop of this thread is asked, whatever is said inside: of
/// ranks, one that ends a loop by itself leaves the others waiting.
class unasked_loops {
public:
    unasked_loops() : outer_(std::exchange(is_there_, true)) {}
    unasked_loops(const unasked_loops&) = delete;
    unasked_loops& operator=(const unasked_loops&) = delete;
    ~unasked_loops() { is_there_ = outer_; }

    static bool is_there() { return is_there_; }

private:
    static inline thread_local bool is_there_ = false;
    bool outer_;
};

inline std::int64_t asked_loops::weight()
{
    return loop_question::is_there() && !unasked_loops::is_there() ? innermost : 0;
}

}  // namespace ddla
