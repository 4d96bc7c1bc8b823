// What a validation has found, and the reports of it.
#pragma once

#include "measures.hpp"

#include "ddla/report_json.hpp"
#include "ddla/solve.hpp"

#include <filesystem>
#include <optional>

namespace ddla::validate {

/// An x that was validated: of a solve, or of a file.
struct judged {
    std::string title;                  ///< "double", "double-double", or the name of a file
    std::optional<solve_report> solve;  ///< none for a file
    right_digits digits = {};
    backward_errors backward = {};
    double bound = 0;  ///< FERR
};

/// The reference without its numbers.
struct reference_facts {
    double agreed_digits, rcond, skeel;
    int bits, lower_bits;
    std::int64_t entries;
    double seconds;
};

struct validation {
    std::filesystem::path matrix;
    index_t rows = 0, nonzeros = 0;
    bool is_complex = false;           ///< rows and nonzeros are those of the real form
    std::string right_hand_side, how;  ///< "BiCGStab, no preconditioner, tolerance 1e-12"
    double tolerance = 0;              ///< of the solves; 0: none
    int wanted_digits = 6;
    bool normwise = false;
    std::vector<judged> all = {};                   ///< the last one decides
    std::optional<reference_facts> reference = {};  ///< none after an interrupt
    bool interrupted = false;
    std::vector<read_file> read = {};  ///< the files of the system

    double decisive_digits(const judged& x) const
    {
        return normwise ? x.digits.normwise : x.digits.worst;
    }
    bool passed() const
    {
        return reference && !all.empty() && decisive_digits(all.back()) >= wanted_digits;
    }
};

/// The report for people, at most 80 columns wide.
std::string validation_text(const validation& v);

/// "PASS: …" or "FAIL: …", one line without its end.
std::string verdict(const validation& v);

/// The report for programs; numbers that are not finite become null.
std::string validation_json(const validation& v);

/// One self-contained page.
std::string validation_html(const validation& v);

}  // namespace ddla::validate
