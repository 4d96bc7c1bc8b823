// What several commands let their user choose: precisions, values, place, threads, file names.
#pragma once

#include "cli/shell/command_line.hpp"

#include "ddla/number.hpp"
#include "ddla/output_file.hpp"
#include "ddla/place.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ddla::cli {

/// One of `precisions`, by the number of its words: the larger, the wider.
enum class precision : int {};
template <scalar T>
inline constexpr precision precision_of{words_of<T>};

enum class place_choice { automatic, host, device };

/// The narrowest first.
std::vector<precision> all_precisions();

/// The name in options and reports: "double", "dd".
std::string_view word(precision p);
/// The name in sentences: "double", "double-double".
std::string_view name(precision p);

/// f.operator()<T>() for the T of a precision.
template <class F>
void in_precision(precision p, const F& f)
{
    for_each_type(precisions{}, [&]<scalar T>() {
        if (p == precision_of<T>) f.template operator()<T>();
    });
}

/// A matrix, the precisions, and the place.
struct matrix_choices {
    std::filesystem::path matrix;
    std::vector<precision> precisions = {precision_of<dd_real>};
    precision values = precision_of<double>;  ///< how the decimal values of A, b are rounded
    place_choice place = place_choice::automatic;
    int threads = 0;                ///< 0: the library's choice
    std::int64_t memory_limit = 0;  ///< of A; 0: what there is
};

CLI::Option* add_matrix(CLI::App& app, matrix_choices& choices);
void add_memory_limit(CLI::App& app, matrix_choices& choices);
/// `what` has this precision, for the help; the default is what the choices hold.
void add_precision(CLI::App& app, matrix_choices& choices, const std::string& what);
/// `of` is what has these values, for the help.
void add_values(CLI::App& app, matrix_choices& choices, const std::string& of = "A");
/// --place; `what` is done there, for the help.
void add_place(CLI::App& app, matrix_choices& choices, const std::string& what);
/// --threads
void add_threads(CLI::App& app, matrix_choices& choices);
/// Both.
void add_machine(CLI::App& app, matrix_choices& choices, const std::string& what);

/// Throws input_error if a precision that was asked for cannot hold the values.
void check_values(const matrix_choices& choices);

/// The place, with its threads set.  Throws resource_error if a device is required and there is
/// none.
place set_up(const matrix_choices& choices);

/// "host, 2 threads", "device 0"
std::string place_text(place where, int threads);

/// Throws input_error where a file that each precision reads anew is the standard input.
void check_is_read_once(const matrix_choices& choices, const char* option,
                        const std::filesystem::path& file);

struct named_file {
    std::string option;
    std::filesystem::path file;
    file_form form = file_form::json;  ///< of outputs
};

/// Checks files before the work: input files must exist, output files must be writable, with names
/// that promise what is written, and no file may be written twice, or both read and written.  Empty
/// names are skipped.
void check_files(std::vector<named_file> in, std::vector<named_file> out);

/// Writes a file atomically; nothing if the name is empty.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace ddla::cli
