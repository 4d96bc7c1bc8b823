// Matrices and systems whose rows are shared among ranks: of MPI (mpi.hpp), or threads
// (communicator.hpp).  docs/ranks.md
//
//     ddla::run_ranks(2, [](std::shared_ptr<ddla::communicator> ranks) {
//         // Each rank has a row of [2 -1; -1 2], with columns numbered over all ranks.
//         const double own[2][2] = {{2, -1}, {-1, 2}};
//         const ddla::distributed_matrix<double> a(ranks, 2, 2, {0, 2}, {0, 1},
//                                                  ddla::vector<double>(own[ranks->rank()]));
//         const ddla::vector<ddla::dd_real> b(a.local_rows(), 1.0);
//         ddla::vector<ddla::dd_real> x(a.local_columns());
//         ddla::solve(a, b, x, {.method = ddla::method::cg});
//     });
//
// Every result has the bits that one rank with all rows gets, whatever the number of ranks and
// wherever their rows begin: sums follow the summation rule over all elements.  Every rank makes
// the same calls with the same options.  Vectors are the caller's parts, where the matrix is
// (to()). An input that is wrong on one rank throws the same error on all; an error that the others
// do not see, as a lack of memory or a watch that throws, calls communicator::fail().
#pragma once

#include "communicator.hpp"
#include "csr_matrix.hpp"
#include "plan.hpp"
#include "read_losses.hpp"
#include "solve.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace ddla {

namespace distributed {
template <scalar V>
class matrix_parts;
}

/// What calls with a matrix have sent from this rank so far; sums are over all elements, products
/// read elements of other ranks.
struct rank_traffic {
    std::uint64_t sums = 0;      ///< exchanges of sums, of which several may be in one
    std::uint64_t numbers = 0;   ///< that went to all ranks for them
    std::uint64_t products = 0;  ///< exchanges of elements
    std::uint64_t messages = 0;  ///< to other ranks, for products
    std::uint64_t bytes = 0;     ///< in these messages
};

template <scalar V>
class distributed_matrix {
public:
    /// From this rank's rows: those after the rows of the ranks before it, row i with the entries
    /// row_begin[i] … row_begin[i + 1] - 1, in the order of its sum; columns from 0 to columns - 1.
    /// The columns, that is the elements of x, are shared as the rows of a square matrix are, else
    /// evenly.
    ///
    /// Inside, ranges begin at multiples of `alignment`, a multiple of 256: rows up to the next one
    /// move to the rank before.  Blocks of preconditioning::block_jacobi must divide it.
    ///
    /// Throws input_error for arrays that do not fit together, columns out of range, rows that are
    /// not as many as said, an alignment that is no positive multiple of 256.  Cost: a pass over
    /// the entries and a sort of the columns of other ranks; two copies of the rows at the peak.
    distributed_matrix(std::shared_ptr<communicator> ranks, index_t rows, index_t columns,
                       std::vector<index_t> row_begin, std::vector<index_t> column, vector<V> value,
                       index_t alignment = 256);

    /// From a matrix that rank 0 has, in even parts; the one that other ranks hand in is not read.
    /// Then ranges begin where they are kept, and nothing moves in later calls.  Cost: as above,
    /// and the entries go from rank 0 to the others.
    distributed_matrix(std::shared_ptr<communicator> ranks, const csr_matrix<V>& on_first,
                       index_t alignment = 256);

    /// Of all ranks.
    index_t rows() const;
    index_t columns() const;
    index_t nonzeros() const;
    /// The caller's on this rank, and the number of the first.
    index_t local_rows() const;
    index_t first_row() const;
    index_t local_columns() const;
    index_t first_column() const;
    const std::shared_ptr<communicator>& ranks() const;
    rank_traffic traffic() const;
    /// Where products and sums of this rank are, and its vectors must be.
    place where() const;
    /// The same matrix, with products and sums of this rank at a device (several ranks may share
    /// one) or back on the host; with the same bits.  Every rank calls it, and all name devices or
    /// none does.  The rows on the host stay, for preconditioners and what is gathered.  Throws
    /// resource_error, on all ranks, where one has no such device or too little memory.  Cost: a
    /// copy of the rows there, in the format that suits the device.
    distributed_matrix to(place target) const;

