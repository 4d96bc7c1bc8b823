// JSON that is written, beside what nlohmann's library writes.
#include "catch.hpp"
#include "files/json/json_value.hpp"
#include "support/json.hpp"
#include "support/random.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

using ddla::text::json_value;
using other = nlohmann::ordered_json;

namespace {

std::string dumped(const other& x)
{
    return x.dump(2, ' ', false, other::error_handler_t::replace);
}

}  // namespace

TEST_CASE("trees are written as by another library")
{
    json_value mine = {{"yes", true}, {"no", false}, {"one", 1}, {"most", UINT64_MAX}};
    other theirs = {{"yes", true}, {"no", false}, {"one", 1}, {"most", UINT64_MAX}};
    mine["nothing"] = json_value();
    theirs["nothing"] = other();
    mine["least"] = INT64_MIN;
    theirs["least"] = INT64_MIN;
    mine["empty"] = json_value::array();
    theirs["empty"] = other::array();
    mine["numbers"] = std::vector<double>{1, 2.5, std::nan("")};
    theirs["numbers"] = std::vector<double>{1, 2.5, std::nan("")};
    mine["inner"] = {{"text", "a"}, {"deep", json_value{{"b", std::string("c")}, {"d", 0.1}}}};
    theirs["inner"] = {{"text", "a"}, {"deep", other{{"b", std::string("c")}, {"d", 0.1}}}};
    mine["list"] = json_value::array();
    theirs["list"] = other::array();
    for (int k = 0; k < 3; ++k) {
        mine["list"].push_back({{"k", k}, {"half", k * 0.5}});
        theirs["list"].push_back({{"k", k}, {"half", k * 0.5}});
    }
    mine["one"] = "another";  // at its old place
    theirs["one"] = "another";
    for (const int indent : {1, 2}) CHECK(mine.text(indent) == theirs.dump(indent));
    CHECK(json_value().text(2) == "null");
}

TEST_CASE("numbers read back with the same bits, and are as short as can be")
{
    const double inf = std::numeric_limits<double>::infinity();
    for (const double x : {0.0, -0.0, 1.0, -2.5, 1e15, 999999999999999.0, 1e16, 123456789012345.0,
                           1e-3, 1e-4, 9.5e-5, 5e-324, 1.7976931348623157e308, inf, -inf})
        CHECK(json_value(x).text(2) == other(x).dump(2));
    test::random_numbers random(71);
    for (int k = 0; k < 20000; ++k) {
        const double x = std::ldexp(static_cast<double>(random.below(std::int64_t{1} << 53)),
                                    static_cast<int>(random.below(1000)) - 500);
        const std::string text = json_value(x).text(2);
        CHECK(std::strtod(text.c_str(), nullptr) == x);
        CHECK(text.size() <= other(x).dump(2).size());
    }
}

TEST_CASE("what is not UTF-8 is replaced as by another library")
{
    CHECK(json_value("a\"b\\c\n\t\x01\x1f\x7f").text(2) ==
          other("a\"b\\c\n\t\x01\x1f\x7f").dump(2));
    CHECK(json_value("\xff").text(2) == "\"\xEF\xBF\xBD\"");
    test::random_numbers random(72);
    for (int k = 0; k < 20000; ++k) {
        std::string text;
        for (auto length = random.below(8); length > 0; --length) {
            const std::int64_t first[] = {0x80, 0xC0, 0xE0, 0};
            const auto kind = static_cast<std::size_t>(random.below(4));
            const std::int64_t range[] = {0x40, 0x20, 0x20, 256};
            text += static_cast<char>(first[kind] +
                                      static_cast<std::int64_t>(random.below(range[kind])));
        }
        CHECK(json_value(text).text(2) == dumped(text));
    }
}
