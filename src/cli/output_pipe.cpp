// The standard output under a file name.
#include "output_pipe.hpp"

#include "ddla/error.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>
#include <vector>

namespace ddla::cli {
namespace {

/// Read on even when writing has failed, or whoever fills the pipe would wait for ever.
void copy_to_output(int read_end)
{
    std::vector<char> part(1 << 16);
    for (ssize_t n; (n = ::read(read_end, part.data(), part.size())) != 0;) {
        if (n > 0) std::cout.write(part.data(), n);
        if (n < 0 && errno != EINTR) return std::cout.setstate(std::ios::badbit);
    }
}

} // namespace

output_pipe::output_pipe()
{
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw resource_error(std::string("no pipe to the standard output: ") +
                             std::strerror(errno));
    read_end_ = ends[0];
    write_end_ = ends[1];
    pump_ = std::thread(copy_to_output, read_end_);
}

output_pipe::~output_pipe()
{
    ::close(write_end_);
    pump_.join();
    ::close(read_end_);
}

} // namespace ddla::cli
