#include "child.hpp"

#include "ddla/ddla.hpp"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <malloc.h>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hard {

namespace {

/// Memory that parent and child see: an outcome, then the elements of x.
class shared_memory {
public:
    explicit shared_memory(ddla::index_t n)
        : bytes_(offset + static_cast<std::size_t>(n) * sizeof(ddla::dd_real)),
          p_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
    {
        if (p_ == MAP_FAILED) throw ddla::resource_error("no shared memory");
        new (p_) outcome;
    }
    ~shared_memory() { munmap(p_, bytes_); }
    shared_memory(const shared_memory&) = delete;
    shared_memory& operator=(const shared_memory&) = delete;

    outcome& said() const { return *static_cast<outcome*>(p_); }
    ddla::dd_real* x() const
    {
        return reinterpret_cast<ddla::dd_real*>(static_cast<char*>(p_) + offset);
    }

private:
    static constexpr std::size_t offset = 4096;
    static_assert(sizeof(outcome) <= offset);
    std::size_t bytes_;
    void* p_;
};

double peak_resident()
{
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_maxrss) * 1024;
}

double address_space()
{
    std::ifstream file("/proc/self/statm");
    double pages = 0;
    file >> pages;
    return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void set_limits(const limits& most)
{
    const auto seconds = static_cast<rlim_t>(std::ceil(most.seconds));
    const rlimit time = {seconds, seconds + 1};
    setrlimit(RLIMIT_CPU, &time);
    if (most.bytes > 0) {
        const auto bytes = static_cast<rlim_t>(address_space() + most.bytes);
        const rlimit memory = {bytes, bytes};
        setrlimit(RLIMIT_AS, &memory);
    }
    const rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(static_cast<unsigned>(std::ceil(most.wall_seconds)));
}

/// What the child does; it ends here, without destructors of what it inherited.
[[noreturn]] void be_child(const method& m, const problem& p, const limits& most,
                           const shared_memory& shared)
{
    // Others print what they like, of which the table would be spoilt.
    std::fflush(nullptr);
    if (!std::freopen("/dev/null", "w", stdout)) _exit(3);
    if (!std::freopen("/dev/null", "w", stderr)) _exit(3);
    set_limits(most);
    outcome& out = shared.said();
    out.resident_before = peak_resident();
    try {
        m.run(p, out, shared.x());
    } catch (const std::exception& e) {
        out.claims = false;
        set_status(out, e.what());
    }
    out.finished = true;
    _exit(0);
}

std::string end_of(int status, const outcome& said)
{
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        if (signal == SIGXCPU || signal == SIGKILL) return "time limit";
        if (signal == SIGALRM) return "hang";
        return "crash " + std::to_string(signal);
    }
    if (WEXITSTATUS(status) != 0) return "exit " + std::to_string(WEXITSTATUS(status));
    return said.finished ? "ok" : "exit 0";
}

}  // namespace

child_result run_in_child(const method& m, const problem& p, const limits& most)
{
    const shared_memory shared(p.a.rows());
    malloc_trim(0);  // else the child could fill what its parent has freed, uncounted
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) throw ddla::resource_error("cannot start a process");
    if (child == 0) be_child(m, p, most, shared);
    int status = 0;
    rusage used = {};
    while (wait4(child, &status, 0, &used) < 0)
        if (errno != EINTR) throw ddla::resource_error("lost a process");

    child_result result;
    result.said = shared.said();
    result.end = end_of(status, result.said);
    result.peak_bytes = static_cast<double>(used.ru_maxrss) * 1024 - result.said.resident_before;
    if (result.end != "ok") result.said.claims = result.said.has_x = false;
    if (result.said.has_x) {
        result.x = ddla::vector<ddla::dd_real>(p.a.rows());
        for (ddla::index_t i = 0; i < p.a.rows(); ++i) result.x.set(i, shared.x()[i]);
    }
    return result;
}

}  // namespace hard
