// ddla generate: write a test matrix.
#include "cli/shell/command.hpp"

#include "cli/shell/arguments.hpp"
#include "cli/shell/help_text.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/text_format.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/output_file.hpp"
#include "ddla/version.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <streambuf>
#include <variant>

namespace ddla::cli {
namespace {

using made_matrix = std::variant<csr_matrix<double>, csr_matrix<dd_real>>;

struct generate_request {
    index_t nx = 0, ny = 0, nz = 0;  ///< 0: as the previous one
    index_t n = 0, per_row = 11, bandwidth = 8, seed = 1;
    double convection = 0.3, shift = 0.05, gamma = 1.5, dominance = 0.1, exponent = 1;
    bool wide_values = false;
    std::filesystem::path output;

    index_t grid_y() const { return ny > 0 ? ny : nx; }
    index_t grid_z() const { return nz > 0 ? nz : grid_y(); }
};

/// A kind of matrix: its place on the command line, what makes it, and the comment in the file.
struct kind {
    CLI::App* app;
    std::function<made_matrix(const generate_request&)> make;
    std::function<std::string(const generate_request&)> parameters;
};

using request_pointer = std::shared_ptr<generate_request>;

const auto any_number = [](double) { return true; };
const auto size_of = integer_between(1, csr_matrix<double>::max_dimension);

CLI::App* add_kind(CLI::App& app, const std::string& name, const std::string& description,
                   const request_pointer& r)
{
    CLI::App* kind = app.add_subcommand(name, description)->group("Kinds");
    add_option(*kind, "--output", r->output, file_name, "FILE",
               "Write to FILE, .mtx or .mtx.gz (standard output)");
    return kind;
}

void add_grid(CLI::App& app, const request_pointer& r, int dimensions)
{
    add_option(app, "NX", r->nx, size_of, "", "Points in x")->required();
    add_option(app, "NY", r->ny, size_of, "", "Points in y (NX)");
    if (dimensions == 3) add_option(app, "NZ", r->nz, size_of, "", "Points in z (NY)");
}

void add_size(CLI::App& app, const request_pointer& r)
{
    add_option(app, "N", r->n, size_of, "", "Rows")->required();
}

void add_random(CLI::App& app, const request_pointer& r)
{
    add_size(app, r);
    add_option(app, "--per-row", r->per_row, size_of, "K", "Entries a row (11)");
    add_option(app, "--seed", r->seed, integer_between(0, std::numeric_limits<index_t>::max()), "S",
               "Another seed, another matrix (1)");
}

std::string grid_text(const generate_request& r, int dimensions)
{
    std::string text = std::to_string(r.nx) + " x " + std::to_string(r.grid_y());
    if (dimensions == 3) text += " x " + std::to_string(r.grid_z());
    return text;
}

kind add_poisson2d(CLI::App& app, const request_pointer& r)
{
    CLI::App* kind = add_kind(app, "poisson2d", "5-point Laplacian on a grid.", r);
    add_grid(*kind, r, 2);
    return {kind, [](auto& q) { return generate::poisson2d(q.nx, q.grid_y()); },
            [](auto& q) { return grid_text(q, 2); }};
}

kind add_poisson3d(CLI::App& app, const request_pointer& r)
{
    CLI::App* kind = add_kind(app, "poisson3d", "7-point Laplacian on a grid.", r);
    add_grid(*kind, r, 3);
    return {kind, [](auto& q) { return generate::poisson3d(q.nx, q.grid_y(), q.grid_z()); },
            [](auto& q) { return grid_text(q, 3); }};
}

kind add_convection(CLI::App& app, const request_pointer& r)
{
    CLI::App* kind =
        add_kind(app, "convection-diffusion", "7-point -Laplace(u) + c du/dx + shift u.", r);
    add_grid(*kind, r, 3);
    add_option(*kind, "--convection", r->convection, number_where("a number", any_number), "C",
               "The convection c (0.3)");
    add_option(*kind, "--shift", r->shift, number_where("a number", any_number), "S",
               "Added to the diagonal (0.05)");
    const auto make = [](auto& q) {
        return generate::convection_diffusion(q.nx, q.grid_y(), q.grid_z(), q.convection, q.shift);
    };
    return {kind, make, [](auto& q) {
                return grid_text(q, 3) + ", convection " + shortest(q.convection) + ", shift " +
                       shortest(q.shift);
            }};
}

kind add_toeplitz(CLI::App& app, const request_pointer& r)
{
    CLI::App* kind = add_kind(app, "toeplitz",
                              "2 on the diagonal, 1 above it, gamma two below it:\n"
                              "the nonsymmetric one of quad-precision papers.",
                              r);
    add_size(*kind, r);
    add_option(*kind, "--gamma", r->gamma, number_where("a number", any_number), "G",
               "The larger, the harder (1.5)");
    return {kind, [](auto& q) { return generate::toeplitz(q.n, q.gamma); },
            [](auto& q) { return std::to_string(q.n) + ", gamma " + shortest(q.gamma); }};
}

kind add_hilbert(CLI::App& app, const request_pointer& r)
{
    CLI::App* kind =
        add_kind(app, "hilbert-like", "A band of the Hilbert matrix 1 / (i + j + 1).", r);
    add_size(*kind, r);
    add_option(*kind, "--bandwidth", r->bandwidth,
               integer_between(0, csr_matrix<double>::max_dimension), "K",
               "Entries with |i - j| <= K (8)");
    add_option(
        *kind, "--values", r->wide_values,
        one_of<bool>({{number_traits<double>::name, false}, {number_traits<dd_real>::name, true}}),
        "double|dd", "How the fractions are rounded (double)");
    const auto make = [](auto& q) -> made_matrix {
        if (q.wide_values) return generate::hilbert_like<dd_real>(q.n, q.bandwidth);
        return generate::hilbert_like<double>(q.n, q.bandwidth);
    };
    return {kind, make, [](auto& q) {
                return std::to_string(q.n) + ", bandwidth " + std::to_string(q.bandwidth);
            }};
}

kind add_random_kind(CLI::App& app, const request_pointer& r)
{
    CLI::App* kind = add_kind(app, "random", "Random columns and values, diagonally dominant.", r);
    add_random(*kind, r);
    add_option(*kind, "--dominance", r->dominance,
               number_where("a number above 0", [](double x) { return x > 0; }), "D",
               "a_ii = (1 + D) * (sum of the other |a_ij|) (0.1)");
    const auto make = [](auto& q) {
        return generate::random(q.n, q.per_row, q.dominance, static_cast<std::uint64_t>(q.seed));
    };
    return {kind, make, [](auto& q) {
                return std::to_string(q.n) + ", " + std::to_string(q.per_row) +
                       " a row, dominance " + shortest(q.dominance) + ", seed " +
                       std::to_string(q.seed);
            }};
}

kind add_skewed(CLI::App& app, const request_pointer& r)
{
    CLI::App* kind = add_kind(app, "skewed", "Random, with row lengths by a power law.", r);
    add_random(*kind, r);
    add_option(*kind, "--exponent", r->exponent,
               number_where("a number from 0 to 4", [](double x) { return x >= 0 && x <= 4; }), "E",
               "The row of rank k has a length like k^-E (1)");
    const auto make = [](auto& q) {
        return generate::skewed(q.n, q.per_row, q.exponent, static_cast<std::uint64_t>(q.seed));
    };
    return {kind, make, [](auto& q) {
                return std::to_string(q.n) + ", " + std::to_string(q.per_row) +
                       " a row, exponent " + shortest(q.exponent) + ", seed " +
                       std::to_string(q.seed);
            }};
}

/// Thrown where nothing more is to be written.
struct stopped_writing {};

/// A stream buffer that passes text on, unless an interrupt came.
class interruptible_sink : public std::streambuf {
public:
    using sink = std::function<void(std::string_view)>;
    interruptible_sink(sink put, const interrupt_guard& interrupt)
        : put_(std::move(put)), interrupt_(interrupt)
    {
    }

private:
    std::streamsize xsputn(const char* text, std::streamsize count) override
    {
        if (interrupt_.requested()) throw stopped_writing{};
        put_({text, static_cast<std::size_t>(count)});
        return count;
    }

