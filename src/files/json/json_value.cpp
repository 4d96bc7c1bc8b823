#include "json_value.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace ddla::text {
namespace {

constexpr char digits_of_hex[] = "0123456789abcdef";

/// The bytes of the character at the front, or 0 if it is none; `bad` is then how many to replace.
std::size_t character(std::string_view text, std::size_t& bad)
{
    const auto byte = [&](std::size_t k) {
        return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
    };
    const unsigned first = byte(0);
    bad = 1;
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    // No longer forms, no surrogates, nothing beyond U+10FFFF.
    const unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < least || byte(1) > most) return 0;
    for (bad = 2; bad < length; ++bad)
        if (byte(bad) < 0x80 || byte(bad) > 0xBF) return 0;
    return length;
}

void write_escaped(char c, std::string& to)
{
    constexpr std::string_view plain = "\"\\\b\f\n\r\t", names = "\"\\bfnrt";
    const auto byte = static_cast<unsigned char>(c);
    if (const auto k = plain.find(c); k != plain.npos)
        (to += '\\') += names[k];
    else if (byte < 0x20)
        (((to += "\\u00") += digits_of_hex[byte / 16])) += digits_of_hex[byte % 16];
    else
        to += c;
}

void write_text(std::string_view text, std::string& to)
{
    to += '"';
    for (std::size_t bad = 0; !text.empty();) {
        const std::size_t length = character(text, bad);
        if (length == 1)
            write_escaped(text.front(), to);
        else if (length > 1)
            to += text.substr(0, length);
        else
            to += "\xEF\xBF\xBD";
        text.remove_prefix(length > 0 ? length : bad);
    }
    to += '"';
}

/// The fewest digits that read back as x, with a point or an exponent.
void write_number(double x, std::string& to)
{
    if (!std::isfinite(x)) {
        to += "null";
        return;
    }
    std::array<char, 32> buffer{};  // its end ends the exponent
    const char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x,
                                          std::chars_format::scientific)
                                .ptr;
    const std::string_view all(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    const std::size_t e = all.find('e');
    std::string digits;
    for (const char c : all.substr(0, e))
        if (c >= '0' && c <= '9') digits += c;
    const int point = std::atoi(all.data() + e + 1) + 1;  // 0.DIGITS times 10^point
    const int count = static_cast<int>(digits.size());
    if (std::signbit(x)) to += '-';
    if (x == 0) {
        to += "0.0";
    } else if (point > 15 || point <= -4) {
        to += digits.substr(0, 1);
        if (count > 1) (to += '.') += digits.substr(1);
        to += all.substr(e);
    } else if (point <= 0) {
        to += "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    } else {
        if (count <= point) digits.append(static_cast<std::size_t>(point - count) + 1, '0');
        to += digits.insert(static_cast<std::size_t>(point), 1, '.');
    }
}

}  // namespace

class json_value::writer {
public:
    writer(int indent, std::string& to) : indent_(indent), to_(to) {}

    void operator()(std::monostate) { to_ += "null"; }
    void operator()(bool x) { to_ += x ? "true" : "false"; }
    void operator()(std::int64_t x) { to_ += std::to_string(x); }
    void operator()(std::uint64_t x) { to_ += std::to_string(x); }
    void operator()(double x) { write_number(x, to_); }
    void operator()(const std::string& x) { write_text(x, to_); }
    void operator()(const items& all)
    {
        list('[', ']', all.size(), [&](std::size_t k) { std::visit(*this, all[k].value_); });
    }
    void operator()(const members& all)
    {
        list('{', '}', all.names.size(), [&](std::size_t k) {
            write_text(all.names[k], to_);
            to_ += ": ";
            std::visit(*this, all.values[k].value_);
        });
    }

private:
    template <class Write>
    void list(char open, char close, std::size_t count, const Write& write)
    {
        to_ += open;
        ++depth_;
        for (std::size_t k = 0; k < count; ++k) {
            if (k > 0) to_ += ',';
            new_line();
            write(k);
        }
        --depth_;
        if (count > 0) new_line();
        to_ += close;
    }
    void new_line() { (to_ += '\n').append(static_cast<std::size_t>(depth_ * indent_), ' '); }

    int indent_, depth_ = 0;
    std::string& to_;
};

json_value::json_value(std::initializer_list<member> all) : value_(members())
{
    for (const member& m : all) (*this)[m.name] = m.value;
}

void json_value::push_back(json_value x)
{
    std::get<items>(value_).push_back(std::move(x));
}

json_value& json_value::operator[](std::string_view name)
{
    if (std::holds_alternative<std::monostate>(value_)) value_ = members();
    auto& all = std::get<members>(value_);
    for (std::size_t k = 0; k < all.names.size(); ++k)
        if (all.names[k] == name) return all.values[k];
    all.names.emplace_back(name);
    return all.values.emplace_back();
}

std::string json_value::text(int indent) const
{
    std::string to;
    std::visit(writer(indent, to), value_);
    return to;
}

}  // namespace ddla::text
