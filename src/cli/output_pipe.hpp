// The standard output under a file name, for what writes to files by name.
#pragma once

#include <filesystem>
#include <thread>

namespace ddla::cli {

/// What is written to name() goes to the standard output, as it comes.  /dev/stdout is not such a
/// name: behind a redirection it is a regular file, which a careful writer would replace.
class output_pipe {
public:
    output_pipe();
    output_pipe(const output_pipe&) = delete;
    output_pipe& operator=(const output_pipe&) = delete;
    /// Returns when all is written; failures are left in the state of std::cout.
    ~output_pipe();

    std::filesystem::path name() const { return "/dev/fd/" + std::to_string(write_end_); }

private:
    int read_end_ = -1, write_end_ = -1;
    std::thread pump_;
};

} // namespace ddla::cli
