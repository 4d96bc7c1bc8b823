// Generates large Matrix Market files, and times read_matrix on a file.
//
//     bench_reader generate stencil|random|short FILE MEGABYTES
//     bench_reader read FILE THREADS double|dd      prints seconds, rows, entries
#include "ddla/matrix_market.hpp"
#include "support/program.hpp"

#include <charconv>
#include <chrono>
#include <fstream>
#include <random>
#include <string>

namespace {

using ddla::index_t;

class writer {
public:
    explicit writer(const std::string& file) : out_(file, std::ios::binary)
    {
        text_.reserve(1 << 22);
    }
    ~writer() { flush(); }
    void add(index_t n) { put(n), text_ += ' '; }
    template <class T>
    void end_line(T value)
    {
        put(value);
        text_ += '\n';
        if (text_.size() > (1 << 22) - 256) flush();
    }
    void text(const std::string& text) { text_ += text; }

private:
    template <class T>
    void put(T x)
    {
        char digits[40];
        text_.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
    }
    void flush()
    {
        out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
        text_.clear();
    }
    std::ofstream out_;
    std::string text_;
};

/// Column by column, as most collections store their files: a 27-point stencil on a cube with
/// values of 16 to 17 digits.
void stencil(writer& out, index_t megabytes)
{
    std::mt19937_64 random(1);
    std::normal_distribution<double> value;
    index_t n = 10;
    while (27 * (n - 1) * (n - 1) * (n - 1) * 36 < megabytes * 1000000) ++n;
    const index_t along = 3 * n - 2;
    out.text(std::to_string(n * n * n) + " " + std::to_string(n * n * n) + " " +
             std::to_string(along * along * along) + "\n");
    const auto inside = [&](index_t i) { return i >= 0 && i < n; };
    for (index_t c = 0; c < n * n * n; ++c)
        for (index_t d = 0; d < 27; ++d) {
            const index_t x = c % n + d % 3 - 1, y = c / n % n + d / 3 % 3 - 1,
                          z = c / n / n + d / 9 - 1;
            if (!inside(x) || !inside(y) || !inside(z)) continue;
            out.add(x + n * (y + n * z) + 1);
            out.add(c + 1);
            out.end_line(value(random));
        }
}

/// A million rows, entries anywhere: values of 16 to 17 digits, or (short) small integers.
void scattered(writer& out, index_t megabytes, bool short_values)
{
    std::mt19937_64 random(1);
    std::normal_distribution<double> value;
    constexpr index_t n = 1000000;
    const index_t entries = megabytes * 1000000 / (short_values ? 18 : 34);
    out.text(std::to_string(n) + " " + std::to_string(n) + " " + std::to_string(entries) + "\n");
    std::uniform_int_distribution<index_t> place(1, n);
    for (index_t k = 0; k < entries; ++k) {
        out.add(place(random));
        out.add(place(random));
        if (short_values)
            out.end_line(place(random) % 1000);
        else
            out.end_line(value(random));
    }
}

int generate(const std::string& kind, const std::string& file, index_t megabytes)
{
    writer out(file);
    out.text("%%MatrixMarket matrix coordinate real general\n");
    if (kind == "stencil")
        stencil(out, megabytes);
    else
        scattered(out, megabytes, kind == "short");
    return 0;
}

template <class V>
int read(const std::string& file, int threads)
{
    const auto start = std::chrono::steady_clock::now();
    const auto a = ddla::read_matrix<V>(file, threads);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%.6f %lld %lld\n", taken.count(), static_cast<long long>(a.rows()),
                static_cast<long long>(a.nonzeros()));
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    std::string kind, file, precision;
    index_t megabytes = 0;
    int threads = 1;
    CLI::App app("Generates large Matrix Market files, and times read_matrix on a file");
    app.require_subcommand(1);
    CLI::App& make = *app.add_subcommand("generate", "write a file");
    make.add_option("kind", kind)->required()->check(CLI::IsMember({"stencil", "random", "short"}));
    make.add_option("file", file)->required();
    make.add_option("megabytes", megabytes)->required()->check(CLI::PositiveNumber);
    CLI::App& time = *app.add_subcommand("read", "print seconds, rows, entries");
    time.add_option("file", file)->required();
    time.add_option("threads", threads)->required()->check(CLI::PositiveNumber);
    time.add_option("precision", precision)->required()->check(CLI::IsMember({"double", "dd"}));
    return bench::run_program("bench_reader", app, argc, argv, [&] {
        if (make.parsed()) return generate(kind, file, megabytes);
        return precision == "dd" ? read<ddla::dd_real>(file, threads) : read<double>(file, threads);
    });
}
