// Ctrl-C as a flag that the work polls.
#include "interrupt.hpp"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace ddla::cli {
namespace {

std::atomic<bool> requested_flag = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch such flags");

void set_flag(int)
{
    requested_flag = true;
}

void handle(int signal)
{
    struct sigaction action = {};
    action.sa_handler = set_flag;
    // The second signal has its usual effect.  Standard streams take EINTR for a failure.
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

interrupt_guard::interrupt_guard()
{
    requested_flag = false;
    handle(SIGINT);
    handle(SIGTERM);
}

bool interrupt_guard::requested() const
{
    return requested_flag;
}

held_signals::held_signals()
{
    sigset_t held;
    sigemptyset(&held);
    for (const int number : {SIGINT, SIGTERM}) sigaddset(&held, number);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
}

held_signals::~held_signals()
{
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace ddla::cli
