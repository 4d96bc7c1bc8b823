// Loops whose parts several threads may share: this layer starts no thread, who calls it says how.
#pragma once

#include "ddla/views.hpp"

#include <algorithm>

namespace ddla::factor {

/// Runs loops; one made by default does them on the thread of the caller.
class chunk_runner {
public:
    /// f(argument, chunk) for 0 <= chunk < chunks, in any order and several at a time; returns when
    /// all are done.
    using loop = void (*)(index_t chunks, void (*f)(const void*, index_t), const void* argument);

    chunk_runner() = default;
    /// Parts have `work` elements or entries at least.
    chunk_runner(int threads, loop run, index_t work = 4096)
        : threads_(threads), run_(run), work_(work)
    {
    }

    /// About how many chunks run at a time.
    int threads() const { return threads_; }
    index_t work() const { return work_; }

    /// f(chunk) for 0 <= chunk < chunks.  f must not throw, nor run a loop.
    template <class F>
    void each(index_t chunks, const F& f) const
    {
        if (!run_ || chunks < 2) {
            for (index_t chunk = 0; chunk < chunks; ++chunk) f(chunk);
            return;
        }
        run_(
            chunks, [](const void* g, index_t chunk) { (*static_cast<const F*>(g))(chunk); }, &f);
    }
    /// f(begin, end) for parts of 0, ..., n - 1; each but the last of `least` elements or more.
    template <class F>
    void parts(index_t n, index_t least, const F& f) const
    {
        // Several for each thread, so that a slow one does not hold up the rest.
        constexpr index_t parts_of_thread = 8;
        const index_t wanted = threads_ > 1 ? parts_of_thread * threads_ : 1;
        const index_t part = std::max({least, (n + wanted - 1) / wanted, index_t{1}});
        each((n + part - 1) / part,
             [&](index_t chunk) { f(chunk * part, std::min(n, (chunk + 1) * part)); });
    }
    /// The same with parts that are worth it for loops over elements.
    template <class F>
    void parts(index_t n, const F& f) const
    {
        parts(n, work_, f);
    }

private:
    int threads_ = 1;
    loop run_ = nullptr;
    index_t work_ = 4096;
};

}  // namespace ddla::factor
