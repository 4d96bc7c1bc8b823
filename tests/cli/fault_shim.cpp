// Preloaded into a program, makes the system fail it: a call returns an error or less than it was
// asked for, or a signal comes just before a call.
//
// DDLA_FAULT       "CALL ACTION FROM": from the FROM-th CALL on.  CALL: open (for writing), read,
//                  write, fsync, close, rename, mmap, madvise, fstat, allocate (in main);
//                  any of those; work: the same once the program handles SIGINT.  ACTION: ENOSPC,
//                  EIO, ENODEV, EFAULT, ENOMEM; EINTR (every second time); short (a few bytes at a
//                  time); grow (fstat tells too large a size); SIGINT (once); none.
// DDLA_FAULT_UNDER only files in this folder count; all if it is empty.
// DDLA_FAULT_COUNT at the end the number of calls becomes a line of this file.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<int> calls = 0;
std::atomic<bool> begun = false;  ///< main
std::atomic<bool> works = false;
int (*main_of_program)(int, char**, char**) = nullptr;

int begin(int count, char** arguments, char** environment)
{
    begun = true;
    return main_of_program(count, arguments, environment);
}

struct plan {
    char call[16] = "", action[16] = "none";
    int from = 0;
    const char* under = "";

    plan()
    {
        if (const char* text = std::getenv("DDLA_FAULT"))
            std::sscanf(text, "%15s %15s %d", call, action, &from);
        if (const char* text = std::getenv("DDLA_FAULT_UNDER")) under = text;
    }
    bool does(const char* what) const { return std::strcmp(action, what) == 0; }
    int number() const
    {
        if (does("ENOSPC")) return ENOSPC;
        if (does("ENODEV")) return ENODEV;
        if (does("EFAULT")) return EFAULT;
        if (does("EINTR")) return EINTR;
        return does("EIO") ? EIO : 0;
    }
};

const plan& the_plan()
{
    static const plan p;
    return p;
}

bool is_under(const char* file)
{
    return std::strncmp(file, the_plan().under, std::strlen(the_plan().under)) == 0;
}

bool is_under(int descriptor)
{
    if (the_plan().under[0] == '\0') return true;
    char link[64], file[512];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const long size = ::syscall(SYS_readlink, link, file, sizeof file - 1);
    file[size > 0 ? size : 0] = '\0';
    return is_under(file);
}

/// The number of this call if the plan is to act on it, else 0.
int hit(const char* call)
{
    const plan& p = the_plan();
    const bool counts = std::strcmp(p.call, "work") == 0
                            ? works.load()
                            : std::strcmp(p.call, "any") == 0 || std::strcmp(p.call, call) == 0;
    // What the program allocates before main cannot be caught.
    if (!counts || (std::strcmp(p.call, "allocate") == 0 && !begun)) return 0;
    const int number = ++calls;
    if (p.does("SIGINT")) {
        if (number == p.from) ::kill(::getpid(), SIGINT);
        return 0;
    }
    return number >= p.from ? number : 0;
}

/// Whether the call is to return -1 now.
bool fails(const char* call)
{
    const int number = hit(call), error = the_plan().number();
    if (number == 0 || error == 0 || (error == EINTR && number % 2 == 0)) return false;
    errno = error;
    return true;
}

template <class F>
F next(F, const char* name)
{
    return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

std::size_t piece(std::size_t bytes)
{
    if (!the_plan().does("short")) return bytes;
    const std::size_t sizes[] = {1, 2, 3, 61, 1, 127, 5};
    return std::min(bytes, sizes[static_cast<std::size_t>(calls) % 7]);
}

[[gnu::destructor]] void tell_count()
{
    const char* const file = std::getenv("DDLA_FAULT_COUNT");
    if (file == nullptr) return;
    if (std::FILE* out = std::fopen(file, "a")) {
        std::fprintf(out, "%d\n", calls.load());
        std::fclose(out);
    }
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int count, char** arguments, void (*init)(),
                      void (*fini)(), void (*at_end)(), void* stack)
{
    main_of_program = main;
    using function = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(),
                             void (*)(), void*);
    static const auto real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "__libc_start_main"));
    return real(begin, count, arguments, init, fini, at_end, stack);
}

int open(const char* file, int flags, ...)
{
    std::va_list more;
    va_start(more, flags);
    const auto mode = static_cast<mode_t>(va_arg(more, unsigned));
    va_end(more);
    if ((flags & O_ACCMODE) != O_RDONLY && is_under(file) && fails("open")) return -1;
    static const auto real = next(&::open, "open");
    return real(file, flags, mode);
}

ssize_t read(int descriptor, void* to, std::size_t bytes)
{
    if (is_under(descriptor)) {
        if (fails("read")) return -1;
        bytes = piece(bytes);
    }
    static const auto real = next(&::read, "read");
    return real(descriptor, to, bytes);
}

ssize_t write(int descriptor, const void* from, std::size_t bytes)
{
    if (is_under(descriptor)) {
        if (fails("write")) return -1;
        bytes = piece(bytes);
    }
    static const auto real = next(&::write, "write");
    return real(descriptor, from, bytes);
}

int fsync(int descriptor)
{
    static const auto real = next(&::fsync, "fsync");
    return is_under(descriptor) && fails("fsync") ? -1 : real(descriptor);
}

int close(int descriptor)
{
    static const auto real = next(&::close, "close");
    const bool failed = is_under(descriptor) && fails("close");
    const int number = errno, result = real(descriptor);
    if (!failed) return result;
    errno = number;
    return -1;
}

int rename(const char* from, const char* to) noexcept
{
    static const auto real = next(&::rename, "rename");
    return is_under(to) && fails("rename") ? -1 : real(from, to);
}

void* mmap(void* address, std::size_t bytes, int protection, int flags, int descriptor,
           off_t offset) noexcept
{
    if (descriptor >= 0 && is_under(descriptor) && fails("mmap")) return MAP_FAILED;
    static const auto real = next(&::mmap, "mmap");
    return real(address, bytes, protection, flags, descriptor, offset);
}

int madvise(void* address, std::size_t bytes, int advice) noexcept
{
    static const auto real = next(&::madvise, "madvise");
    return fails("madvise") ? -1 : real(address, bytes, advice);
}

int fstat(int descriptor, struct stat* to) noexcept
{
    static const auto real = next(&::fstat, "fstat");
    const int result = real(descriptor, to);
    if (is_under(descriptor) && hit("fstat") > 0 && the_plan().does("grow")) to->st_size += 1 << 20;
    return result;
}

int sigaction(int signal, const struct sigaction* action, struct sigaction* old) noexcept
{
    using function = int (*)(int, const struct sigaction*, struct sigaction*);
    static const auto real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "sigaction"));
    const int result = real(signal, action, old);
    works = works || (signal == SIGTERM && action != nullptr);  // the second of the two
    return result;
}

/// MPFR's: what ddla-validate does all the time.
void mpfr_init2(void* number, long bits)
{
    hit("allocate");
    static const auto real = next(&mpfr_init2, "mpfr_init2");
    real(number, bits);
}
}

// The program has others of operator new that end here.
void* operator new(std::size_t bytes)
{
    const bool is_out = hit("allocate") > 0 && the_plan().does("ENOMEM");
    if (is_out) {
        if (const auto told = std::get_new_handler()) told();
        throw std::bad_alloc();
    }
    static const auto real = reinterpret_cast<void* (*)(std::size_t)>(::dlsym(RTLD_NEXT, "_Znwm"));
    return real(bytes);
}
