#include "reference_answers.hpp"

#include "ddla/matrix_market.hpp"

#include <cstdlib>
#include <sstream>
#include <zlib.h>

namespace reference {

namespace {

constexpr const char* first_line = "ddla reference answers 1";

/// The lines of an unpacked file, and what is expected in them.
class line_reader {
public:
    explicit line_reader(const std::filesystem::path& file) : name_(file.string())
    {
        const gzFile in = gzopen(name_.c_str(), "rb");
        if (!in) throw ddla::input_error("cannot open " + name_);
        std::string text;
        char block[1 << 16];
        int got = 0;
        while ((got = gzread(in, block, sizeof block)) > 0)
            text.append(block, static_cast<std::size_t>(got));
        if (gzclose(in) != Z_OK || got < 0) throw ddla::input_error("cannot unpack " + name_);
        text_.str(std::move(text));
    }

    std::string line()
    {
        std::string text;
        if (!std::getline(text_, text)) fail("the file ends too early");
        ++number_;
        return text;
    }
    /// What follows this word on the next line.
    std::istringstream after(const std::string& word)
    {
        const std::string text = line();
        if (text.compare(0, word.size() + 1, word + " ") != 0) fail("expected " + word);
        return std::istringstream(text.substr(word.size() + 1));
    }
    void expect(const std::string& text)
    {
        if (line() != text) fail("expected " + text);
    }
    /// One value after the word, of a type that a stream reads.
    template <class T>
    T value(const std::string& word, std::ios::fmtflags base = std::ios::dec)
    {
        std::istringstream in = after(word);
        in.setf(base, std::ios::basefield);
        T value{};
        if (!(in >> value)) fail("no value of " + word);
        return value;
    }
    condition condition_number(const std::string& word)
    {
        std::istringstream in = after(word);
        std::string value, how;
        if (!(in >> value >> how) || (how != "exact" && how != "estimate")) fail("no " + word);
        return {std::strtod(value.c_str(), nullptr), how == "exact"};
    }
    [[noreturn]] void fail(const std::string& why) const
    {
        throw ddla::input_error(name_ + ":" + std::to_string(number_) + ": " + why);
    }

private:
    std::string name_;
    std::istringstream text_;
    int number_ = 0;
};

void check_decimal(const line_reader& lines, const std::string& text)
{
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') lines.fail("not a number: " + text);
}

answer read_answer(line_reader& lines, ddla::index_t rows)
{
    answer a;
    a.rhs = lines.value<std::string>("rhs");
    std::istringstream label = lines.after("label");
    std::string kind;
    label >> kind;
    a.exact = kind == "exact";
    if (!a.exact && (kind != "agreed" || !(label >> a.lower >> a.higher))) lines.fail("no label");
    a.skeel = lines.condition_number("skeel");
    if (a.rhs == "large") {
        lines.expect("b");
        for (ddla::index_t i = 0; i < rows; ++i) {
            const std::string text = lines.line();
            check_decimal(lines, text);
            a.b.push_back(std::strtod(text.c_str(), nullptr));
        }
    } else {
        a.b = right_hand_side(a.rhs, rows);
    }
    lines.expect("x");
    for (ddla::index_t i = 0; i < rows; ++i) check_decimal(lines, a.x.emplace_back(lines.line()));
    return a;
}

const char* how(const condition& c)
{
    return c.exact ? "exact" : "estimate";
}

std::string text_of(const answers& a)
{
    std::ostringstream out;
    out << first_line << "\nmatrix " << a.matrix << "\nrows " << a.rows << "\nnonzeros "
        << a.nonzeros << "\nhash " << std::hex;
    out.width(16);
    out.fill('0');
    out << a.hash << std::dec << "\ndefinite " << (a.definite ? "yes" : "no");
    out.precision(4);
    out << "\nkappa1 " << a.kappa1.value << ' ' << how(a.kappa1) << "\nanswers " << a.all.size()
        << '\n';
    for (const answer& one : a.all) {
        out << "rhs " << one.rhs << "\nlabel ";
        if (one.exact)
            out << "exact\n";
        else
            out << "agreed " << one.lower << ' ' << one.higher << '\n';
        out << "skeel " << one.skeel.value << ' ' << how(one.skeel) << '\n';
        if (one.rhs == "large") {
            out << "b\n";
            for (const double b : one.b) out << static_cast<long>(b) << '\n';
        }
        out << "x\n";
        for (const std::string& x : one.x) out << x << '\n';
    }
    return out.str();
}

}  // namespace

answers read_answers(const std::filesystem::path& file)
{
    line_reader lines(file);
    lines.expect(first_line);
    answers a;
    a.matrix = lines.value<std::string>("matrix");
    a.rows = lines.value<ddla::index_t>("rows");
    a.nonzeros = lines.value<ddla::index_t>("nonzeros");
    a.hash = lines.value<std::uint64_t>("hash", std::ios::hex);
    a.definite = lines.value<std::string>("definite") == "yes";
    a.kappa1 = lines.condition_number("kappa1");
    for (int left = lines.value<int>("answers"); left > 0; --left)
        a.all.push_back(read_answer(lines, a.rows));
    return a;
}

void write_answers(const std::filesystem::path& file, const answers& a)
{
    const std::string text = text_of(a);
    const std::filesystem::path beside = file.string() + ".part";
    const gzFile out = gzopen(beside.c_str(), "wb9");
    if (!out) throw ddla::input_error("cannot create " + beside.string());
    const bool written = gzwrite(out, text.data(), static_cast<unsigned>(text.size())) ==
                         static_cast<int>(text.size());
    if (gzclose(out) != Z_OK || !written)
        throw ddla::input_error("cannot write " + beside.string());
    std::filesystem::rename(beside, file);
}

std::optional<ddla::csr_matrix<double>> matrix_of(const answers& a,
                                                  const std::filesystem::path& folder)
{
    std::optional<ddla::csr_matrix<double>> matrix;
    if (is_generated(a.matrix))
        matrix = generated_matrix(a.matrix);
    else if (const auto file = file_of(a.matrix, folder))
        matrix = ddla::read_matrix<double>(*file);
    if (matrix && hash_of(*matrix) != a.hash)
        throw ddla::input_error(a.matrix + " is not the matrix whose answers are stored");
    return matrix;
}

mpfr_vector solution_of(const answer& a, mpfr_prec_t bits)
{
    mpfr_vector x(a.x.size(), bits);
    for (std::size_t i = 0; i < x.size(); ++i) mpfr_set_str(x[i], a.x[i].c_str(), 10, MPFR_RNDN);
    return x;
}

}  // namespace reference
