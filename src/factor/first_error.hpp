// Errors of loops whose chunks may not throw.
#pragma once

#include "chunks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

namespace ddla::factor {

/// The first error of a loop whose parts may not throw; the others then end.
class first_error {
public:
    template <class Work>
    void guard(const Work& work) noexcept
    {
        if (is_there_) return;
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(one_);
            if (!is_there_) error_ = std::current_exception();
            is_there_ = true;
        }
    }
    bool is_there() const { return is_there_; }
    void rethrow() const
    {
        if (error_) std::rethrow_exception(error_);
    }

private:
    std::mutex one_;
    std::atomic<bool> is_there_ = false;
    std::exception_ptr error_;
};

/// f(begin, end) for pieces of 0, ..., n - 1 of at most `piece` elements, which may throw; several
/// at a time.
template <class F>
void run_pieces(const chunk_runner& run, index_t n, index_t piece, const F& f)
{
    first_error error;
    run.parts(n, piece, [&](index_t begin, index_t end) {
        error.guard([&] {
            for (index_t k = begin; k < end && !error.is_there(); k += piece)
                f(k, std::min(end, k + piece));
        });
    });
    error.rethrow();
}

}  // namespace ddla::factor
