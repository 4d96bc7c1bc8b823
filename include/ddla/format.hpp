// dd_real in std::format, and in fmt::format if <fmt/format.h> was included before.
//
//     std::format("{:>45.32e}", x);
//
// The specification is that of a double: [[fill]align][sign][#][0][width][.precision][type] with
// type e, E, f, F, g, G or none, width and precision also as {} or {n}.  Without type and precision
// the text is the shortest that reads back with the same bits.  Not supported: a, A (hexadecimal),
// L (locale), a fill of more than one byte.
#pragma once

#include "text.hpp"

#include <type_traits>
#include <version>

#if defined(__cpp_lib_format)
#include <format>
#endif

namespace ddla::detail {

/// A number of the specification: given, or the number of the argument that gives it.
struct format_number {
    int value = -1;
    int argument = -1;
};

struct format_specification {
    char fill = ' ';
    char align = '\0';
    bool zeros = false;
    format_number width;
    format_number precision;
    number_style style;
};

/// Reads a specification; `Error` is what the library wants thrown.
template <class Error, class Context>
class format_parser {
public:
    constexpr explicit format_parser(Context& context)
        : context_(context), p_(context.begin()), last_(context.end())
    {
    }

    constexpr auto parse(format_specification& to)
    {
        alignment(to);
        if (is_any("+- ")) to.style.plus = *p_ == '-' ? '\0' : *p_, ++p_;
        to.style.show_point = skip('#');
        to.zeros = skip('0');
        number(to.width);
        if (skip('.')) {
            number(to.precision);
            if (to.precision.value < 0 && to.precision.argument < 0)
                throw Error("a point without a precision");
            to.style.notation = notation::general;
        }
        type(to.style);
        if (p_ != last_ && *p_ != '}') throw Error("not a format of a ddla::dd_real");
        return p_;
    }

private:
    constexpr bool is_any(std::string_view characters) const
    {
        return p_ != last_ && characters.find(*p_) != std::string_view::npos;
    }
    constexpr bool skip(char c)
    {
        const bool there = p_ != last_ && *p_ == c;
        if (there) ++p_;
        return there;
    }
    constexpr void alignment(format_specification& to)
    {
        const auto is_align = [](char c) { return c == '<' || c == '>' || c == '^'; };
        if (p_ != last_ && p_ + 1 != last_ && is_align(p_[1])) {
            to.fill = p_[0];
            to.align = p_[1];
            p_ += 2;
        } else if (is_any("<>^")) {
            to.align = *p_++;
        }
    }
    constexpr int digits()
    {
        constexpr int greatest = 1000000;
        int value = -1;
        for (; is_any("0123456789"); ++p_) {
            value = (value < 0 ? 0 : value) * 10 + (*p_ - '0');
            if (value > greatest) throw Error("a width or precision above a million");
        }
        return value;
    }
    constexpr void number(format_number& to)
    {
        if (!skip('{')) {
            to.value = digits();
            return;
        }
        to.argument = digits();
        if (to.argument < 0)
            to.argument = static_cast<int>(context_.next_arg_id());
        else
            context_.check_arg_id(to.argument);
        if (!skip('}')) throw Error("no } behind the number of an argument");
    }
    constexpr void type(number_style& style)
    {
        if (!is_any("eEfFgG")) return;
        const char c = *p_++;
        style.uppercase = c < 'a';
        const char lower = style.uppercase ? static_cast<char>(c - 'A' + 'a') : c;
        style.notation = lower == 'e'   ? notation::scientific
                         : lower == 'f' ? notation::fixed
                                        : notation::general;
    }

    Context& context_;
    decltype(std::declval<Context&>().begin()) p_;
    decltype(std::declval<Context&>().end()) last_;
};

/// An argument as a width or precision.
template <class Error>
struct to_format_number {
    template <class T>
    int operator()(T x) const
    {
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
            if (x >= T(0) && x <= T(1000000)) return static_cast<int>(x);
        throw Error("a width or precision is no integer, negative, or above a million");
    }
};

std::string format(dd_real x, const format_specification& how, int width, int precision);

}  // namespace ddla::detail

#if defined(__cpp_lib_format)
template <>
class std::formatter<ddla::dd_real> {
public:
    constexpr auto parse(std::format_parse_context& context)
    {
        return ddla::detail::format_parser<std::format_error, std::format_parse_context>(context)
            .parse(how_);
    }
    template <class Context>
    auto format(ddla::dd_real x, Context& context) const
    {
        const auto number = [&](ddla::detail::format_number n) {
            return n.argument < 0
                       ? n.value
                       : std::visit_format_arg(ddla::detail::to_format_number<std::format_error>(),
                                               context.arg(n.argument));
        };
        const std::string text =
            ddla::detail::format(x, how_, number(how_.width), number(how_.precision));
        return std::copy(text.begin(), text.end(), context.out());
    }

private:
    ddla::detail::format_specification how_;
};
#endif

#if defined(FMT_VERSION)
template <>
class fmt::formatter<ddla::dd_real> {
public:
    template <class Context>
    constexpr auto parse(Context& context)
    {
        return ddla::detail::format_parser<fmt::format_error, Context>(context).parse(how_);
    }
    template <class Context>
    auto format(ddla::dd_real x, Context& context) const
    {
        const auto number = [&](ddla::detail::format_number n) {
            if (n.argument < 0) return n.value;
            const ddla::detail::to_format_number<fmt::format_error> convert;
            const auto argument = context.arg(n.argument);
            if constexpr (requires { argument.visit(convert); })
                return argument.visit(convert);
            else
                return fmt::visit_format_arg(convert, argument);
        };
        const std::string text =
            ddla::detail::format(x, how_, number(how_.width), number(how_.precision));
        return std::copy(text.begin(), text.end(), context.out());
    }

private:
    ddla::detail::format_specification how_;
};
#endif
