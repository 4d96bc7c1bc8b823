// A solve that shows its progress and that Ctrl-C ends.
#pragma once

#include "interrupt.hpp"
#include "progress.hpp"
#include "solve_request.hpp"

#include "ddla/error.hpp"
#include "ddla/matrix_market.hpp"

namespace ddla::cli {

/// A as it is in the file, at the host.  Throws input_error unless it is square.
template <scalar V>
csr_matrix<V> read_square(const std::filesystem::path& file)
{
    csr_matrix<V> a = read_matrix<V>(file);
    if (a.rows() != a.columns())
        throw input_error(file.string() + ": the matrix is " + std::to_string(a.rows()) + " x " +
                          std::to_string(a.columns()) + ", not square");
    return a;
}

inline void require_rows(const std::filesystem::path& file, index_t numbers,
                         const std::filesystem::path& matrix, index_t rows,
                         const char* dimension = "rows")
{
    if (numbers != rows)
        throw input_error(file.string() + ": holds " + std::to_string(numbers) + " numbers, but " +
                          matrix.string() + " has " + std::to_string(rows) + " " + dimension);
}

/// A vector for a matrix of so many rows, or columns, which is in the file `matrix`.
template <scalar T>
vector<T> read_sized(const std::filesystem::path& file, const std::filesystem::path& matrix,
                     index_t rows, const char* dimension = "rows")
{
    vector<T> x = read_vector<T>(file);
    require_rows(file, x.size(), matrix, rows, dimension);
    return x;
}

/// The same for one vector or more.
template <scalar T>
std::vector<vector<T>> read_sized_columns(const std::filesystem::path& file,
                                          const std::filesystem::path& matrix, index_t rows,
                                          const char* dimension)
{
    std::vector<vector<T>> x = read_vectors<T>(file);
    if (x.empty()) throw input_error(file.string() + ": holds no column");
    const auto columns = static_cast<index_t>(x.size());
    if (columns == 1) require_rows(file, x.front().size(), matrix, rows, dimension);
    if (x.front().size() != rows)
        throw input_error(file.string() + ": holds " + std::to_string(columns) + " columns of " +
                          std::to_string(x.front().size()) + " numbers, but " + matrix.string() +
                          " has " + std::to_string(rows) + " " + dimension);
    return x;
}

/// The same in four words.
inline std::pair<vector<dd_real>, vector<dd_real>>
read_sized_four_words(const std::filesystem::path& file, const std::filesystem::path& matrix,
                      index_t rows)
{
    auto x = read_four_words(file);
    require_rows(file, x.first.size(), matrix, rows);
    return x;
}

/// b in the precision of the solve, at the place of A.
template <scalar T, scalar V>
vector<T> right_hand_side(const solve_request& r, const csr_matrix<V>& a)
{
    if (r.right_hand_side_is_file())
        return read_sized<T>(r.right_hand_side, r.matrix, a.rows()).to(a.where());
    vector<T> b(a.rows(), T(1), a.where());
    if (r.right_hand_side == "A*ones") {
        const vector<T> ones(a.columns(), T(1), a.where());
        spmv(T(1), a, ones, T(0), b);
    }
    return b;
}

/// The columns of the file, or the one vector that the request names.
template <scalar T, scalar V>
std::vector<vector<T>> right_hand_sides(const solve_request& r, const csr_matrix<V>& a)
{
    std::vector<vector<T>> all;
    if (!r.right_hand_side_is_file()) {
        all.push_back(right_hand_side<T>(r, a));
        return all;
    }
    for (const vector<T>& b : read_sized_columns<T>(r.right_hand_side, r.matrix, a.rows(), "rows"))
        all.push_back(b.to(a.where()));
    return all;
}

/// What the request says of the solve; on the host with the number of iterations between two looks.
solve_options options_of(const solve_request& r, place at, index_t rows, index_t nonzeros);

/// "double-double: iteration 12, residual 1.0e-03, 100 iterations/s"
std::string progress_text(precision in, const solve_progress& progress, double elapsed);

using place_function = std::function<place()>;

/// solve_now(options), in the precision T, with iterations instead of factors at `iterations_at`;
/// what it has against the system gets the name of the file.
template <scalar T, scalar V, class Solve>
solve_report watched(const solve_request& r, const csr_matrix<V>& a, bool record_history,
                     const interrupt_guard& interrupt, const place_function& iterations_at,
                     const Solve& solve_now)
try {
    solve_options options = options_of(r, a.where(), a.rows(), a.nonzeros());
    options.record_history = record_history;
    options.place_of_iterations = iterations_at;
    progress_line line(r.quiet);
    options.watch = [&](const solve_progress& progress) {
        if (line.due()) line.show(progress_text(precision_of<T>, progress, line.elapsed()));
        return !interrupt.requested();
    };
    return solve_now(options);
} catch (const input_error& e) {
    throw input_error(r.matrix.string() + ": " + e.what());
}

/// The library's solve.
template <scalar T, scalar V>
solve_report watched_solve(const solve_request& r, const csr_matrix<V>& a, const vector<T>& b,
                           vector<T>& x, bool record_history, const interrupt_guard& interrupt)
{
    return watched<T>(r, a, record_history, interrupt, {},
                      [&](const solve_options& options) { return solve(a, b, x, options); });
}

}  // namespace ddla::cli
