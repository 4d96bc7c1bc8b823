// The residual over the iteration, as SVG text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ddla::cli {

struct curve {
    struct stage {
        std::int64_t begin;  ///< its first iteration
        std::string name;
    };
    std::string name;
    std::vector<double> values;  ///< at 0, 1, …; those that are not above 0 are left out
    std::vector<stage> stages = {};
};

/// Relative residuals over the iteration, with a logarithmic scale; of curves with more than 1000
/// points the smallest and the largest of each stretch.  `limit`: a dashed line, none if 0.  A part
/// of a page, which brings the style (svg.hpp).
std::string convergence_diagram(const std::vector<curve>& curves, double limit);

/// The same as a file by itself, with a title, a legend and its style.
std::string convergence_file(const std::string& title, const std::vector<curve>& curves,
                             double limit);

}  // namespace ddla::cli
