#include "ddla/format.hpp"

#include "ddla/fp_mode.hpp"

#include <cmath>

namespace ddla::detail {

std::string format(dd_real x, const format_specification& how, int width, int precision)
{
    const fp_mode_guard exact;
    number_style style = how.style;
    if (precision >= 0) style.precision = precision;
    std::string text = to_string(x, style);
    const std::size_t wanted = width < 0 ? 0 : static_cast<std::size_t>(width);
    if (text.size() >= wanted) return text;
    const std::size_t missing = wanted - text.size();
    if (how.align == '\0' && how.zeros && std::isfinite(x.hi)) {
        const bool has_sign = text[0] == '-' || text[0] == '+' || text[0] == ' ';
        return text.insert(has_sign ? 1 : 0, missing, '0');
    }
    // Numbers are right-aligned unless told otherwise.
    const std::size_t before = how.align == '<' ? 0 : how.align == '^' ? missing / 2 : missing;
    return std::string(before, how.fill) + text + std::string(missing - before, how.fill);
}

}  // namespace ddla::detail
