// Run the command and see what it does.
#include "process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <pty.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

extern char** environ;  // NOLINT: POSIX wants it declared so

namespace cli_test {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

constexpr auto patience = std::chrono::minutes(2);

int status_of(int wait_status)
{
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -WTERMSIG(wait_status);
}

std::vector<char*> pointers(const std::string& program, const arguments& options)
{
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& option : options) argv.push_back(const_cast<char*>(option.c_str()));
    argv.push_back(nullptr);
    return argv;
}

/// Start a program with these files as its three standard ones.
pid_t spawn(const std::string& program, const arguments& options, const fs::path& in,
            const fs::path& out, const fs::path& err)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDWR, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
    pid_t pid = -1;
    const auto argv = pointers(program, options);
    const int code = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0) throw std::runtime_error("cannot start " + program);
    return pid;
}

int wait_for(pid_t pid)
{
    const auto deadline = clock::now() + patience;
    int status = 0;
    while (::waitpid(pid, &status, WNOHANG) == 0) {
        if (clock::now() > deadline) ::kill(pid, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return status_of(status);
}

/// As fork(), but a signal that comes before the child is another program is for that one.
pid_t fork_without_handlers()
{
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before);
    const pid_t pid = ::fork();
    if (pid == 0)
        for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return pid;
}

/// In the child: a pipe or a terminal in place of the standard outputs, then the command.
[[noreturn]] void become(const arguments& options, int out, int err)
{
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    const std::string program = DDLA_COMMAND;
    ::execv(program.c_str(), pointers(program, options).data());
    ::_exit(127);
}

/// The reading and the writing end.
std::array<int, 2> connect(bool terminal)
{
    std::array<int, 2> ends{-1, -1};
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 80;
    const int code =
        terminal ? ::openpty(&ends[0], &ends[1], nullptr, nullptr, &size) : ::pipe(ends.data());
    if (code != 0) throw std::runtime_error("no pipe or terminal");
    ::fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    ::fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return ends;
}

/// Append what is there; false at the end.  A terminal ends with EIO.
bool append(int descriptor, std::string& text)
{
    std::array<char, 4096> part;
    const ssize_t n = ::read(descriptor, part.data(), part.size());
    if (n > 0) text.append(part.data(), static_cast<std::size_t>(n));
    return n > 0;
}

}  // namespace

scratch::scratch()
{
    std::string name = (fs::temp_directory_path() / "ddla-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    folder_ = name;
}

scratch::~scratch()
{
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

std::string scratch::write(std::string_view name, std::string_view content) const
{
    const fs::path file = folder_ / name;
    std::ofstream(file, std::ios::binary) << content;
    return file.string();
}

std::size_t scratch::files() const
{
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
}

std::string read_file(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

result run_program(const std::string& program, const arguments& options)
{
    const scratch folder;
    const fs::path out = folder / "out", err = folder / "err";
    result r;
    r.exit_status = wait_for(spawn(program, options, "/dev/null", out, err));
    r.out = read_file(out);
    r.err = read_file(err);
    return r;
}

result run(const arguments& options)
{
    return run_program(DDLA_COMMAND, options);
}

result run_unread(const arguments& options)
{
    const scratch folder;
    const fs::path file = folder / "err";
    const int err = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const auto out = connect(false);
    ::close(out[0]);
    const pid_t pid = fork_without_handlers();
    if (pid == 0) become(options, out[1], err);
    ::close(out[1]);
    ::close(err);
    result r;
    r.exit_status = wait_for(pid);
    r.err = read_file(file);
    return r;
}

background::background(const arguments& options, bool terminal)
{
    const auto out = connect(false), err = connect(terminal);
    pid_ = fork_without_handlers();
    if (pid_ == 0) become(options, out[1], err[1]);
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
}

background::~background()
{
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    if (out_ >= 0) ::close(out_);
    if (err_ >= 0) ::close(err_);
}

void background::read_some()
{
    std::array<pollfd, 2> ends{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}};
    if (::poll(ends.data(), ends.size(), 100) <= 0) return;
    if (ends[0].revents != 0 && !append(out_, result_.out)) ::close(std::exchange(out_, -1));
    if (ends[1].revents != 0 && !append(err_, result_.err)) ::close(std::exchange(err_, -1));
}

bool background::waits_for(std::string_view text)
{
    const auto deadline = clock::now() + patience / 2;
    while (result_.err.find(text) == std::string::npos) {
        if (clock::now() > deadline || err_ < 0) return false;
        read_some();
    }
    return true;
}

bool background::has_written(int bytes) const
{
    const auto deadline = clock::now() + patience / 2;
    for (int there = 0; clock::now() < deadline;) {
        if (::ioctl(out_, FIONREAD, &there) != 0) return false;
        if (there >= bytes) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

void background::signal(int number) const
{
    ::kill(pid_, number);
}

result background::wait()
{
    const auto deadline = clock::now() + patience;
    while (out_ >= 0 || err_ >= 0) {
        if (clock::now() > deadline) ::kill(pid_, SIGKILL);
        read_some();
    }
    result_.exit_status = wait_for(std::exchange(pid_, -1));
    return result_;
}

}  // namespace cli_test
