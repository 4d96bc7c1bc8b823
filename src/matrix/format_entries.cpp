#include "format_entries.hpp"

#include "files/json/json_value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <utility>
#include <variant>

namespace ddla::api {

namespace {

std::string hexadecimal(std::uint64_t x)
{
    std::array<char, 17> text;
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(x));
    return text.data();
}

text::json_value json_of(const format_entry& e)
{
    const format_key& k = e.key;
    return {{"structure", hexadecimal(k.structure)},
            {"rows", k.rows},
            {"columns", k.columns},
            {"entries", k.entries},
            {"place", plain(k.place)},
            {"vectors", plain(k.vectors)},
            {"values", plain(k.values)},
            {"version", plain(k.version)},
            {"format", plain(e.format)},
            {"threads_per_row", e.threads_per_row},
            {"microseconds", e.microseconds}};
}

/// The text is not valid; callers need no reason.
struct malformed {};

void require(bool holds)
{
    if (!holds) throw malformed();
}

/// A field of an entry: what it holds, or nothing if that is neither text nor a number.
struct field {
    std::string name;
    std::variant<std::monostate, std::string, std::uint64_t, double> value;
};

constexpr std::string_view names_of_fields[] = {
    "structure", "rows",    "columns", "entries",         "place",       "vectors",
    "values",    "version", "format",  "threads_per_row", "microseconds"};

/// Of an entry, those that are known.
class fields {
public:
    /// Of fields with one name the last one counts.
    void put(field f)
    {
        if (std::ranges::find(names_of_fields, f.name) == std::end(names_of_fields)) return;
        for (field& known : all_)
            if (known.name == f.name) return void(known = std::move(f));
        all_.push_back(std::move(f));
    }
    const std::string& text(const char* name) const { return get<std::string>(name); }
    /// Not negative.
    index_t count(const char* name) const
    {
        const auto x = get<std::uint64_t>(name);
        require(x <= INT64_MAX);
        return static_cast<index_t>(x);
    }
    double number(const char* name) const
    {
        const auto* const whole = std::get_if<std::uint64_t>(&find(name).value);
        return whole ? static_cast<double>(*whole) : get<double>(name);
    }

private:
    const field& find(const char* name) const
    {
        const auto at =
            std::find_if(all_.begin(), all_.end(), [&](const field& f) { return f.name == name; });
        require(at != all_.end());
        return *at;
    }
    template <class X>
    const X& get(const char* name) const
    {
        const X* const x = std::get_if<X>(&find(name).value);
        require(x != nullptr);
        return *x;
    }

    std::vector<field> all_;
};

std::uint64_t structure_in(const std::string& digits)
{
    std::uint64_t x = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, code] = std::from_chars(digits.data(), end, x, 16);
    require(code == std::errc() && rest == end);
    return x;
}

format_entry entry_of(const fields& all)
{
    format_entry e;
    e.key = {structure_in(all.text("structure")),
             all.count("rows"),
             all.count("columns"),
             all.count("entries"),
             all.text("place"),
             all.text("vectors"),
             all.text("values"),
             all.text("version")};
    e.format = all.text("format");
    e.threads_per_row = all.count("threads_per_row");
    e.microseconds = all.number("microseconds");
    require(e.microseconds >= 0);
    return e;
}

/// Takes the entries while the text is read.  No tree of it is made: one that is destroyed where
/// memory is out would end the program.
class entries_reader {
public:
    using json = nlohmann::json;

    std::vector<format_entry> finish()
    {
        require(is_ours_ && has_entries_);
        return std::move(entries_);
    }

    // Called by the parser; false ends it.
    bool null() { return take({}); }
    bool boolean(bool) { return take({}); }
    bool number_integer(json::number_integer_t x) { return take(static_cast<double>(x)); }
    bool number_unsigned(json::number_unsigned_t x) { return take(std::uint64_t{x}); }
    bool number_float(json::number_float_t x, const json::string_t&) { return take(x); }
    bool string(json::string_t& x) { return take(std::move(x)); }
    bool binary(json::binary_t&) { return false; }
    bool start_object(std::size_t)
    {
        if (depth_ == 2 && in_entries_)
            entry_ = {};
        else if (depth_ > 0)
            take({});
        ++depth_;
        return true;
    }
    bool key(json::string_t& name)
    {
        if (depth_ == 1) in_entries_ = name == "entries";
        if (depth_ == 1 || (depth_ == 3 && in_entries_)) name_ = std::move(name);
        return true;
    }
    bool end_object()
    {
        --depth_;
        if (depth_ == 2 && in_entries_) entries_.push_back(entry_of(entry_));
        return true;
    }
    bool start_array(std::size_t)
    {
        require(depth_ > 0);
        if (depth_ == 1 && in_entries_) {
            entries_.clear();
            has_entries_ = true;
        } else {
            take({});
        }
        ++depth_;
        return true;
    }
    bool end_array() { return --depth_, true; }
    bool parse_error(std::size_t, const std::string&, const json::exception&) { return false; }

private:
    using any = decltype(field::value);

    /// A value, or the beginning of one that has others in it.
    bool take(any value)
    {
        require(depth_ > 0);  // the whole is an object
        if (depth_ == 1 && name_ == "ddla") {
            const auto* const text = std::get_if<std::string>(&value);
            is_ours_ = text && *text == "formats";
        }
        if (depth_ == 1 && in_entries_) has_entries_ = false;
        require(!(depth_ == 2 && in_entries_ && has_entries_));  // each is an object
        if (depth_ == 3 && in_entries_) entry_.put({name_, std::move(value)});
        return true;
    }

    int depth_ = 0;
    bool is_ours_ = false, has_entries_ = false;
    bool in_entries_ = false;  ///< within the value of "entries"
    std::string name_;
    fields entry_;
    std::vector<format_entry> entries_;
};

}  // namespace

std::string plain(std::string name)
{
    for (char& c : name)
        if (c < ' ' || c > '~' || c == '"' || c == '\\') c = '_';
    return name;
}

std::string text_of(const std::vector<format_entry>& entries)
{
    auto all = text::json_value::array();
    for (const format_entry& e : entries) all.push_back(json_of(e));
    return text::json_value{{"ddla", "formats"}, {"entries", all}}.text(1) + '\n';
}

std::optional<std::vector<format_entry>> entries_of(std::string_view file)
try {
    require(file.find('\0') == std::string_view::npos);  // which the library takes for the end
    entries_reader reader;
    require(nlohmann::json::sax_parse(file.begin(), file.end(), &reader));
    return reader.finish();
} catch (const malformed&) {
    return {};
}

}  // namespace ddla::api
