#include "format_entries.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

namespace ddla::api {

namespace {

std::string quoted(const std::string& text)
{
    return '"' + plain(text) + '"';
}

std::string hexadecimal(std::uint64_t x)
{
    std::array<char, 17> text;
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(x));
    return text.data();
}

std::string shortest(double x)
{
    std::array<char, 32> text;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}

std::string text_of(const format_entry& e)
{
    const auto field = [](const char* name, const std::string& text) {
        return std::string(", \"") + name + "\": " + text;
    };
    const format_key& k = e.key;
    return "{\"structure\": " + quoted(hexadecimal(k.structure)) +
           field("rows", std::to_string(k.rows)) + field("columns", std::to_string(k.columns)) +
           field("entries", std::to_string(k.entries)) + field("place", quoted(k.place)) +
           field("vectors", quoted(k.vectors)) + field("values", quoted(k.values)) +
           field("version", quoted(k.version)) + field("format", quoted(e.format)) +
           field("threads_per_row", std::to_string(e.threads_per_row)) +
           field("window", std::to_string(e.window)) +
           field("microseconds", shortest(e.microseconds)) + "}";
}

/// The fields of an entry under their names; strings without their quotes.
using fields = std::map<std::string, std::string, std::less<>>;

/// What is wrong with a text needs no more words than this.
struct malformed {};

void require(bool holds)
{
    if (!holds) throw malformed();
}

/// Takes tokens off the front of a text.
class scanner {
public:
    explicit scanner(std::string_view text) : rest_(text) {}

    /// Takes `c` if it is next.
    bool has(char c)
    {
        skip_blanks();
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c) { require(has(c)); }
    void expect_end()
    {
        skip_blanks();
        require(rest_.empty());
    }
    std::string string()
    {
        expect('"');
        std::string text = taken(rest_.find_first_of("\"\\\n"));
        expect('"');
        return text;
    }
    std::string string_or_number()
    {
        skip_blanks();
        require(!rest_.empty());
        if (rest_.front() == '"') return string();
        return taken(rest_.find_first_not_of("0123456789+-.eE"));
    }

private:
    void skip_blanks()
    {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    }
    std::string taken(std::size_t n)
    {
        require(n != std::string_view::npos);
        std::string text(rest_.substr(0, n));
        rest_.remove_prefix(n);
        return text;
    }

    std::string_view rest_;
};

fields fields_of(scanner& in)
{
    fields all;
    in.expect('{');
    do {
        const std::string name = in.string();
        in.expect(':');
        all[name] = in.string_or_number();
    } while (in.has(','));
    in.expect('}');
    return all;
}

const std::string& field(const fields& all, std::string_view name)
{
    const auto at = all.find(name);
    require(at != all.end());
    return at->second;
}

template <class N, class... Base>
N number(const std::string& text, Base... base)
{
    N n{};
    const char* const end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, n, base...);
    require(code == std::errc() && rest == end && n >= N(0));
    return n;
}

format_entry entry_of(const fields& all)
{
    const auto count = [&](const char* name) { return number<index_t>(field(all, name)); };
    format_entry e;
    e.key = {number<std::uint64_t>(field(all, "structure"), 16),
             count("rows"),
             count("columns"),
             count("entries"),
             field(all, "place"),
             field(all, "vectors"),
             field(all, "values"),
             field(all, "version")};
    e.format = field(all, "format");
    e.threads_per_row = count("threads_per_row");
    e.window = count("window");
    e.microseconds = number<double>(field(all, "microseconds"));
    require(std::isfinite(e.microseconds));
    return e;
}

std::vector<format_entry> all_entries(scanner& in)
{
    std::vector<format_entry> entries;
    in.expect('{');
    require(in.string() == "ddla");
    in.expect(':');
    require(in.string() == "formats");
    in.expect(',');
    require(in.string() == "entries");
    in.expect(':');
    in.expect('[');
    if (in.has(']')) return entries;
    do entries.push_back(entry_of(fields_of(in)));
    while (in.has(','));
    in.expect(']');
    return entries;
}

}  // namespace

std::string plain(std::string name)
{
    for (char& c : name)
        if (c < ' ' || c > '~' || c == '"' || c == '\\') c = '_';
    return name;
}

std::string text_of(const std::vector<format_entry>& entries)
{
    std::string text = "{\"ddla\": \"formats\", \"entries\": [";
    for (const format_entry& e : entries)
        text += (&e == entries.data() ? "\n" : ",\n") + text_of(e);
    return text + "\n]}\n";
}

std::optional<std::vector<format_entry>> entries_of(std::string_view text)
try {
    scanner in(text);
    std::vector<format_entry> entries = all_entries(in);
    in.expect('}');
    in.expect_end();
    return entries;
} catch (const malformed&) {
    return {};
}

}  // namespace ddla::api
