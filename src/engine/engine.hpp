// The one abstract engine: everything that the public interface asks of a place.
//
// Arguments are views of memory at that place, checked by the caller: shapes fit, T is as wide as
// V.  A result with a pointer is stored there, at that place, and the call does not wait.
#pragma once

#include "ddla/interop/pair.hpp"
#include "ddla/method.hpp"
#include "ddla/sparse_format.hpp"
#include "linear_map.hpp"
#include "steps/solver.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ddla::factor {
class factor_operations;
}

namespace ddla {

template <scalar T>
class vector_operations {
public:
    virtual ~vector_operations() = default;
    virtual void dot(vec<const T> x, vec<const T> y, T* result) = 0;
    virtual void nrm2(vec<const T> x, T* result) = 0;
    virtual void asum(vec<const T> x, T* result) = 0;
    virtual void axpyz(scalar_operand<T> a, vec<const T> x, vec<const T> y, vec<T> z) = 0;
    virtual void scal(scalar_operand<T> a, vec<T> x) = 0;
    virtual void copy(vec<const T> x, vec<T> y) = 0;
    /// z_i = x_i y_i
    virtual void multiply(vec<const T> x, vec<const T> y, vec<T> z) = 0;
    /// y_i = x_from[i]; y is not x.
    virtual void gather(vec<const T> x, const index_t* from, vec<T> y) = 0;
    /// y_to[i] = x_i; no two of them are the same.
    virtual void scatter(vec<const T> x, const index_t* to, vec<T> y) = 0;

    // The same with the result on the host; these wait.
    virtual T dot(vec<const T> x, vec<const T> y) = 0;
    virtual T nrm2(vec<const T> x) = 0;
    virtual T asum(vec<const T> x) = 0;
    virtual double largest_magnitude(vec<const T> x) = 0;
    /// The index of the first Inf or NaN, or steps::first_index::none.
    virtual index_t first_not_finite(vec<const T> x) = 0;
};

/// Between vectors of dd_real and arrays of pairs.
class pair_operations {
public:
    virtual ~pair_operations() = default;
    virtual void interleave(vec<const dd_real> x, dd_pair* pairs) = 0;
    virtual void split(const dd_pair* pairs, vec<dd_real> x) = 0;
};

/// Two norms times a power of two, chosen so that neither they nor their terms underflow.
struct scaled_norms {
    dd_real residual, right_hand_side;
    double scale;
    std::size_t working_bytes;  ///< what computing them allocated
};

/// Whether a method has a schedule of its own for matrices; all others run as programs.
constexpr bool has_schedule(method m)
{
    return m == method::bicgstab || m == method::cg;
}

/// Called where a recurrence meets its tolerance.  Writes another r, in this scale, from which the
/// same search goes on, and returns the tolerance on |r| / |b| of what comes; nothing: the solve
/// ends.
template <scalar T>
using renewal = std::function<std::optional<double>(vec<T> r, double scale)>;

/// A solve but for its matrix.
template <scalar T>
struct krylov_request {
    vec<const T> b;
    vec<T> x;
    ddla::method method;
    index_t restart;  ///< of methods that restart
    index_t l, s;     ///< of BiCGStab(l) and IDR(s)
    /// The preconditioner: the inverse diagonal of A, found for this solve; one that is there; or a
    /// map.  At most one of them.
    bool jacobi = false;
    std::optional<vec<const T>> inverse_diagonal = {};
    const linear_map<T>* preconditioner = nullptr;
    steps::stopping rule;
    std::vector<double>* history;
    std::function<bool(index_t iterations, double relative_residual)> look;
    renewal<T> renew = {};  ///< of BiCGStab and CG with a map as preconditioner
};

template <scalar T, scalar V>
struct matrix_request : krylov_request<T> {
    csr<V> a;
};

template <scalar T>
struct program_request : krylov_request<T> {
    const linear_map<T>* system;
    double largest_a;  ///< of the entries of A K^-1 by magnitude, about; 1 if unknown
    std::function<void(vec<T>)> invert_diagonal = {};  ///< of the system, for Jacobi
    // For methods that need A^T.
    const linear_map<T>* transposed = nullptr;
    double norm_a = 0;  ///< Frobenius
    /// The bytes of A that a product reads for each of so many systems; none: 0.
    std::function<double(std::size_t)> share_of_product = {};
};

struct solve_result {
    steps::ending ending;
    std::size_t working_bytes;  ///< what the solve allocated
};

/// Vectors of a product, y = alpha A x + beta y, one of several with the same A.
template <scalar T>
struct product_vectors {
    vec<const T> x;
    vec<T> y;
};

template <scalar T, scalar V>
class matrix_operations {
public:
    virtual ~matrix_operations() = default;
    virtual void spmv(scalar_operand<T> alpha, const csr<V>& a, vec<const T> x,
                      scalar_operand<T> beta, vec<T> y) = 0;
    virtual void residual(const csr<V>& a, vec<const T> x, vec<const T> b, vec<T> r) = 0;
    /// r = scale (b - A x), scale a power of two, computed with at least twice the digits of T and
    /// rounded once.
    virtual void scaled_residual(const csr<V>& a, vec<const T> x, vec<const T> b, double scale,
                                 vec<dd_real> r) = 0;
    /// The norms of b - A x, computed with at least twice the digits of T, and of b.
    virtual scaled_norms true_residual(const csr<V>& a, vec<const T> x, vec<const T> b) = 0;
    /// The first row whose diagonal is zero or absent, or steps::first_index::none.
    virtual index_t first_zero_diagonal(const csr<V>& a) = 0;
    /// d_i = 1 / a_ii, of a diagonal without zeros.
    virtual void invert_diagonal(const csr<V>& a, vec<T> d) = 0;
    /// Products with A, again and again.
    virtual std::unique_ptr<bound_map<T>> product(const csr<V>& a) = 0;
    /// By a method that has a schedule of its own: BiCGStab or CG, with elementwise
    /// preconditioners.
    virtual solve_result solve(const matrix_request<T, V>& request) = 0;
    /// spmv for several vectors, each with the bits that it has alone; no y is an x.
    virtual void spmv_each(scalar_operand<T> alpha, const csr<V>& a,
                           std::span<const product_vectors<T>> all, scalar_operand<T> beta) = 0;
    /// What `count` such products read of A, all together.
    virtual std::size_t bytes_of_products(const csr<V>& a, std::size_t count) = 0;
    /// Whether systems gain by lock-step although solve() has a schedule for each of them.
    virtual bool gains_in_lockstep(const csr<V>& a) = 0;
};

/// Solvers as programs, for maps of any kind.
template <scalar T>
class program_operations {
public:
    virtual ~program_operations() = default;
    virtual solve_result solve(const program_request<T>& request) = 0;
    /// How many systems with one A can be solved in lock-step.
    virtual std::size_t most_in_lockstep() const = 0;
    /// Requests that differ in b, x, history and look alone, in lock-step.  What a result says of
    /// memory is that of all of them.
    virtual std::vector<solve_result> solve(std::span<const program_request<T>> all) = 0;
};

/// Solves with triangles: see triangles.hpp.
template <scalar T>
class triangle_operations;

/// Conversions of a matrix: to other formats, and its transpose.
template <scalar V>
class format_operations {
public:
    virtual ~format_operations() = default;
    /// Null for compressed rows, and `why` if automatic chose them, for vectors in double or not.
    /// Throws resource_error if memory does not suffice.  Waits.
    virtual std::shared_ptr<row_storage<V>> store(const csr<V>& a, const format_options& options,
                                                  bool for_double, std::string& why) = 0;
    /// A^T at the same place, with the arrays of ddla::transposed.  Throws resource_error if memory
    /// does not suffice.  Waits.
    virtual csr_matrix<V> transposed(const csr<V>& a) = 0;
};

class engine {
public:
    virtual ~engine() = default;

