// Diagrams as SVG text.
#pragma once

#include <string>
#include <vector>

namespace ddla::validate {

/// Characters that HTML and XML give a meaning, as references; bytes that are not UTF-8 and
/// control characters as U+FFFD.
std::string escaped(const std::string& text);

/// Diagrams take colours, font and size from the page's style: classes s0, s1 of the series, `grid`
/// and `limit`.  Coordinates leave room for text of 24 units, which a narrow screen needs.  Each
/// has a title and a description in words.
struct curve {
    std::string name;
    std::vector<double> values;  ///< at 0, 1, …; those that are not above 0 are left out
};

/// Relative residuals over the iteration, with a logarithmic scale; of curves with more than 1000
/// points the smallest and the largest of each stretch.  `limit`: a dashed line, none if 0.
std::string convergence_diagram(const std::vector<curve>& curves, double limit);

struct bars {
    std::string name;
    std::vector<double> counts;
};

/// Components over their right digits 0, 1, …, bars side by side; the last label means "and more".
/// A bar of one component is seen however many others there are.
std::string bar_diagram(const std::vector<bars>& series);

/// What the colours of the series mean, as a line of HTML.
std::string colour_key(const std::vector<std::string>& names);

}  // namespace ddla::validate
