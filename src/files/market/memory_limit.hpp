// What a file may take of memory, compared before it is taken.
#pragma once

#include "header.hpp"

#include <string>

namespace ddla::text {

/// Thrown by the parts that see text only; callers that know the file add its name and the line.
struct too_large {
    const char* position;
    std::string cause;
};

/// `asked` if it is not 0, else what the machine has.
std::size_t most_memory(std::size_t asked);
/// "memory_limit allows 1000", "the machine has 8589934592"
std::string text_of_limit(std::size_t asked);

/// Throws too_large unless the limit allows so many bytes beside the text; `asking` is what takes
/// them, "3 rows and 5 entries".
void require_room(const header& about, const sharing& how, const std::string& asking, double bytes);

}  // namespace ddla::text
