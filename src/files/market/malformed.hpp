// How the parts of the reader say that a file is wrong, and where.
#pragma once

#include "files/decimal/decimal_scan.hpp"
#include "files/quote.hpp"

#include <string>
#include <utility>

namespace ddla::text {

/// Thrown by the parts that see text only; callers that know the file add its name and the line.
struct malformed {
    const char* position;
    std::string cause;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(const char* position, std::string cause)
{
    throw malformed{position, std::move(cause)};
}

}  // namespace ddla::text
