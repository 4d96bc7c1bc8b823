#include "memory_limit.hpp"

#include "storage/memory.hpp"

#include <array>
#include <cstdio>

namespace ddla::text {

std::size_t most_memory(std::size_t asked)
{
    return asked > 0 ? asked : bytes_of_machine();
}

std::string text_of_limit(std::size_t asked)
{
    return (asked > 0 ? "memory_limit allows " : "the machine has ") +
           std::to_string(most_memory(asked));
}

void require_room(const header& about, const sharing& how, const std::string& asking, double bytes)
{
    const double all = bytes + static_cast<double>(how.text_bytes);
    if (all <= static_cast<double>(most_memory(how.memory_limit))) return;
    std::array<char, 64> number;  // it may be above 2^64
    std::snprintf(number.data(), number.size(), "%.0f", all);
    throw too_large{about.sizes, asking + " take at least " + number.data() + " bytes" +
                                     (how.text_bytes > 0 ? " with the text" : "") + ", " +
                                     text_of_limit(how.memory_limit)};
}

}  // namespace ddla::text
