// The format of the matrix of a command: what was asked for, what is remembered, or the usual one.
#pragma once

#include "cli/shell/command_line.hpp"

#include "ddla/format_memory.hpp"
#include "ddla/tune.hpp"

#include <string>

namespace ddla::cli {

/// A format, and why this one; `reason` goes after a colon and has no full stop.
struct chosen_format {
    format_report report = {};
    std::string reason = {};
};

void add_format(CLI::App& app, sparse_format& target);

/// Puts a matrix into its format, for products in one precision after the other.
class format_chooser {
public:
    /// Within memory_limit bytes, 0: what there is.
    format_chooser(sparse_format wanted, std::int64_t memory_limit, bool quiet)
        : wanted_(wanted), memory_limit_(static_cast<std::size_t>(memory_limit)), quiet_(quiet)
    {
    }

    /// Throws what set_format() throws where the user wants this format and no other.
    template <scalar T, scalar V>
    chosen_format choose(csr_matrix<V>& a);

    /// The format that is remembered for `a`; reports a problem with the file once.
    template <scalar T, scalar V>
    remembered_format recall(const csr_matrix<V>& a);

private:
    template <scalar T, scalar V>
    chosen_format choose_by_itself(csr_matrix<V>& a);

    sparse_format wanted_;
    std::size_t memory_limit_;
    bool quiet_;
    bool warned_ = false;
};

}  // namespace ddla::cli
