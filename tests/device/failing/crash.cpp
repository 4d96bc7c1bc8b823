#include "crash.hpp"

#include "calls.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <execinfo.h>
#include <unistd.h>

namespace test {

namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// sigdescr_np may be called from a handler, strsignal may not.
const char* description_of(int signal)
{
    const char* const text = ::sigdescr_np(signal);
    return text ? text : "unknown";
}

/// (snprintf of strings and integers allocates nothing in glibc, which is all that counts here: in
/// the worst case the report of a crash crashes.)
void tell(int signal)
{
    const calls::last_call at = calls::last();
    char line[512];
    const int length = std::snprintf(
        line, sizeof line, "\noutcome: signal %d (%s), last call of CUDA: %lld, %s, from %p\n",
        signal, description_of(signal), static_cast<long long>(at.number), at.function, at.from);
    if (length > 0 && ::write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0) return;
    void* callers[64];
    ::backtrace_symbols_fd(callers, ::backtrace(callers, 64), STDERR_FILENO);
}

extern "C" void tell_of_crash(int signal)
{
    tell(signal);
    ::raise(signal);  // SA_RESETHAND: the default action
}

}  // namespace

void report_crashes()
{
    void* first[1];
    ::backtrace(first, 1);  // the first call may load a library, which no handler should
    static char stack[1 << 16];
    const stack_t other{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
    ::sigaltstack(&other, nullptr);
    struct sigaction how {};
    how.sa_handler = tell_of_crash;
    how.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
    for (const int signal : signals) ::sigaction(signal, &how, nullptr);
    // What was said before the crash must not stay in a buffer.
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
}

}  // namespace test
