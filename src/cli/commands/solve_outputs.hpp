// What a solve leaves: x in a file, reports, the exit status.
#pragma once

#include "cli/options/solve_request.hpp"
#include "cli/options/system_files.hpp"
#include "cli/shell/command.hpp"

#include <exception>
#include <functional>
#include <string>

namespace ddla::cli {

/// write(comment) writes the file of x.  A solve may have taken hours: whatever is wrong with the
/// output, the report comes first.
void write_solution(const solve_request& r, solve_results& results,
                    const std::function<void(const std::string&)>& write);

template <scalar T>
auto writer_of(const solve_request& r, const any_vectors<T>& x)
{
    return [&](const std::string& comment) {
        return x.is_complex ? write_complex_vectors(r.output, x.numbers, comment)
                            : write_vectors(r.output, x.numbers, comment);
    };
}
inline auto writer_of(const solve_request& r, const file_content<four_word_vector>& x)
{
    return [&](const std::string& comment) {
        const auto& [high, low] = x.numbers;
        return x.is_complex ? write_complex_vector(r.output, high, low, comment)
                            : write_vector(r.output, high, low, comment);
    };
}

/// All that was asked for, whatever of it fails; returns the first failure.
std::exception_ptr write_reports(const solve_request& r, const solve_results& results);

/// An iterate that is not finite cannot be written, but is no mistake of the caller.
exit_status status_of(const solve_request& r, const solve_results& results,
                      const std::exception_ptr& failed);

}  // namespace ddla::cli
