// Preconditioners as objects: built once, used by many solves.
//
//     const auto k = ddla::preconditioner<ddla::dd_real>::jacobi(a);
//     ddla::solve(ddla::linear_operator<ddla::dd_real>(a), k, b, x);
//
//     const ddla::lu_factors<double> f(a);                              // of factors.hpp
//     const auto lu = ddla::preconditioner<ddla::dd_real>::lu(f, a.where());
#pragma once

#include "linear_operator.hpp"
#include "preconditioner_options.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace ddla {

template <scalar F>
class lu_factors;

/// What building a preconditioner took and gave.
struct build_report {
    double seconds = 0;
    std::size_t bytes = 0;  ///< that it holds, at its place, also while a solve applies it
    double fill = NAN;      ///< its entries over those of A; NaN: not counted
    /// The smallest divisor by magnitude, of a factorisation or a diagonal; NaN: it has none.
    double smallest_pivot = NAN;
    index_t smallest_pivot_row = -1;  ///< from 0; -1: not known
    index_t shifts = 0;               ///< pivots that were shifted; IC: how often all were
    index_t bad_row = -1;             ///< the row of the first of them
    double operations = 0;            ///< multiplications with a subtraction
};

template <class Visit, class... Like>
void describe(described<build_report>, const Visit& visit, Like&... r)
{
    using namespace about;
    visit(field{"seconds"}, r.seconds...);
    visit(field{"bytes"}, r.bytes...);
    visit(field{"fill"}, r.fill...);
    visit(field{"operations"}, r.operations...);
    visit(field{"smallest_pivot"}, r.smallest_pivot...);
    visit(field{.name = "smallest_pivot_row", .counts = true}, r.smallest_pivot_row...);
    visit(field{"shifts"}, r.shifts...);
    visit(field{.name = "bad_row", .counts = true}, r.bad_row...);
}

/// z = K^-1 r for vectors of size() numbers at where().  Cheap to copy.
template <scalar T>
class preconditioner {
public:
    /// None: z = r, for vectors of any size at any place.
    preconditioner() = default;
    /// The inverse of the diagonal of A, in T, at the place of A.  It is applied within the sweeps
    /// of a solve.  Throws input_error for a matrix that is not square, or a zero on the diagonal.
    /// Cost: a pass over A.
    template <scalar V>
    requires acts_on<T, V>
    static preconditioner jacobi(const csr_matrix<V>& a);
    /// Incomplete factors, built on the host, applied at the place of A: ILU(k), ILUT, IC(0) of a
    /// symmetric matrix.  docs/preconditioners.md has their rules.  Throws input_error where IC
    /// gets a matrix that is not symmetric, pivot_error for a row without a usable pivot: refused
    /// as asked, or in IC where no shift helps; resource_error for limits that are passed.  Cost:
    /// see built().
    template <scalar V>
    requires acts_on<T, V>
    static preconditioner ilu(const csr_matrix<V>& a, const preconditioner_options& options = {});
    template <scalar V>
    requires acts_on<T, V>
    static preconditioner ilut(const csr_matrix<V>& a, const preconditioner_options& options = {});
    template <scalar V>
    requires acts_on<T, V>
    static preconditioner ic(const csr_matrix<V>& a, const preconditioner_options& options = {});
    /// The blocks on the diagonal of A, factored completely, on the host.
    template <scalar V>
    requires acts_on<T, V>
    static preconditioner block_jacobi(const csr_matrix<V>& a,
                                       const preconditioner_options& options = {});
    /// A polynomial in D^-1 A, applied at the place of A, which must outlive it: options.degree
    /// products and twice as many sweeps over vectors.  Throws as jacobi().
    template <scalar V>
    requires acts_on<T, V>
    static preconditioner polynomial(const csr_matrix<V>& a,
                                     const preconditioner_options& options = {});
    /// The solve with LU factors (factors.hpp), in the wider of T and F: factors of A, or of a
    /// matrix near A.  It has the same bits at every place, and those of factors.solve.  It shares
    /// the factors.  Those by columns are copied for a device, where two kernels apply them, in
    /// graphs.  Those by supernodes are applied at the device where they were made; for vectors at
    /// another one r is copied to the host and z back.  Throws input_error if a column has no
    /// pivot.
    /// Cost: nothing, or a pass over the factors; applied, two operations an entry.
    template <scalar F>
    static preconditioner lu(const lu_factors<F>& factors, place where = host);
    /// Of code for the host.  A solve at a device copies r to the host and z back, and records no
    /// graph.
    preconditioner(std::string name, index_t size, host_function<T> function,
                   const build_report& built = {});
    /// Of code for a device.
    preconditioner(std::string name, index_t size, place device, device_function<T> function,
                   recording graphs = recording::allowed, const build_report& built = {});

    const std::string& name() const { return name_; }
    bool is_none() const { return !map_; }
    index_t size() const { return size_; }
    place where() const { return where_; }
    const build_report& built() const { return built_; }
    /// Whether K is known to be symmetric positive definite, for an A that is: then refinement's
    /// corrections are by CG, else by BiCGSTAB.  Of ic() it is; of the caller's own code, who says.
    bool is_symmetric_positive() const { return symmetric_positive_; }
    void set_symmetric_positive(bool is) { symmetric_positive_ = is; }

    /// z = K^-1 r.  Throws input_error for sizes and places that do not fit.
    void apply(const vector<T>& r, vector<T>& z) const;

    /// For ddla's own use: of what makes a map for vectors at a place; the inverse diagonal, if
    /// that is all; and the map for vectors at a place.
    using maps = std::function<std::shared_ptr<const linear_map<T>>(place)>;
    preconditioner(std::string name, index_t size, place where, maps make,
                   const build_report& built)
        : name_(std::move(name)), size_(size), where_(where), built_(built), map_(std::move(make))
    {
    }
    static preconditioner by_inverse_diagonal(std::shared_ptr<const vector<T>> d);
    const std::shared_ptr<const vector<T>>& inverse_diagonal() const { return inverse_diagonal_; }
    std::shared_ptr<const linear_map<T>> map_at(place where) const;
    /// The same for vectors in double, its numbers rounded to double: made when it is first asked
    /// for, and kept.  Null for code in double-double, which has none.
    using double_maker = std::function<std::shared_ptr<const preconditioner<double>>()>;
    std::shared_ptr<const preconditioner<double>> in_double() const;
    void keep_for_double(double_maker make);

private:
    std::string name_ = "none";
    index_t size_ = 0;
    place where_ = host;
    bool symmetric_positive_ = false;
    build_report built_ = {};
    std::shared_ptr<const vector<T>> inverse_diagonal_;
    maps map_;
    double_maker in_double_;
};

extern template class preconditioner<double>;
extern template class preconditioner<dd_real>;

}  // namespace ddla
