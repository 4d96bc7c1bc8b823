// Components over their right digits, as SVG text.
#pragma once

#include <string>
#include <vector>

namespace ddla::validate {

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
