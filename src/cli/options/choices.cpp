// Options that several commands share.
#include "choices.hpp"

#include "cli/shell/arguments.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/text_format.hpp"

#include "ddla/buffer.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/output_file.hpp"

#include <algorithm>

namespace ddla::cli {
namespace {

namespace fs = std::filesystem;

/// Whether two names are of the same file, which need not exist.
bool same_file(const fs::path& a, const fs::path& b)
{
    std::error_code ignored;
    if (fs::exists(a, ignored)) return fs::is_regular_file(a) && fs::equivalent(a, b, ignored);
    const auto full = [&](const fs::path& p) {
        return fs::weakly_canonical(fs::absolute(p, ignored), ignored);
    };
    return full(a) == full(b);
}

/// No file may be written twice, or read and written.
void check_distinct(const std::vector<named_file>& in, const std::vector<named_file>& out)
{
    std::vector<named_file> taken = in;
    for (const named_file& f : out) {
        for (const named_file& other : taken)
            if (same_file(f.file, other.file))
                throw input_error(f.option + ": \"" + f.file.string() + "\" is the file of " +
                                  other.option + ", too");
        taken.push_back(f);
    }
}

/// It can be read once.
void check_standard_input(const std::vector<named_file>& in)
{
    const auto is_it = [](const named_file& f) { return is_standard_input(f.file); };
    const auto first = std::find_if(in.begin(), in.end(), is_it);
    if (first == in.end()) return;
    const auto second = std::find_if(first + 1, in.end(), is_it);
    if (second != in.end())
        throw input_error(second->option + ": the standard input is " + first->option +
                          " already: only one file can come from it");
}

place place_of(place_choice choice)
{
    if (choice == place_choice::host) return host;
    try {
        const buffer probe(1, device(0));
        return device(0);
    } catch (const resource_error&) {
        if (choice == place_choice::device) throw;
        return host;
    }
}

/// "double|dd"
std::string words_of_all()
{
    std::string words;
    for (const precision p : all_precisions())
        words += (words.empty() ? "" : "|") + std::string(word(p));
    return words;
}

}  // namespace

std::vector<precision> all_precisions()
{
    std::vector<precision> all;
    for_each_type(precisions{}, [&]<scalar T>() { all.push_back(precision_of<T>); });
    return all;
}

std::string_view word(precision p)
{
    std::string_view found;
    in_precision(p, [&]<scalar T>() { found = number_traits<T>::name; });
    return found;
}

std::string_view name(precision p)
{
    std::string_view found;
    in_precision(p, [&]<scalar T>() { found = number_traits<T>::name_in_text; });
    return found;
}

CLI::Option* add_matrix(CLI::App& app, matrix_choices& c)
{
    return add_option(app, "A.mtx", c.matrix, input_file, "",
                      "The matrix, .mtx or .mtx.gz; - is the standard input");
}

void add_memory_limit(CLI::App& app, matrix_choices& c)
{
    add_option(app, "--memory-limit", c.memory_limit, bytes_between(1, INT64_MAX), "BYTES",
               "Most memory of A, in bytes or as 8G: while it is\nread, and of its format (what "
               "there is)");
}

void add_precision(CLI::App& app, matrix_choices& c, const std::string& what)
{
    using list = std::vector<precision>;
    std::vector<std::pair<std::string, list>> choices;
    for (const precision p : all_precisions()) choices.push_back({std::string(word(p)), {p}});
    choices.push_back({"both", all_precisions()});
    const std::string preset =
        c.precisions.size() > 1 ? "both" : std::string(word(c.precisions.front()));
    add_option(app, "--precision", c.precisions, one_of<list>(choices), words_of_all() + "|both",
               "The precision of " + what + " (" + preset + ")");
}

void add_values(CLI::App& app, matrix_choices& c, const std::string& of)
{
    std::vector<std::pair<std::string, precision>> choices;
    for (const precision p : all_precisions()) choices.push_back({std::string(word(p)), p});
    add_option(app, "--values", c.values, one_of<precision>(choices), words_of_all(),
               "How decimal values of " + of +
                   " are rounded\n(double, so that both precisions have "
                   "the same);\ndd only with --precision dd");
}

void add_place(CLI::App& app, matrix_choices& c, const std::string& what)
{
    add_option(app, "--place", c.place,
               one_of<place_choice>({{"auto", place_choice::automatic},
                                     {"host", place_choice::host},
                                     {"device", place_choice::device}}),
               "auto|host|device", "Where to " + what + " (auto); never changes a bit");
}

void add_threads(CLI::App& app, matrix_choices& c)
{
    add_option(app, "--threads", c.threads, integer_between(1, 1024), "N",
               "Threads of the host (DDLA_NUM_THREADS, or one a\n"
               "processor); never changes a bit");
}

void add_machine(CLI::App& app, matrix_choices& c, const std::string& what)
{
    add_place(app, c, what);
    add_threads(app, c);
}

void check_values(const matrix_choices& c)
{
    const precision narrowest = *std::min_element(c.precisions.begin(), c.precisions.end());
    const std::string values(word(c.values));
    if (narrowest < c.values)
        throw input_error("--values: \"" + values + "\" needs --precision " + values + ": " +
                          std::string(name(narrowest)) + " cannot hold A");
}

void check_is_read_once(const matrix_choices& c, const char* option, const fs::path& file)
{
    if (c.precisions.size() > 1 && is_standard_input(file))
        throw input_error(std::string(option) +
                          ": the standard input is read once, but --precision both reads it for "
                          "each precision");
}

place set_up(const matrix_choices& c)
{
    const place at = place_of(c.place);
    if (c.threads > 0) set_host_threads(c.threads);
    return at;
}

std::string place_text(place where, int threads)
{
    if (!where.is_host()) return to_string(where);
    return print("host, %d thread%s", threads, threads == 1 ? "" : "s");
}

void check_files(std::vector<named_file> in, std::vector<named_file> out)
{
    const auto unnamed = [](const named_file& f) { return f.file.empty(); };
    std::erase_if(in, unnamed);
    std::erase_if(out, unnamed);
    check_standard_input(in);
    for (const named_file& f : in) require_readable(f.file);
    check_distinct(in, out);
    for (const named_file& f : out) require_name_of(f.form, f.file);
    const held_signals part_files_are_removed;
    for (const named_file& f : out) require_writable(f.file);
}

void write_file(const fs::path& file, const std::string& text)
{
    if (file.empty()) return;
    output_file out(file);
    out.write(text);
    out.commit();
}

}  // namespace ddla::cli
