// Diagrams as SVG text.
#pragma once

#include <string>
#include <vector>

namespace ddla::validate {

/// Characters that HTML and XML give a meaning, as references; bytes that are not UTF-8 and
/// control characters as U+FFFD.
std::string escaped(const std::string& text);

struct curve {
    std::string name;
    std::vector<double> values;  ///< at 0, 1, …; those that are not above 0 are left out
};

/// Curves over the number of the value, with a logarithmic scale; at most 1000 points each.
std::string convergence_diagram(const std::vector<curve>& curves);

struct bars {
    std::string name;
    std::vector<double> counts;
};

/// Bars side by side for 0, 1, …; the last label means "and more".
std::string bar_diagram(const std::vector<bars>& series);

}  // namespace ddla::validate
