// The format of the matrix of a command: what was asked for, what is remembered, or the usual one.
#pragma once

#include "command_line.hpp"

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
    format_chooser(sparse_format wanted, bool quiet) : wanted_(wanted), quiet_(quiet) {}

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
    bool quiet_;
    bool warned_ = false;
};

}  // namespace ddla::cli
