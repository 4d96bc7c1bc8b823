// What a call is refused with.
#pragma once

#include "ddla/error.hpp"

#include <string>

namespace test {

/// The sentence of the input_error that it throws, or nothing.
template <class Call>
std::string refusal(const Call& call)
{
    try {
        call();
    } catch (const ddla::input_error& e) {
        return e.what();
    }
    return "";
}

}  // namespace test
