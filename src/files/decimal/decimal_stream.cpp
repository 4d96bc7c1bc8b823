// dd_real in streams.
#include "ddla/text.hpp"

#include <istream>
#include <ostream>

namespace ddla {
namespace {

number_style style_of(const std::ios_base& stream)
{
    const auto flags = stream.flags();
    const auto set = [&](std::ios_base::fmtflags flag) { return (flags & flag) != 0; };
    number_style style{.notation = notation::general,
                       .precision = static_cast<int>(stream.precision()),
                       .show_point = set(std::ios_base::showpoint),
                       .uppercase = set(std::ios_base::uppercase),
                       .plus = set(std::ios_base::showpos) ? '+' : '\0'};
    if (set(std::ios_base::scientific))
        style.notation = notation::scientific;
    else if (set(std::ios_base::fixed))
        style.notation = notation::fixed;
    return style;
}

/// Whether c can come next in a number of which `text` was read.
bool continues(const std::string& text, char c)
{
    const auto has = [&](const char* any) { return text.find_first_of(any) != std::string::npos; };
    if (c >= '0' && c <= '9') return true;
    if (c == '.') return !has(".eE");
    if (c == 'e' || c == 'E') return has("0123456789") && !has("eE");
    return (c == '+' || c == '-') && (text.empty() || text.back() == 'e' || text.back() == 'E');
}

}  // namespace

std::ostream& operator<<(std::ostream& out, dd_real x)
{
    std::string text = to_string(x, style_of(out));
    const auto width = static_cast<std::size_t>(std::max<std::streamsize>(out.width(), 0));
    if (text.size() < width) {
        const auto adjust = out.flags() & std::ios_base::adjustfield;
        const bool has_sign = text[0] == '-' || text[0] == '+';
        std::size_t at = 0;
        if (adjust == std::ios_base::left) at = text.size();
        if (adjust == std::ios_base::internal && has_sign) at = 1;
        text.insert(at, width - text.size(), out.fill());
    }
    out.width(0);
    const std::ostream::sentry ready(out);
    if (ready && out.rdbuf()->sputn(text.data(), static_cast<std::streamsize>(text.size())) !=
                     static_cast<std::streamsize>(text.size()))
        out.setstate(std::ios_base::badbit);
    return out;
}

std::istream& operator>>(std::istream& in, dd_real& x)
{
    const std::istream::sentry ready(in);
    if (!ready) return in;
    std::string text;
    auto state = std::ios_base::goodbit;
    using traits = std::istream::traits_type;
    auto c = in.rdbuf()->sgetc();
    while (!traits::eq_int_type(c, traits::eof()) && continues(text, traits::to_char_type(c))) {
        text += traits::to_char_type(c);
        c = in.rdbuf()->snextc();
    }
    if (traits::eq_int_type(c, traits::eof())) state |= std::ios_base::eofbit;
    const std::size_t sign = text.starts_with('+') ? 1 : 0;
    dd_real value{0, 0};
    const char* last = text.data() + text.size();
    const auto [end, problem] = from_chars(text.data() + sign, last, value);
    if (problem != std::errc{} || end != last) state |= std::ios_base::failbit;
    x = problem == std::errc::invalid_argument || end != last ? dd_real(0, 0) : value;
    in.setstate(state);
    return in;
}

}  // namespace ddla
