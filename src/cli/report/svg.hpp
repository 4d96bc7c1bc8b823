// Parts of diagrams as SVG text.
//
// Diagrams take colours, font and size from the style around them: classes s0, s1 of the series,
// `grid` and `limit`.  Coordinates leave room for text of 24 units, which a narrow screen needs.
// Each has a title and a description in words.
#pragma once

#include <string>

namespace ddla::cli::svg {

/// The whole, and the part with the data.
constexpr double width = 720, height = 340, left = 84, right = 38, top = 44, bottom = 64;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;

/// Colours for light and dark screens, as variables; and what the parts of a diagram have of them.
extern const char* const colours;
extern const char* const style;

/// A style with the light ones in place of variables, which many programs that show SVG lack.
std::string with_light_colours(std::string css);

/// Characters that HTML and XML give a meaning, as references; bytes that are not UTF-8 and
/// control characters as U+FFFD.
std::string escaped(const std::string& text);

std::string text_at(double x, double y, const char* anchor, const std::string& text);
std::string line_between(const char* kind, double x1, double y1, double x2, double y2);

/// A horizontal line of the grid, at this share of the height, and its label.
std::string level(double share, const std::string& label);

/// With a title and a description for those who do not see the diagram, and room above it.
std::string opening(const char* id, const std::string& title, const std::string& description,
                    double above = 0);

std::string axis_titles(const char* vertical, const char* horizontal);

/// 1, 2 or 5 times a power of ten, at least 1: at most `most` steps make `whole`.
double round_step(double whole, double most);

}  // namespace ddla::cli::svg
