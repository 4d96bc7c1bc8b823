// JSON that is written: a tree whose making may run out of memory at any moment.
//
//     json_value report;
//     report["matrix"] = {{"rows", 3}, {"file", "a.mtx"}};
//     report["history"] = std::vector<double>{1, 0.5};
//     std::string text = report.text(2);
//
// Unlike other trees it takes no memory to be destroyed: where none is left, the exception that
// says so would end the program.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ddla::text {

class json_value {
public:
    struct member;

    json_value() = default;  ///< null
    json_value(bool x) : value_(x) {}
    template <std::integral I>
    json_value(I x)
    {
        if constexpr (std::is_signed_v<I>)
            value_ = std::int64_t{x};
        else
            value_ = std::uint64_t{x};
    }
    json_value(double x) : value_(x) {}
    json_value(std::string x) : value_(std::move(x)) {}
    json_value(std::string_view x) : value_(std::string(x)) {}
    json_value(const char* x) : value_(std::string(x)) {}
    template <class X>
    json_value(const std::vector<X>& all) : value_(items())
    {
        for (const X& x : all) push_back(x);
    }
    /// An object.
    json_value(std::initializer_list<member> all);
    static json_value array()
    {
        json_value empty;
        empty.value_ = items();
        return empty;
    }

    /// Of an array.
    void push_back(json_value x);
    /// Of an object, or of null, which becomes one; names keep the order in which they came.
    json_value& operator[](std::string_view name);

    /// `indent` blanks a level.  Numbers that are not finite are null; what is not UTF-8 is
    /// replaced.
    std::string text(int indent) const;

private:
    using items = std::vector<json_value>;
    struct members {
        std::vector<std::string> names;
        items values;
    };
    class writer;

    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, items,
                 members>
        value_;
};

struct json_value::member {
    std::string_view name;
    json_value value;
};

}  // namespace ddla::text
