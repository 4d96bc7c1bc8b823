// Matrix Market files (.mtx, .mtx.gz), and other forms: matrices and vectors in double and
// double-double.
//
//     auto a = ddla::read_matrix<double>("bcsstk14.mtx.gz");
//     auto b = ddla::read_vector<ddla::dd_real>("b.mtx");
//     ddla::write_vector("x.mtx", x, "solution of A x = b");
//
//     // Complex files: the real form of twice the size (complex.hpp).
//     const auto [h, is_complex, has_b] = ddla::read_any_matrix<double>("helmholtz.mtx");
//
// Reads coordinate and array files; real (or double), integer, pattern and complex; general,
// symmetric, skew-symmetric and hermitian.  Decimal values of any length are
// correctly rounded to double or dd_real; too small ones become zero, which `lost` counts, too
// large ones are an error, as are words for infinity and NaN.
//
// Accepted, because such files exist: any case in the banner; comments and blank lines anywhere
// below it; tabs, leading and trailing blanks, CR LF; Fortran's exponents (1.0D+00, and 1.0-100:
// up to three digits without a letter, after a point); a sign +; a last line without end; gzip
// under any name; the upper triangle of a symmetric matrix in place of the lower one.  Refused:
// entries in both triangles of a symmetric file, and more or fewer entries than the size line
// declares.
//
// Also read: Lis's extended form (behind the entries b, x, or both) and its vectors; assembled
// Harwell-Boeing and Rutherford-Boeing files with their right-hand sides, guesses and solutions;
// as a vector, a list of numbers.  Files of other programs (npy, MAT, bzip2, UTF-16 ...) are
// refused with an input_error that has the command which converts them.  docs/files.md says more.
#pragma once

#include "csr_matrix.hpp"
#include "read_losses.hpp"

#include <filesystem>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace ddla {

/// A sparse matrix, rows sorted by column.  Symmetric files are mirrored, duplicates summed in the
/// order of the file by the rule of summation.hpp, entries of a pattern are 1, explicit zeros are
/// kept; of an array file the nonzeros are stored.  threads = 0: host_threads(); the bits do not
/// depend on it.  Throws input_error, "FILE:LINE: cause" for malformed content, also if the file
/// cannot be opened or read; resource_error if memory does not suffice.
/// Cost: one pass over the text; peak memory: the entries twice, an offset a row, and the text of a
/// compressed file or a pipe.  What these take at least is compared with memory_limit bytes, 0: all
/// that the machine has, before they are allocated; resource_error where it is more, "FILE:LINE: …"
/// with both numbers.
template <scalar V>
csr_matrix<V> read_matrix(const std::filesystem::path& file, int threads = 0,
                          read_losses* lost = nullptr, std::size_t memory_limit = 0);

/// Which vectors of a file that has several: b, a first x, the x that is known.  Lis's extended
/// form has one x.  Other files of vectors are what they are.
enum class vector_part { right_hand_side, guess, solution };

/// A vector: of a file with a matrix the part that is asked for; else an array file of one column,
/// or a coordinate file of one column (absent = 0).
template <scalar T>
vector<T> read_vector(const std::filesystem::path& file, int threads = 0,
                      read_losses* lost = nullptr, std::size_t memory_limit = 0,
                      vector_part part = vector_part::right_hand_side);

/// The columns of an array file, or of a coordinate file (absent = 0).
template <scalar T>
std::vector<vector<T>> read_vectors(const std::filesystem::path& file, int threads = 0,
                                    read_losses* lost = nullptr, std::size_t memory_limit = 0,
                                    vector_part part = vector_part::right_hand_side);

/// x and x_low of numbers x + x_low.
using four_word_vector = std::pair<vector<dd_real>, vector<dd_real>>;

/// An array file of one column as x + x_low: x has the dd_reals nearest to the numbers, x_low those
/// nearest to what x leaves of them, together about 64 digits.
four_word_vector read_four_words(const std::filesystem::path& file, int threads = 0,
                                 read_losses* lost = nullptr, std::size_t memory_limit = 0,
                                 vector_part part = vector_part::right_hand_side);

/// What a file holds: numbers as above or, of complex ones, their real form (complex.hpp).  The
/// functions above refuse complex files, with input_error.
template <class Numbers>
struct file_content {
    Numbers numbers;
    bool is_complex = false;
    bool has_right_hand_side = false;  ///< of a matrix: read_any_vectors of the same file has it
};

/// Mirror images are conjugate in a hermitian file, equal in a symmetric, negated in a
/// skew-symmetric one; parts that are zero are not stored.  At most 2^30 - 1 complex rows and
/// columns.
template <scalar V>
file_content<csr_matrix<V>> read_any_matrix(const std::filesystem::path& file, int threads = 0,
                                            read_losses* lost = nullptr,
                                            std::size_t memory_limit = 0);

template <scalar T>
file_content<vector<T>> read_any_vector(const std::filesystem::path& file, int threads = 0,
                                        read_losses* lost = nullptr, std::size_t memory_limit = 0,
                                        vector_part part = vector_part::right_hand_side);
template <scalar T>
file_content<std::vector<vector<T>>>
read_any_vectors(const std::filesystem::path& file, int threads = 0, read_losses* lost = nullptr,
                 std::size_t memory_limit = 0, vector_part part = vector_part::right_hand_side);
file_content<four_word_vector> read_any_four_words(const std::filesystem::path& file,
                                                   int threads = 0, read_losses* lost = nullptr,
                                                   std::size_t memory_limit = 0,
                                                   vector_part part = vector_part::right_hand_side);

/// Whether a file that can be read twice holds a matrix and its right-hand side, by its first
/// lines.
bool holds_right_hand_side(const std::filesystem::path& file);

/// Writes a coordinate (for a vector: an array) file, real, general, with `comment` as comment
/// lines; `.gz` compresses.  Each value has the fewest digits that read back with the same bits.
/// The file is written beside the target and renamed, so that a failure leaves the target as it
/// was; into a device or pipe it is written directly.  Throws input_error for a value that is not
/// finite (the format has no word for it) and for a name that promises another format (x.npy),
/// resource_error, with the system's reason, if the target
/// cannot be created or writing fails.
template <scalar V>
void write_matrix(const std::filesystem::path& file, const csr_matrix<V>& a,
                  const std::string& comment = {});
/// The same text to a stream, whose state tells whether it arrived.
template <scalar V>
void write_matrix(std::ostream& out, const csr_matrix<V>& a, const std::string& comment = {});
template <scalar T>
void write_vector(const std::filesystem::path& file, const vector<T>& x,
                  const std::string& comment = {});

/// Writes vectors of one size as the columns of an array file.
template <scalar T>
void write_vectors(const std::filesystem::path& file, const std::vector<vector<T>>& x,
                   const std::string& comment = {});

/// Writes x + x_low with the fewest digits, but at least 64 unless the others are zeros, that
/// read_four_words reads back with the same bits.
void write_vector(const std::filesystem::path& file, const vector<dd_real>& x,
                  const vector<dd_real>& x_low, const std::string& comment = {});

/// Writes the complex numbers of real forms, each number as its real and its imaginary part.
template <scalar T>
void write_complex_vectors(const std::filesystem::path& file, const std::vector<vector<T>>& forms,
                           const std::string& comment = {});
void write_complex_vector(const std::filesystem::path& file, const vector<dd_real>& form,
                          const vector<dd_real>& form_low, const std::string& comment = {});

}  // namespace ddla
