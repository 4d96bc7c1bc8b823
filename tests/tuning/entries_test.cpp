// The text of the memory of formats: what it reads back, and what it refuses.
#include "catch.hpp"

#include "matrix/format_entries.hpp"

#include <chrono>

using namespace ddla::api;

namespace {

format_entry some_entry()
{
    return {{0x0123456789abcdef, 9, 8, 70, "NVIDIA H200", "dd", "double", "0.1.0"},
            "crs_vector",
            8,
            1.25};
}

bool same(const format_entry& a, const format_entry& b)
{
    return a.key == b.key && a.format == b.format && a.threads_per_row == b.threads_per_row &&
           a.microseconds == b.microseconds;
}

const std::string good = "{\"ddla\": \"formats\", \"entries\": [";

}  // namespace

TEST_CASE("entries read back as they were written", "[formats]")
{
    format_entry other = some_entry();
    other.format = "crs_t";
    other.threads_per_row = 16;
    other.microseconds = 1e-300;
    other.key.structure = ~std::uint64_t{0};
    for (const std::vector<format_entry>& all :
         {std::vector<format_entry>{}, {some_entry()}, {some_entry(), other}}) {
        const auto back = entries_of(text_of(all));
        REQUIRE(back);
        REQUIRE(back->size() == all.size());
        for (std::size_t i = 0; i < all.size(); ++i) CHECK(same((*back)[i], all[i]));
    }
}

TEST_CASE("names keep what a string without escapes can hold", "[formats]")
{
    CHECK(plain("NVIDIA H200 (\"new\")\n\\\xc3\xa9") == "NVIDIA H200 (_new_)____");
    format_entry e = some_entry();
    e.key.place = "a \"b\" \\ c";
    const auto back = entries_of(text_of({e}));
    REQUIRE(back);
    CHECK(back->at(0).key.place == plain(e.key.place));
}

TEST_CASE("blanks and names that are not known do not matter", "[formats]")
{
    std::string text = text_of({some_entry()});
    text.insert(text.find("\"rows\""), "\"colour\" :\t\"red\" ,\r\n  \"weight\": -1.5e+3, ");
    const auto back = entries_of(" \n" + text + "\n ");
    REQUIRE(back);
    CHECK(same(back->at(0), some_entry()));
    CHECK(entries_of(good + " ] }"));
}

TEST_CASE("names that are not known cost time in proportion to the text", "[formats]")
{
    std::string text = good + "]";
    for (int i = 0; i < 200'000; ++i) text += ",\"" + std::to_string(i) + "\":1";
    const auto start = std::chrono::steady_clock::now();
    CHECK(entries_of(text + "}"));
    text = text_of({some_entry()});
    std::string unknown;
    for (int i = 0; i < 200'000; ++i) unknown += "\"" + std::to_string(i) + "\":1,";
    text.insert(text.find("\"rows\""), unknown);
    const auto back = entries_of(text);
    REQUIRE(back);
    CHECK(same(back->at(0), some_entry()));
    // A fraction of a second; a minute if each name is compared with all others.
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

TEST_CASE("any other text is refused", "[formats]")
{
    for (const char* text :
         {"", " ", "\n", "{}", "[]", "null", "x", "{\"ddla\": \"formats\"}", "{\"ddla\": 1}",
          "{\"ddla\": \"formats\", \"entries\": {}}", "{\"other\": \"formats\", \"entries\": []}"})
        CHECK(!entries_of(text));
    for (const char* rest :
         {"", "]", "]}x", "]}]", "{}]}", "1]}", "{\"rows\": 1}]}", ",]}", "[]]}"})
        CHECK(!entries_of(good + rest));
    CHECK(!entries_of(good + std::string("]}\0", 3)));
    CHECK(!entries_of(std::string(100'000, '[')));
    CHECK(!entries_of(std::string(100'000, '{')));
}

TEST_CASE("a number that is none, or none that can be, is refused", "[formats]")
{
    const std::string text = text_of({some_entry()});
    const auto with = [&](const std::string& field, const std::string& value) {
        const std::string start = "\"" + field + "\": ";
        std::size_t begin = text.find(start) + start.size();
        std::size_t end = text.find_first_of(",}", begin);
        return entries_of(text.substr(0, begin) + value + text.substr(end));
    };
    CHECK(with("rows", "10"));
    for (const char* field : {"rows", "entries", "threads_per_row", "microseconds"})
        for (const char* value : {"-1", "1e", "", "nan", "1e999", "true", "{}", "[1]", "\"one\""})
            CHECK(!with(field, value));
    CHECK(!with("rows", "1.5"));
    CHECK(!with("rows", "99999999999999999999"));
    CHECK(!with("structure", "\"0123456789abcdefg\""));
    CHECK(!with("structure", "\"10123456789abcdef\""));
}

TEST_CASE("a text that was cut or damaged is refused, or understood", "[formats]")
{
    const std::string text = text_of({some_entry(), some_entry()});
    for (std::size_t n = 0; n + 2 < text.size(); ++n) CHECK(!entries_of(text.substr(0, n)));
    for (std::size_t i = 0; i < text.size(); ++i) {
        for (const char c : {'\0', '"', '{', '}', ',', '9', '\\', '\xff'}) {
            std::string damaged = text;
            damaged[i] = c;
            const auto back = entries_of(damaged);
            CHECK((!back || back->size() == 2));
        }
    }
}
