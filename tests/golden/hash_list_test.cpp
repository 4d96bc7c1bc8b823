// The comparison of golden hashes sees every kind of difference.
#include "catch.hpp"
#include "hash_list.hpp"

#include <stdexcept>

using golden::hash_list;

TEST_CASE("hashes as text", "[golden]")
{
    const hash_list list{{"dot/1", 0}, {"axpy/1", 0xfedcba9876543210}};
    const std::string text = "dot/1 0000000000000000\naxpy/1 fedcba9876543210\n";
    CHECK(golden::to_text(list) == text);
    CHECK(golden::parse("# made by hand\n\n" + text) == list);
    CHECK(golden::parse(text.substr(0, text.size() - 1)) == list);
    CHECK(golden::parse("").empty());
    for (const char* line :
         {"dot", "dot ", " 0123456789abcdef", "dot 0123456789abcde", "dot 0123456789abcdefg",
          "dot  123456789abcdef", "dot 0123456789abcdeg", "dot 0123456789abcdef "})
        CHECK_THROWS_AS(golden::parse(line), std::invalid_argument);
    CHECK_THROWS_AS(golden::parse(text + text), std::invalid_argument);
}

TEST_CASE("what differs is named with both hashes", "[golden]")
{
    const hash_list expected{{"a", 1}, {"b", 2}, {"c", 3}};
    CHECK(golden::differences(expected, expected).empty());
    CHECK(golden::differences(expected, {{"c", 3}, {"a", 1}, {"b", 2}}).empty());
    CHECK(golden::differences(expected, {{"a", 1}, {"b", 0x20}, {"d", 4}}) ==
          std::vector<std::string>{"b: expected 0000000000000002, computed 0000000000000020",
                                   "c: expected 0000000000000003, no case computes it",
                                   "d: computed 0000000000000004, none is expected"});
    CHECK_THROWS_AS(golden::differences(expected, {{"a", 1}, {"a", 1}}), std::invalid_argument);
}

TEST_CASE("hashes are added where no other changes", "[golden]")
{
    const std::string text = "# made by hand\nb 0000000000000002\na 0000000000000001\n";
    CHECK(golden::with_added(text, {{"a", 1}, {"b", 2}}, "later") == text);
    CHECK(golden::with_added(text, {{"d", 4}, {"a", 1}, {"c", 3}, {"b", 2}}, "later") ==
          text + "# later\nd 0000000000000004\nc 0000000000000003\n");
    CHECK(golden::with_added("a 0000000000000001", {{"a", 1}, {"b", 2}}, "later") ==
          "a 0000000000000001\n# later\nb 0000000000000002\n");
    CHECK(golden::with_added("", {{"a", 1}}, "first") == "# first\na 0000000000000001\n");
    for (const hash_list& other : {hash_list{{"a", 1}, {"b", 3}, {"c", 3}},  // b has other bits
                                   hash_list{{"a", 1}, {"c", 3}}}) {         // b has no case
        CHECK_THROWS_WITH(golden::with_added(text, other, "later"), Catch::Contains("\nb: "));
        CHECK_THROWS_AS(golden::with_added(text, other, "later"), std::invalid_argument);
    }
    CHECK_THROWS_AS(golden::with_added(text, {{"a", 1}, {"b", 2}, {"c", 3}, {"c", 3}}, "later"),
                    std::invalid_argument);
}
