// Any arguments are a command that ddla runs, or an error in one line: never a crash, never a file
// that no argument names.
//
// The input: arguments, a line each ("" is the empty one); after an empty line the content of the
// file input.mtx.  The command runs in a temporary folder of some matrices.  Inputs that would
// leave it, or take long, are left out.
#include "command_folder.hpp"
#include "command_limits.hpp"
#include "require.hpp"

#include "cli/ddla_program.hpp"

#include "ddla/host_threads.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using fuzz::arguments;
using fuzz::require;

/// Keeps what is written to a stream.
class capture {
public:
    explicit capture(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(&kept_)) {}
    capture(const capture&) = delete;
    capture& operator=(const capture&) = delete;
    ~capture()
    {
        stream_.rdbuf(before_);
        stream_.clear();
    }
    std::string text() const { return kept_.str(); }

private:
    std::stringbuf kept_;
    std::ostream& stream_;
    std::streambuf* before_;
};

struct outcome {
    int status;
    std::string out, err;
};

outcome run(arguments words)
{
    std::vector<char*> argv{const_cast<char*>("ddla")};
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const capture out(std::cout), err(std::cerr);
    const int status = ddla::cli::run_ddla(static_cast<int>(argv.size()) - 1, argv.data());
    return {status, out.text(), err.text()};
}

bool holds(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

bool is_one_line(const std::string& text)
{
    return std::count_if(text.begin(), text.end(),
                         [](unsigned char c) { return c < ' ' || c == 127; }) == 1 &&
           text.back() == '\n';
}

/// What the machine may refuse: a device, a file, memory.  Anything else is ddla's own failure.
bool is_of_the_machine(const std::string& message)
{
    constexpr std::array parts{
        "device",         "CUDA",          "cannot be written",         "cannot be read",
        "writing failed", "out of memory", "computes on the host only", "NVIDIA driver"};
    return std::any_of(parts.begin(), parts.end(),
                       [&](const char* part) { return holds(message, part); });
}

void check(const arguments& words, const outcome& o)
{
    const std::string about =
        fuzz::joined(words) + "status " + std::to_string(o.status) + '\n' + o.err;
    require(o.status >= 0 && o.status <= 3, about);
    require(!o.err.starts_with("ddla: internal error"), about);
    if (words.empty()) {
        require(o.status == 2 && o.out.empty() && holds(o.err, "Exit status"), about);
        return;
    }
    if (o.status == 0) require(o.err.empty(), about);
    if (o.status >= 2) require(is_one_line(o.err) && o.err.starts_with("ddla: "), about);
    if (o.status == 3) require(is_of_the_machine(o.err), about);
}

}  // namespace

/// Copies are measured with vectors of 128 MiB, or less if memory does not suffice: under
/// AddressSanitizer it does not, beyond what libFuzzer needs.
extern "C" const char* __asan_default_options()
{
    return "allocator_may_return_null=1:max_allocation_size_mb=24";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static fuzz::command_folder folder;
    const auto [words, matrix] = fuzz::split({reinterpret_cast<const char*>(data), size});
    if (fuzz::leaves_folder(words) || fuzz::takes_long(words, matrix)) return 0;
    ddla::set_host_threads(1);
    const fuzz::arguments timed = fuzz::in_short_time(words);
    const outcome o = folder.inside(words, matrix, [&] { return run(timed); });
    check(words, o);
    return 0;
}
