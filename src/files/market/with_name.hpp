// The name of the file and the line, added to what a text is refused for.
#pragma once

#include "ddla/error.hpp"
#include "input_text.hpp"
#include "malformed.hpp"
#include "memory_limit.hpp"

#include <new>
#include <string>

namespace ddla::text {

/// Runs `read`; adds the name of the file and the line to its errors.
template <class Read>
auto with_name(characters text, const std::string& name, Read read)
{
    try {
        return read();
    } catch (const malformed& problem) {
        throw input_error(name + ":" + std::to_string(line_of(text, problem.position)) + ": " +
                          problem.cause);
    } catch (const too_large& problem) {
        throw resource_error(name + ":" + std::to_string(line_of(text, problem.position)) + ": " +
                             problem.cause);
    } catch (const std::bad_alloc&) {
        throw resource_error(name + ": not enough memory for what it holds");
    }
}

}  // namespace ddla::text
