// Harwell-Boeing and Rutherford-Boeing files, written by hand from the published description of
// their columns; what they hold was written down beside them.
#include "catch.hpp"
#include "ddla/complex.hpp"
#include "ddla/text.hpp"
#include "files/read/read_text.hpp"
#include "matrix_market_fixture.hpp"

#include <cstdio>
#include <string>
#include <vector>

using namespace ddla;
using namespace ddla::test;

namespace {

/// A text in a field of so many columns, on the left or on the right.
std::string left(const std::string& text, std::size_t columns)
{
    return text + std::string(columns - std::min(columns, text.size()), ' ');
}
std::string right(const std::string& text, std::size_t columns)
{
    return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

struct sizes {
    const char* type;
    int rows, columns, entries;
};

struct formats {
    std::string pointers = "(8I4)", indices = "(8I4)", values = "(4E16.8)", sides = "";
};

/// A72, A8 / 5I14 / A3, 11X, 4I14 / 2A16, 2A20
std::string header_of(const sizes& s, int value_lines, int side_lines, const formats& f)
{
    const auto i14 = [](int n) { return right(std::to_string(n), 14); };
    return left("A matrix that was written by hand", 72) + left("HAND", 8) + "\n" + i14(9) +
           i14(1) + i14(1) + i14(value_lines) + i14(side_lines) + "\n" + left(s.type, 14) +
           i14(s.rows) + i14(s.columns) + i14(s.entries) + i14(0) + "\n" + left(f.pointers, 16) +
           left(f.indices, 16) + left(f.values, 20) + f.sides + "\n";
}

/// 3 x 3 with the columns (1.5, 0, -2), (0, 1e-100, 0), (4, 0, 0.25).
const sizes small{"RUA", 3, 3, 5};
const std::string pointers = "   1   3   4   6\n", indices = "   1   3   2   1   3\n";
const std::string values = "  1.50000000E+00 -2.00000000E+00  1.00000000-100  4.00000000D+00\n"
                           "  2.50000000E-01\n";
const std::string listed =
    "1 1 1.5\n1 3 4\n2 2 " + to_string(dd_real(1e-100)) + "\n3 1 -2\n3 3 0.25\n";

struct reading {
    directory here;

    std::string list(const std::string& text)
    {
        return listing(read_matrix<double>(put(here / "a.rua", text)));
    }
    /// What is said behind the name of the file.
    std::string refusal(const std::string& text)
    {
        const std::string said = complaint([&] { list(text); });
        const std::string file = (here / "a.rua").string();
        CHECK(said.rfind(file, 0) == 0);
        return said.substr(std::min(said.size(), file.size()));
    }
    template <scalar T = double>
    std::string vectors(const std::string& text, vector_part part = vector_part::right_hand_side)
    {
        std::string all;
        for (const auto& x : read_vectors<T>(put(here / "b.rua", text), 1, nullptr, 0, part)) {
            for (index_t i = 0; i < x.size(); ++i) all += to_string(dd_real(x[i])) + " ";
            all += "| ";
        }
        return all;
    }
    std::string refusal_of_vectors(const std::string& text,
                                   vector_part part = vector_part::right_hand_side)
    {
        return complaint([&] { vectors(text, part); });
    }
};

bool has(const std::string& text, const std::string& part)
{
    UNSCOPED_INFO(text);
    UNSCOPED_INFO(part);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a Harwell-Boeing matrix")
{
    reading r;
    const std::string text = header_of(small, 2, 0, {}) + pointers + indices + values;
    CHECK(r.list(text) == listed);
    CHECK(r.list(text.substr(0, text.size() - 1)) == listed);
    std::string in_dos;
    for (const char c : text) in_dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
    CHECK(r.list(in_dos) == listed);
    CHECK(r.list(compressed(text)) == listed);
    // Rutherford-Boeing: four numbers in the second line, small letters.
    std::string rb = text;
    rb.erase(81 + 4 * 14, 14);
    CHECK(r.list(rb.replace(rb.find("RUA"), 3, "rua")) == listed);
    // A rectangular one; a column without entries.
    CHECK(r.list(header_of({"RRA", 2, 3, 2}, 1, 0, {}) + "   1   2   2   3\n   2   1\n" +
                 "  1.00000000E+00  2.00000000E+00\n") == "1 3 2\n2 1 1\n");
    // Rows in any order, and one twice, as sums.
    CHECK(r.list(header_of({"RUA", 2, 1, 3}, 1, 0, {}) + "   1   4\n   2   1   2\n" +
                 "  1.00000000E+00  2.00000000E+00  0.50000000E+00\n") == "1 1 2\n2 1 1.5\n");
}

TEST_CASE("Harwell-Boeing: numbers that blanks part may be off their columns")
{
    // As scipy writes them: E25.16 is declared, and 24 columns are written.
    reading r;
    const auto with = [&](const std::string& numbers) {
        return r.list(header_of({"RUA", 3, 1, 3}, 1, 0, {.values = "(3E25.16)"}) +
                      "   1   4\n   1   2   3\n" + numbers);
    };
    CHECK(with(" -1.5000000000000000E+00  2.0000000000000000E+00 -3.0000000000000000E+00\n") ==
          "1 1 -1.5\n2 1 2\n3 1 -3\n");
    CHECK(has(complaint([&] {
                  with("  1.5000000000000000E+00-2.0000000000000000E-100 "
                       "3.0000000000000000E+00\n");
              }),
              ":7: value '1.5000000000000000E+00-' is not one number"));
}

TEST_CASE("Harwell-Boeing: types")
{
    reading r;
    const std::string two = "   1   3   4\n   1   2   2\n";
    const std::string three = "  1.00000000E+00  2.00000000E+00  3.00000000E+00\n";
    const auto of_type = [&](const char* type, const std::string& body) {
        return r.list(header_of({type, 2, 2, 3}, 1, 0, {}) + body);
    };
    CHECK(of_type("RSA", two + three) == "1 1 1\n1 2 2\n2 1 2\n2 2 3\n");
    CHECK(of_type("PSA", two) == "1 1 1\n1 2 1\n2 1 1\n2 2 1\n");
    CHECK(of_type("PUA", two) == "1 1 1\n2 1 1\n2 2 1\n");
    CHECK(r.list(header_of({"RZA", 2, 2, 1}, 1, 0, {}) +
                 "   1   2   2\n   2\n  5.00000000E+00\n") == "1 2 -5\n2 1 5\n");
    const formats whole{.values = "(4I20)"};
    CHECK(r.list(header_of({"IUA", 2, 2, 3}, 1, 0, whole) + two + right("7", 20) +
                 right("-9007199254740993", 20) + right("0", 20) + "\n") ==
          "1 1 7\n2 1 -9007199254740992\n2 2 0\n");
    CHECK(has(r.refusal(header_of({"IUA", 1, 1, 1}, 1, 0, whole) + "   1   2\n   1\n" +
                        right("1.5", 20) + "\n"),
              ":7: value '1.5' is not an integer"));
    // Upper triangle.
    CHECK(r.list(header_of({"RSA", 2, 2, 2}, 1, 0, {}) +
                 "   1   2   3\n   1   1\n  1.00000000E+00  2.00000000E+00\n") ==
          "1 1 1\n1 2 2\n2 1 2\n");
}

TEST_CASE("Harwell-Boeing: complex matrices become real forms")
{
    reading r;
    const auto read = [&](const char* type, const std::string& body) {
        const auto a = read_any_matrix<double>(
            put(r.here / "c.cua", header_of({type, 2, 2, 2}, 1, 0, {}) + body));
        CHECK(a.is_complex);
        return listing(a.numbers);
    };
    const std::string first = "   1   3   3\n   1   2\n";
    // The entries 4 and 2 + 3 i below it.
    const std::string body =
        first + "  4.00000000E+00  0.00000000E+00  2.00000000E+00  3.00000000E+00\n";
    CHECK(read("CUA", body) == "1 1 4\n2 2 4\n3 1 2\n3 2 -3\n4 1 3\n4 2 2\n");
    CHECK(read("CHA", body) == "1 1 4\n1 3 2\n1 4 3\n2 2 4\n2 3 -3\n2 4 2\n"
                               "3 1 2\n3 2 -3\n4 1 3\n4 2 2\n");
    CHECK(has(r.refusal(header_of({"CUA", 2, 2, 2}, 1, 0, {}) + body), ":1: the file is complex"));
    put(r.here / "h.cha", header_of({"CHA", 2, 2, 2}, 1, 0, {}) + first +
                              "  4.00000000E+00  1.00000000E+00  0.0             0.0\n");
    CHECK(has(complaint([&] { read_any_matrix<double>(r.here / "h.cha"); }),
              "h.cha:6: a hermitian matrix is real on its diagonal, but entry (1, 1)"));
}

TEST_CASE("Harwell-Boeing: Fortran's formats")
{
    reading r;
    const auto with = [&](const std::string& format, const std::string& numbers) {
        return r.list(header_of({"RUA", 3, 1, 3}, 1, 0, {.values = format}) +
                      "   1   4\n   1   2   3\n" + numbers);
    };
    const std::string expected = "1 1 1.5\n2 1 -20\n3 1 3000\n";
    CHECK(with("(3E10.2)", "  1.50E+00 -2.00E+01  3.00E+03\n") == expected);
    CHECK(with("(3e10.2e2)", "  1.50E+00 -2.00E+01  3.00E+03\n") == expected);
    CHECK(with("(1P,3D10.2)", "  1.50D+00 -2.00D+01  3.00D+03\n") == expected);
    CHECK(with("(1P3D10.2)", "  1.50D+00 -2.00D+01  3.00D+03\n") == expected);
    CHECK(with("(2(E9.2,1X))", " 1.50E+00 -2.00E+01\n 3.00E+03\n") == expected);
    CHECK(with("( 2 ( E9.2 , 1X ) )", " 1.50E+00 -2.00E+01\n 3.00E+03\n") == expected);
    CHECK(with("(F8.2)", "    1.50\n  -20.00\n 3000.00\n") == expected);
    CHECK(with("(3G10.2)", "  1.50     -20.0      3000.     \n") == expected);
    CHECK(with("(2X,3ES9.2)", "   1.50E+00-2.00E+01 3.00E+03\n") == expected);
    CHECK(with("(3F5.0)", "  1.5  -20 3000\n") == expected);
    // Nothing between the numbers; three digits of an exponent; a sign +.
    CHECK(with("(3E9.2)", " 1.50E+00-2.00E+013.000+003\n") == expected);
    CHECK(with("(3E9.2)", "+1.50E+00-2.00E+01  3.00E+3\n") == expected);
    const auto refused = [&](const std::string& format) {
        return complaint([&] { with(format, "  1.50E+00 -2.00E+01  3.00E+03\n"); });
    };
    CHECK(has(refused("(8E)"), ":4: the format '(8E)' has E without a width"));
    CHECK(has(refused("(3E10.2/)"), "has a part that is not read: '/'"));
    CHECK(has(refused("(A80)"), "has a part that is not read: 'A'"));
    CHECK(has(refused("(2X,2(E9.2))"), "has something before a group"));
    CHECK(has(refused("()"), "the format '()' has no number"));
    CHECK(has(refused("3E10.2"), "and none for the values"));
    CHECK(has(refused("(99999E10.2)"), "has more than 10000 numbers a line"));
    CHECK(has(refused("(0E10.2)"), "has a count that is not positive"));
    CHECK(has(refused("((((((((E9.2))))))))"), "has too many parentheses"));
}

TEST_CASE("Harwell-Boeing: numbers that Fortran and other programs read as two are refused")
{
    reading r;
    const auto with = [&](const std::string& format, const std::string& number) {
        return r.list(header_of({"RUA", 1, 1, 1}, 1, 0, {.values = format}) + "   1   2\n   1\n" +
                      number + "\n");
    };
    CHECK(has(complaint([&] { with("(E10.3)", "        15"); }),
              ":7: value '15' has two meanings: it has no point, so that Fortran puts one before "
              "the last 3 digits by the format '(E10.3)', and other programs do not"));
    CHECK(has(complaint([&] { with("(1PE10.3)", "      1.5 "); }),
              "value '1.5' has two meanings: it has no exponent, so that Fortran divides it by "
              "10^1"));
    CHECK(with("(E10.3)", "         0") == "1 1 0\n");
    CHECK(with("(1PE10.3)", "       0.0") == "1 1 0\n");
    CHECK(with("(1PE10.3)", " 1.500E+01") == "1 1 15\n");
    CHECK(with("(1PE10.3)", " 1.500-101") == "1 1 " + to_string(dd_real(1.5e-101)) + "\n");
}

TEST_CASE("Harwell-Boeing: values have the digits that are asked for")
{
    reading r;
    const formats wide{.values = "(2E40.32)", .sides = "(2E40.32)"};
    const std::string third = right("0.33333333333333333333333333333333E+00", 40);
    const std::string text = header_of({"RUA", 1, 1, 1}, 1, 1, wide) + left("F", 14) +
                             right("1", 14) + right("0", 14) + "\n   1   2\n   1\n" + third + "\n" +
                             third + "\n";
    const auto a = read_matrix<dd_real>(put(r.here / "a.rua", text));
    const dd_real right_value = parse_dd("0.33333333333333333333333333333333");
    CHECK(same(a.view().value.get(0), right_value));
    CHECK(read_matrix<double>(r.here / "a.rua").view().value.get(0) == 1.0 / 3);
    CHECK(same(read_vector<dd_real>(r.here / "a.rua")[0], right_value));
    const auto [high, low] = read_four_words(r.here / "a.rua");
    CHECK(same(high[0], right_value));
    CHECK(low[0] != dd_real(0));
    read_losses lost;
    read_vector<double>(r.here / "a.rua", 1, &lost);
    CHECK(lost.rounded == 1);
}

namespace {

/// Two right-hand sides, guesses and solutions of a matrix of one entry a column.
std::string with_sides(const std::string& kind, int lines, const std::string& body)
{
    return header_of({"RUA", 3, 3, 3}, 1, lines, {.sides = "(4F8.3)"}) + left(kind, 14) +
           right("2", 14) + right("3", 14) + "\n   1   2   3   4\n   1   2   3\n" +
           "  1.00000000E+00  2.00000000E+00  3.00000000E+00\n" + body;
}

const std::string six = "   1.000   2.000   3.000   4.000\n   5.000   6.000\n";
const std::string tens = "  10.000  20.000  30.000  40.000\n  50.000  60.000\n";
const std::string lines_each = "   1.000   2.000   3.000\n   4.000   5.000   6.000\n";

}  // namespace

TEST_CASE("Harwell-Boeing: right-hand sides, guesses and solutions")
{
    reading r;
    const std::string all = "1 2 3 | 4 5 6 | ", of_tens = "10 20 30 | 40 50 60 | ";
    CHECK(r.vectors(with_sides("F", 2, six)) == all);
    const std::string text = with_sides("FGX", 6, six + tens + six);
    CHECK(r.vectors(text) == all);
    CHECK(r.vectors(text, vector_part::guess) == of_tens);
    CHECK(r.vectors(text, vector_part::solution) == all);
    CHECK(r.vectors(with_sides("F X", 4, six + tens), vector_part::solution) == of_tens);
    CHECK(has(r.refusal_of_vectors(with_sides("F X", 4, six + tens), vector_part::guess),
              ":3: the file holds a matrix without a first guess"));
    CHECK(has(r.refusal_of_vectors(with_sides("FG", 4, six + tens), vector_part::solution),
              "without a solution"));
    CHECK(has(r.refusal_of_vectors(header_of(small, 2, 0, {}) + pointers + indices + values),
              "without a right-hand side"));
    // Sparse ones: pointers, rows, values; row 2 of the first is absent.
    const std::string sparse = "   1   3   4\n   1   3   2\n   7.000   8.000   9.000\n";
    CHECK(r.vectors(with_sides("M", 3, sparse)) == "7 0 8 | 0 9 0 | ");
    CHECK(r.vectors(with_sides("MG", 5, sparse + tens), vector_part::guess) == of_tens);
    CHECK(has(r.refusal_of_vectors(
                  with_sides("M", 3, "   1   3   4\n   3   3   2\n   7.000   8.000   9.000\n")),
              ":10: row 3 stands twice in right-hand side 1"));
    // Each from a new line on, as the blank end of a line tells.
    CHECK(r.vectors(with_sides("F", 2, lines_each)) == all);
    CHECK(has(r.refusal_of_vectors(with_sides("E", 2, six)), "of kind 'E' are not read"));
}

TEST_CASE("Harwell-Boeing: right-hand sides that each begin a line")
{
    reading r;
    const formats f{.sides = "(2F8.3)"};
    const auto text = [&](int lines, const std::string& body) {
        return header_of({"RUA", 3, 3, 3}, 1, lines, f) + left("F", 14) + right("2", 14) +
               "\n   1   2   3   4\n   1   2   3\n" +
               "  1.00000000E+00  2.00000000E+00  3.00000000E+00\n" + body;
    };
    const std::string all = "1 2 3 | 4 5 6 | ";
    CHECK(r.vectors(text(3, "   1.000   2.000\n   3.000   4.000\n   5.000   6.000\n")) == all);
    CHECK(r.vectors(text(4, "   1.000   2.000\n   3.000\n   4.000   5.000\n   6.000\n")) == all);
}

TEST_CASE("a matrix with right-hand sides says so")
{
    reading r;
    const auto with = put(r.here / "b.rua", with_sides("F", 2, six));
    CHECK(holds_right_hand_side(with));
    CHECK(read_any_matrix<double>(with).has_right_hand_side);
    CHECK(listing(read_matrix<double>(with)) == "1 1 1\n2 2 2\n3 3 3\n");
    const auto without =
        put(r.here / "a.rua", header_of(small, 2, 0, {}) + pointers + indices + values);
    CHECK(!holds_right_hand_side(without));
    CHECK(!read_any_matrix<double>(without).has_right_hand_side);
    CHECK(!holds_right_hand_side(r.here / "missing"));
    CHECK(holds_right_hand_side(put(r.here / "c.gz", compressed(with_sides("F", 2, six)))));
}

TEST_CASE("vectors of Rutherford-Boeing")
{
    reading r;
    // A3, 2A1, 1X, A8, 1X, A1, 3(1X, I13)
    const auto text = [&](const char* kind, const char* number, int columns, int entries,
                          const std::string& formats, const std::string& body) {
        const auto i13 = [](int n) { return " " + right(std::to_string(n), 13); };
        return left("b of a matrix", 72) + left("HAND", 8) + "\n" + left(kind, 6) +
               left("case one", 8) + " " + number + i13(3) + i13(columns) + i13(entries) + "\n" +
               formats + "\n" + body;
    };
    CHECK(r.vectors(text("rhsrd", "r", 2, 6, "(4F8.3)", six)) == "1 2 3 | 4 5 6 | ");
    CHECK(r.vectors(text("slnrd", "r", 1, 3, "(4F8.3)", "   1.000   2.000   3.000\n")) ==
          "1 2 3 | ");
    CHECK(r.vectors(text("rhsrs", "r", 2, 3, left("(8I4)", 20) + left("(8I4)", 20) + "(4F8.3)",
                         "   1   3   4\n   1   3   2\n   7.000   8.000   9.000\n")) ==
          "7 0 8 | 0 9 0 | ");
    put(r.here / "c.rb", text("rhsrd", "c", 1, 3, "(2F8.3)",
                              "   1.000   2.000\n   3.000   4.000\n   5.000   6.000\n"));
    const auto c = read_any_vector<double>(r.here / "c.rb");
    CHECK(c.is_complex);
    CHECK(c.numbers.size() == 6);
    CHECK(c.numbers[3] == 4);
    CHECK(
        has(r.refusal_of_vectors(text("rhsrd", "c", 1, 3, "(2F8.3)", six)), "the file is complex"));
    CHECK(has(r.refusal_of_vectors(text("ordrd", "i", 1, 3, "(8I4)", "   1   2   3\n")),
              ":2: data of kind 'ord' are no vectors to read (only rhs, sln, est)"));
    CHECK(has(r.refusal_of_vectors(text("rhsld", "r", 2, 6, "(4F8.3)", six)), "to the left"));
    CHECK(has(r.refusal_of_vectors(text("rhsre", "r", 2, 6, "(4F8.3)", six)), "elemental"));
}

namespace {

struct broken {
    sizes of;
    const char* pointers;
    const char* indices;
    const char* values;
    const char* said;
};

const char* const five = "  1.00000000E+00  2.00000000E+00  3.00000000E+00  4.00000000E+00\n"
                         "  5.00000000E+00\n";

// clang-format off
const std::vector<broken> broken_files = {
    {{"RUE", 3, 3, 5}, "", "", "", ":3: the type 'RUE' is an elemental, unassembled matrix: only assembled ones are read, as RUA"},
    {{"rse", 3, 3, 5}, "", "", "", "as rsa"},
    {{"RXA", 3, 3, 5}, "", "", "", ":3: the type 'RXA' has none of U, S, H, Z, R in its middle"},
    {{"TUA", 3, 3, 5}, "", "", "", ":3: the type 'TUA' begins with none of R, C, I, P"},
    {{"RUX", 3, 3, 5}, "", "", "", ":3: the type 'RUX' ends with neither A nor E"},
    {{"QUA", 3, 3, 5}, "", "", "", "has its values in another file"},
    {{"RHA", 3, 3, 5}, "", "", "", "only a complex matrix can be Hermitian"},
    {{"PZA", 3, 3, 5}, "", "", "", "a pattern has no signs"},
    {{"RSA", 3, 4, 5}, "", "", "", ":3: a matrix of 3 x 4 is not square"},
    {{"RUA", 3, 3, 5}, "   2   3   4   6\n", "   1   3   2   1   3\n", five, ":5: the first pointer is 2, not 1"},
    {{"RUA", 3, 3, 5}, "   1   4   3   6\n", "   1   3   2   1   3\n", five, ":5: pointer 3 is 3, below the one before it"},
    {{"RUA", 3, 3, 5}, "   1   3   4   5\n", "   1   3   2   1   3\n", five, ":5: the last pointer is 5, not 6 for 5 entries"},
    {{"RUA", 3, 3, 5}, "   1   3   4   9\n", "   1   3   2   1   3\n", five, ":5: pointer '9' is not in 1 ... 6"},
    {{"RUA", 3, 3, 5}, "   1   3   4\n", "   1   3   2   1   3\n", five, ":5: pointer 4 of 4 is missing: the format is '(8I4)'"},
    {{"RUA", 3, 3, 5}, "   1   3   4   6   7\n", "   1   3   2   1   3\n", five, ":5: '7' follows the last pointer of the line"},
    {{"RUA", 3, 3, 5}, "   1   3   4   6\n", "   1   4   2   1   3\n", five, ":6: row index '4' is not in 1 ... 3"},
    {{"RUA", 3, 3, 5}, "   1   3   4   6\n", "   1   0   2   1   3\n", five, ":6: row index '0' is not in 1 ... 3"},
    {{"RUA", 3, 3, 5}, "   1   3   4   6\n", "   1  -3   2   1   3\n", five, ":6: row index '-3' is not a positive integer"},
    {{"RUA", 3, 3, 5}, "   1   3   4   6\n", "   1 3 2   2   1   3\n", five, ":6: row index '3 2' is not a positive integer"},
    {{"RUA", 3, 3, 5}, "   1   3   4   6\n", "   1   3   2   1   3\n", "  1.0             2.0             3.0             nan\n  5.0\n", ":7: value 'nan' is not a finite number"},
    {{"RUA", 3, 3, 5}, "   1   3   4   6\n", "   1   3   2   1   3\n", "  1.0 2.0         2.0             3.0             4.0\n  5.0\n", ":7: '2.0' follows a value within its field"},
    {{"RUA", 3, 3, 5}, "   1   3   4   6\n", "   1   3   2   1   3\n", "  1.0             2.0             3.0             4.0\n", ":7: the file ends before value 5 of 5"},
    {{"RUA", 3, 3, 5}, "   1   3   4   6\n", "   1   3   2   1   3\n", "  1.0             2.0             3.0             4.0\n  1e999\n", ":8: value '1e999' is not within the range of double"},
    {{"RUA", 3, 3, 5}, "   1   3   4   6\n", "   1   3   2   1   3\n", "  1.0             2.0             3.0             4.0\n  5.0\n  6.0\n", ":9: '6.0' follows what the header declares"},
    {{"RSA", 3, 3, 5}, "   1   3   4   6\n", "   1   3   2   1   3\n", five, ":6: row index 4 lies above the diagonal, and row index 2 on its other side"},
    {{"RZA", 3, 3, 5}, "   1   3   4   6\n", "   1   3   2   2   3\n", five, "a skew-symmetric matrix has zeros on its diagonal, but entry (1, 1) is not zero"},
    {{"RUA", 3, 3, 99999999}, "   1   3   4   6\n", "   1   3   2   1   3\n", "", "the file ends before row index"},
};
// clang-format on

}  // namespace

TEST_CASE("broken Harwell-Boeing files are refused with file, line and cause")
{
    reading r;
    CHECK(broken_files.size() > 25);
    for (const broken& b : broken_files) {
        if (b.of.type == std::string("RZA")) continue;  // both mistakes: see below
        const std::string said =
            r.refusal(header_of(b.of, 2, 0, {}) + b.pointers + b.indices + b.values);
        CHECK(has(said, b.said));
        CHECK(said.find('\n') == std::string::npos);
    }
    CHECK(has(r.refusal(header_of({"RZA", 2, 2, 2}, 1, 0, {}) +
                        "   1   3   3\n   1   2\n  1.0             2.0\n"),
              ":6: a skew-symmetric matrix has zeros on its diagonal, but entry (1, 1) is not "
              "zero"));
    CHECK(has(r.refusal(header_of(small, 0, 0, {}) + pointers + indices),
              ":3: the type promises values, but the header declares 0 lines of them"));
    CHECK(has(r.refusal(header_of(small, 2, 0, {.pointers = "(8F4.1)"}) + pointers + indices),
              ":4: the format '(8F4.1)' of the pointers is not one of integers"));
}

TEST_CASE("Harwell-Boeing: what a file takes of memory is limited")
{
    directory here;
    const auto file = put(here / "a.rua", header_of(small, 2, 0, {}) + pointers + indices + values);
    const auto with = [&](std::size_t limit) {
        try {
            read_matrix<double>(file, 1, nullptr, limit);
        } catch (const resource_error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    // Offsets of rows; row and value as in the file; as placed, and as in A.
    const std::size_t least = 3 * 8 + 5 * (4 + 8 + 16 + 4 + 8);
    CHECK(with(least) == "");
    CHECK(with(least - 1) == file.string() + ":3: the sizes 3 x 3 and 5 entries take at least " +
                                 std::to_string(least) + " bytes, memory_limit allows " +
                                 std::to_string(least - 1));
    const auto sides = put(here / "b.rua", with_sides("F", 2, six));
    CHECK_THROWS_WITH(read_vectors<double>(sides, 1, nullptr, 95),
                      Catch::Contains("2 columns of 3 numbers take at least 96 bytes"));
    CHECK(read_vectors<double>(sides, 1, nullptr, 96).size() == 2);
    CHECK_THROWS_WITH(read_vector<double>(put(here / "l", "1\n2\n"), 1, nullptr, 31),
                      Catch::Contains("2 numbers take at least 32 bytes"));
}

TEST_CASE("Harwell-Boeing: pieces and threads change nothing")
{
    generator random(7);
    const int n = 2000, nonzeros = 6 * n;
    std::string begin, rows, numbers;
    const auto number = [](std::string& to, const std::string& text, int k, int per_line) {
        to += text + ((k + 1) % per_line == 0 ? "\n" : "");
    };
    for (int j = 0; j <= n; ++j) number(begin, right(std::to_string(6 * j + 1), 8), j, 10);
    char text[64];
    for (int k = 0; k < nonzeros; ++k) {
        number(rows, right(std::to_string(pick(random, 1, n)), 8), k, 10);
        std::snprintf(text, sizeof text, "%25.17E", any_double(random) * 1e-200);
        number(numbers, text, k, 3);
    }
    const std::string all =
        header_of({"RUA", n, n, nonzeros}, 1, 0, {"(10I8)", "(10I8)", "(3E25.17)", ""}) + begin +
        "\n" + rows + numbers;
    const text::characters whole{all.data(), all.data() + all.size()};
    const auto a = text::matrix_from_text<dd_real>(whole, "whole", {});
    CHECK(a.nonzeros() > nonzeros * 9 / 10);
    for (const int bytes : {100, 1000, 50000})
        CHECK(same(a, text::matrix_from_text<dd_real>(whole, "cut",
                                                      {.threads = 3, .piece_bytes = bytes})));
}