    sink put_;
    const interrupt_guard& interrupt_;
};

void write_text(const made_matrix& a, const std::string& comment, const interrupt_guard& interrupt,
                interruptible_sink::sink put)
{
    interruptible_sink buffer(std::move(put), interrupt);
    std::ostream out(&buffer);
    out.exceptions(std::ios::badbit);  // hands on what the buffer throws
    std::visit([&](const auto& matrix) { write_matrix(out, matrix, comment); }, a);
}

void write(const made_matrix& a, const std::string& comment, const std::filesystem::path& target,
           const interrupt_guard& interrupt)
{
    if (!target.empty()) {
        output_file file(target);
        write_text(a, comment, interrupt, [&](std::string_view text) { file.write(text); });
        return file.commit();
    }
    write_text(a, comment, interrupt, [](std::string_view text) {
        // Nobody reads the rest, or it has no room; run_program() says so.
        if (!std::cout.write(text.data(), static_cast<std::streamsize>(text.size())))
            throw stopped_writing{};
    });
}

exit_status run(const std::vector<kind>& kinds, const generate_request& r)
{
    const auto k =
        std::find_if(kinds.begin(), kinds.end(), [](const kind& one) { return one.app->parsed(); });
    if (k == kinds.end()) throw input_error("generate: KIND is missing (see ddla generate --help)");
    const interrupt_guard interrupt;
    if (!r.output.empty()) {
        require_name_of(file_form::matrix_market, r.output);
        require_writable(r.output);
    }
    const std::string comment =
        "ddla " DDLA_VERSION ": " + k->app->get_name() + " " + k->parameters(r);
    try {
        write(k->make(r), comment, r.output, interrupt);
    } catch (const stopped_writing&) {
        if (interrupt.requested()) std::cerr << "ddla: interrupted: the matrix is not written\n";
        return exit_not_converged;
    }
    return exit_converged;
}

}  // namespace

command add_generate_command(CLI::App& app)
{
    CLI::App* generate = app.add_subcommand("generate", "Write a test matrix.");
    generate->require_subcommand(0, 1);
    generate->formatter(std::make_shared<help_text>("KIND"));
    const auto request = std::make_shared<generate_request>();
    const std::vector<kind> kinds{
        add_poisson2d(*generate, request),  add_poisson3d(*generate, request),
        add_convection(*generate, request), add_toeplitz(*generate, request),
        add_hilbert(*generate, request),    add_random_kind(*generate, request),
        add_skewed(*generate, request)};
    generate->footer("Examples:\n"
                     "  ddla generate poisson3d 100 --output poisson.mtx.gz\n"
                     "  ddla generate toeplitz 1000 --gamma 2 > toeplitz.mtx\n"
                     "  ddla generate skewed 100000 --per-row 20 --seed 7 --output s.mtx\n\n"
                     "The same options make the same bits on every machine.\n"
                     "ddla generate KIND --help describes a kind.");
    return {generate, [kinds, request] { return run(kinds, *request); }};
}

}  // namespace ddla::cli