    /// Whether a solve with so many compressed rows runs many iterations in one kernel, without the
    /// host.
    virtual bool solves_in_one_kernel(index_t rows, index_t longest_row) const = 0;
    /// Where the memory at `data` is; any place that can reach it if several can.
    virtual place home_of(const void* data) const = 0;
    /// Throws input_error where waiting is impossible: on a stream that is being captured.
    virtual void require_wait() const = 0;
    /// Returns when all work is done.
    virtual void wait() = 0;
    /// The stream of its work, a cudaStream_t; null on the host.
    virtual void* native_stream() const = 0;
    /// Memory for n numbers that this place and the host reach: messages to and from other ranks.
    virtual std::shared_ptr<double[]> messages(index_t n) = 0;
    /// Whether it is so here, or on another rank that shares the vectors of this engine.
    virtual bool anywhere(bool here) { return here; }

    virtual pair_operations& pairs() = 0;
    /// Factorisations at this place; null on the host, which needs no engine for them.
    virtual factor::factor_operations* factors() = 0;
    template <scalar T>
    vector_operations<T>& vectors()
    {
        return for_vectors(T{});
    }
    template <scalar T, scalar V>
    matrix_operations<T, V>& matrices()
    {
        return for_matrices(T{}, V{});
    }
    template <scalar T>
    program_operations<T>& programs()
    {
        return for_programs(T{});
    }
    template <scalar T>
    triangle_operations<T>& triangles()
    {
        return for_triangles(T{});
    }
    template <scalar V>
    format_operations<V>& formats()
    {
        return for_formats(V{});
    }

protected:
    virtual vector_operations<double>& for_vectors(double) = 0;
    virtual vector_operations<dd_real>& for_vectors(dd_real) = 0;
    virtual matrix_operations<double, double>& for_matrices(double, double) = 0;
    virtual matrix_operations<dd_real, double>& for_matrices(dd_real, double) = 0;
    virtual matrix_operations<dd_real, dd_real>& for_matrices(dd_real, dd_real) = 0;
    virtual program_operations<double>& for_programs(double) = 0;
    virtual program_operations<dd_real>& for_programs(dd_real) = 0;
    virtual format_operations<double>& for_formats(double) = 0;
    virtual format_operations<dd_real>& for_formats(dd_real) = 0;
    virtual triangle_operations<double>& for_triangles(double) = 0;
    virtual triangle_operations<dd_real>& for_triangles(dd_real) = 0;
};

/// The engine of the host, on host_threads() threads.
engine& host_engine();
class shared_sums;
/// The host as an engine whose vectors are the parts that this rank has of vectors of all ranks.
/// Its products are those of the caller's maps; matrices are of this rank alone.
std::unique_ptr<engine> host_engine_of_rank(shared_sums& sums);
/// A device as such an engine, on the stream of device_engine(index).
std::unique_ptr<engine> device_engine_of_rank(int index, shared_sums& sums);
/// The engine of a device.  Throws resource_error if there is none.
engine& device_engine(int index);
/// An engine of its own for a stream that the caller owns, a cudaStream_t.
std::unique_ptr<engine> device_engine_on(int index, void* stream);

}  // namespace ddla
