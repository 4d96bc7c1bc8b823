// The watches of a thread, and the work that it has done since they were asked.
#include "ddla/watched_scope.hpp"

#include "memory.hpp"

#include "ddla/fp_mode.hpp"

#include <utility>

namespace ddla {
namespace {

thread_local watched_scope* innermost = nullptr;
thread_local std::int64_t done = 0;
thread_local bool asking = false;  // what a watch does itself is not watched

}  // namespace

watched_scope::watched_scope(std::function<bool()> goes_on)
    : goes_on_(std::move(goes_on)), outer_(std::exchange(innermost, this))
{
    if (outer_ == nullptr) done = 0;  // looks depend on the work of this scope alone
}

watched_scope::~watched_scope()
{
    innermost = outer_;
}

bool work_goes_on()
{
    done = 0;
    if (asking) return true;
    struct guard {
        guard() { asking = true; }
        ~guard() { asking = false; }
    } const now;
    const fp_mode_guard as_before;  // should a watch leave another mode
    bool goes_on = true;
    for (watched_scope* s = innermost; s != nullptr; s = s->outer_) {
        s->ended_ = s->ended_ || (s->goes_on_ && !s->goes_on_());
        goes_on = goes_on && !s->ended_;
    }
    return goes_on;
}

bool work_has_ended()
{
    for (const watched_scope* s = innermost; s != nullptr; s = s->outer_)
        if (s->ended_) return true;
    return false;
}

void count_work(std::int64_t operations)
{
    if (innermost == nullptr || asking || unwatched_work::is_done()) return;
    done += operations;
    if (done >= operations_between_looks && !work_goes_on()) throw interrupted_error();
}

}  // namespace ddla
