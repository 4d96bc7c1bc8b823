// Ending long work from outside: reading a file, factors, conditions, conversions.
//
//     std::atomic<bool> stop = false;                       // set by a signal, another thread
//     const ddla::watched_scope scope([&] { return !stop; });
//     auto a = ddla::read_matrix<double>("large.mtx");      // interrupted_error once stop is true
//
// A solve has a watch of its own (solve_options::watch) and ends with a report in place of an
// error.  An interruption decides whether there is a result, never what it is.
#pragma once

#include "error.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace ddla {

/// The watch of a watched_scope has ended the work.
class interrupted_error : public error {
public:
    interrupted_error() : error("interrupted") {}
};

/// From construction to destruction long work of this thread asks `goes_on`, which may be called
/// at any time, in this thread, some hundred times a second at most while work is done; once it
/// is false, the work ends with interrupted_error.  Scopes nest: each one is asked.
class watched_scope {
public:
    explicit watched_scope(std::function<bool()> goes_on);
    watched_scope(const watched_scope&) = delete;
    watched_scope& operator=(const watched_scope&) = delete;
    ~watched_scope();

private:
    friend bool work_goes_on();
    friend bool work_has_ended();
    friend void count_work(std::int64_t);

    std::function<bool()> goes_on_;
    watched_scope* outer_;
    bool ended_ = false;
};

/// Operations between two looks at the watch: some milliseconds.
constexpr std::int64_t operations_between_looks = std::int64_t{1} << 18;

/// Whether all watches of this thread let it go on: asks them now.
bool work_goes_on();
/// Whether a watch of this thread has ended the work already.
bool work_has_ended();

/// So many operations of about a nanosecond, ten of those that miss the cache, are done since the
/// last call, or will be before the next.  Asks the watches of this thread every
/// operations_between_looks; throws interrupted_error where one ends the work.
void count_work(std::int64_t operations);

/// work(), with one more watch; false: it was interrupted.
template <class Work>
bool completed(std::function<bool()> goes_on, const Work& work)
try {
    const watched_scope scope(std::move(goes_on));
    work();
    return true;
} catch (const interrupted_error&) {
    return false;
}

}  // namespace ddla