    /// y = A x.  Throws input_error for sizes that do not fit.
    template <scalar T>
    requires acts_on<T, V>
    void multiply(const vector<T>& x, vector<T>& y) const;
    /// y = A^T x; the first call makes A^T, another matrix of memory.
    template <scalar T>
    requires acts_on<T, V>
    void multiply_transposed(const vector<T>& x, vector<T>& y) const;
    /// Sums over all ranks, as ddla::dot and ddla::nrm2, of vectors with local_rows() elements at
    /// where().
    template <scalar T>
    T dot(const vector<T>& x, const vector<T>& y) const;
    template <scalar T>
    T nrm2(const vector<T>& x) const;

    /// This rank's part, at where(), of a vector that rank 0 has on the host, b or x; and all of x
    /// on the host of rank 0, where other ranks get an empty vector.  Throws input_error for sizes
    /// that do not fit.
    template <scalar T>
    vector<T> part_of_b(const vector<T>& on_first) const;
    template <scalar T>
    vector<T> part_of_x(const vector<T>& on_first) const;
    template <scalar T>
    vector<T> whole_x(const vector<T>& part) const;

    /// For ddla's own use.
    const distributed::matrix_parts<V>& parts() const { return *parts_; }

private:
    std::shared_ptr<const distributed::matrix_parts<V>> parts_;
};

/// A matrix from a Matrix Market file that every rank can open: each reads a part of the text, and
/// sends entries to the ranks that have their rows, in even parts.  No rank has the whole matrix.
/// Its bits are those of read_matrix().  Nothing if only one reader can read the file: it is
/// compressed, complex, no list of entries, the standard input, or wrong; then rank 0 reads it by
/// read_matrix(), which says what is wrong.  `lost`, if not null: what values of all ranks have
/// lost is added there.  Throws, on all ranks, input_error where the alignment is no positive
/// multiple of 256, and resource_error where a rank cannot open the file or has too little memory.
/// Cost: the part of the text, three copies of its entries.
template <scalar V>
std::optional<distributed_matrix<V>>
read_distributed_matrix(const std::shared_ptr<communicator>& ranks,
                        const std::filesystem::path& file, read_losses* lost = nullptr,
                        index_t alignment = 256);

/// solve() of a system of all ranks; b has local_rows() elements, x has local_columns().
///
/// Methods: all that are named.  method::automatic sends systems within the limits of factors to
/// rank 0, which solves; the others iterate.  Preconditioners: jacobi, block_jacobi with blocks of
/// one size, polynomial.  A watch may end the solve on any rank: all end at the same iteration.
///
/// The report is the same on all ranks but for peak_bytes, bytes_per_iteration and seconds, which
/// are this rank's; of a solve by factors it is whole on rank 0, and the others have its status and
/// residual.  Its hash is that of all of x.  Throws as solve(), and input_error for a certificate,
/// for other preconditioners and for least squares by factors.
template <scalar T, scalar V>
requires acts_on<T, V> solve_report solve(const distributed_matrix<V>& a, const vector<T>& b,
                                          vector<T>& x, const solve_options& options = {});
/// Several systems with one A, in lock-step, each with the bits that it has alone.
template <scalar T, scalar V>
requires acts_on<T, V> std::vector<solve_report> solve(const distributed_matrix<V>& a,
                                                       const std::vector<vector<T>>& b,
                                                       std::vector<vector<T>>& x,
                                                       const solve_options& options = {});

/// What solve() will do, on rank 0; other ranks get nothing.  As plan_solve() of one process: the
/// amounts are those of all ranks together, without what they send.  Where the solve begins with
/// factors, the first stage is "gather", with the bytes that rank 0 takes for A; its limit says
/// why A is not gathered, and then no factors are made.  Throws as solve(), resource_error where
/// the machine of rank 0 lacks the memory.  A watched_scope that ends the count on rank 0 ends all
/// ranks (communicator::fail).  Cost: A is gathered to count its factors.
template <scalar T, scalar V>
requires acts_on<T, V> std::vector<planned_stage> plan_solve(const distributed_matrix<V>& a,
                                                             const std::vector<vector<T>>& b,
                                                             const std::vector<vector<T>>& x,
                                                             const solve_options& options = {});

}  // namespace ddla
