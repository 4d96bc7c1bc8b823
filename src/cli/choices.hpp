// What several commands let their user choose: precisions, values, place, threads, file names.
#pragma once

#include "ddla/number.hpp"
#include "ddla/place.hpp"

#include <CLI/CLI.hpp>

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

/// "double", "dd": the word of the options and the reports.
std::string_view word(precision p);
/// "double", "double-double": the name in sentences.
std::string_view name(precision p);

/// f.operator()<T>() for the T of a precision.
template <class F>
void in_precision(precision p, const F& f)
{
    for_each_type(precisions{}, [&]<scalar T>() {
        if (p == precision_of<T>) f.template operator()<T>();
    });
}

/// A matrix, and what is done with it where.
struct matrix_choices {
    std::filesystem::path matrix;
    std::vector<precision> precisions = {precision_of<dd_real>};
    precision values = precision_of<double>;  ///< how the decimal values of A are rounded
    place_choice place = place_choice::automatic;
    int threads = 0;  ///< 0: as many as the library takes by itself
};

CLI::Option* add_matrix(CLI::App& app, matrix_choices& choices);
/// `what` it is the precision of.
void add_precision(CLI::App& app, matrix_choices& choices, const std::string& what);
void add_values(CLI::App& app, matrix_choices& choices);
/// `what` to do at the place.
void add_machine(CLI::App& app, matrix_choices& choices, const std::string& what);

/// Throws input_error for values that no precision asked for can hold.
void check_values(const matrix_choices& choices);

/// The place, with its threads set.  Throws resource_error if a device is wanted and there is none.
place set_up(const matrix_choices& choices);

/// "host, 2 threads", "device 0"
std::string place_text(place at, int threads);

struct named_file {
    std::string option;
    std::filesystem::path file;
};

/// Throws unless the files to read are there, none is written twice, or read and written, and those
/// to write can be written: before the work, not after it.  Files without a name are left out.
void check_files(std::vector<named_file> in, std::vector<named_file> out);

/// Write a file that is there whole or not at all; nothing without a name.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace ddla::cli
