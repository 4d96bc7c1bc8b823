#include "ddla/linear_operator.hpp"

#include "ddla/fp_mode.hpp"

#include "calls/function_maps.hpp"
#include "matrix_system.hpp"

namespace ddla {

using namespace api;

namespace {

/// A function of the caller as the A of a system: nothing is known of it but products.
template <scalar T>
class function_system final : public system_map<T> {
public:
    explicit function_system(std::shared_ptr<const linear_map<T>> map) : map_(std::move(map)) {}

    index_t rows() const override { return map_->rows(); }
    index_t columns() const override { return map_->columns(); }
    place where() const override { return map_->where(); }
    bool is_recordable() const override { return map_->is_recordable(); }
    std::unique_ptr<bound_map<T>> bind(engine& here) const override { return map_->bind(here); }

    void require_finite(engine&) const override {}
    void require_diagonal(engine&) const override
    {
        throw input_error("solve: Jacobi needs a matrix, A is a function");
    }
    void invert_diagonal(engine& here, vec<T>) const override { require_diagonal(here); }
    double largest(engine&) const override { return 1; }
    scaled_norms true_residual(engine& here, vec<const T> x, vec<const T> b) const override
    {
        vector<T> r(rows(), where());
        bind(here)->apply(x, 1, r.view());
        vector_operations<T>& vectors = here.vectors<T>();
        vectors.axpyz(T(-1), std::as_const(r).view(), b, r.view());
        return {dd_real(vectors.nrm2(std::as_const(r).view())), dd_real(vectors.nrm2(b)), 1,
                static_cast<std::size_t>(rows()) * sizeof(T)};
    }
    bool has_entries() const override { return false; }
    bool has_schedule(method) const override { return false; }
    index_t nonzeros() const override { return 0; }
    void scaled_residual(engine&, vec<const T>, vec<const T>, double, vec<dd_real>) const override
    {
        refuse();
    }
    std::shared_ptr<const system_map<double>> in_double() const override { refuse(); }
    bool has_full_diagonal(engine&) const override { refuse(); }
    matrix_shape shape() const override { refuse(); }
    solve_result solve_by_schedule(engine&, const krylov_request<T>&) const override { refuse(); }
    std::optional<refine::passed_limit> solve_by_factors(engine&, vec<const T>, vec<T>,
                                                         const solve_options&, solve_report&,
                                                         refine::kept_factors*) const override
    {
        refuse();
    }
    std::vector<std::optional<refine::counted_factors>>
    count_factors(const std::vector<refine::factor_work>&,
                  const factorisation_options&) const override
    {
        refuse();
    }
    std::shared_ptr<const system_map<T>> copy_at(place) const override { refuse(); }
    std::optional<preconditioner<T>> lu(engine&, const solve_options&) const override { refuse(); }
    const linear_map<T>& transposed() const override
    {
        throw input_error("solve: LSMR needs products with the transpose, A is a function");
    }
    double frobenius_norm(engine&) const override { refuse(); }
    double normal_residual(engine&, vec<const T>, vec<const T>) const override { refuse(); }
    std::optional<refine::hasty_residuals> hasty_residuals(engine&, vec<const T>, vec<const T>,
                                                           bool, double) const override
    {
        return {};
    }
    std::optional<preconditioner<T>>
    make_preconditioner(preconditioning kind, const preconditioner_options&,
                        const std::function<bool(double)>&) const override
    {
        throw input_error("solve: " + std::string(to_string(kind)) +
                          " needs a matrix, A is a function");
    }
    std::size_t bytes() const override { return 0; }
    std::size_t product_bytes(engine&, std::size_t) const override { return 0; }
    bool gains_in_lockstep(engine&) const override { return false; }

private:
    [[noreturn]] static void refuse()
    {
        throw internal_error("solve: the entries of a function are not known");
    }

    std::shared_ptr<const linear_map<T>> map_;
};

void require_shape(index_t rows, index_t columns)
{
    if (rows < 0 || columns < 0)
        throw input_error("linear_operator: it cannot be " + std::to_string(rows) + " x " +
                          std::to_string(columns));
}

template <scalar T, scalar V>
std::shared_ptr<const system_map<T>> system_of(const csr_matrix<V>& a, place where,
                                               std::shared_ptr<const void> keep)
{
    require_same_place("apply", "A", a.where(), "the vectors", where);
    look_at_values(engine_at(where), a);
    return std::make_shared<matrix_system<T, V>>(a, std::move(keep));
}

template <scalar T, class Maps>
auto systems_of(Maps maps)
{
    return [maps](place where) -> std::shared_ptr<const system_map<T>> {
        return std::make_shared<function_system<T>>(maps(where));
    };
}

}  // namespace

template <scalar T>
template <scalar V>
requires acts_on<T, V> linear_operator<T>::linear_operator(const csr_matrix<V>& a)
    : rows_(a.rows()), columns_(a.columns()), where_(a.where()),
      make_([&a](place where) { return system_of<T>(a, where, nullptr); })
{
}

template <scalar T>
template <scalar V>
requires acts_on<T, V> linear_operator<T>::linear_operator(std::shared_ptr<const csr_matrix<V>> a)
    : linear_operator(*a)
{
    make_ = [a](place where) { return system_of<T>(*a, where, a); };
}

template <scalar T>
linear_operator<T>::linear_operator(index_t rows, index_t columns, host_function<T> function)
    : rows_(rows), columns_(columns),
      make_(
          systems_of<T>(maps_of_function<T>("linear_operator", rows, columns, std::move(function))))
{
    require_shape(rows, columns);
}

template <scalar T>
linear_operator<T>::linear_operator(index_t rows, index_t columns, place device,
                                    device_function<T> function, recording graphs)
    : rows_(rows), columns_(columns), where_(device),
      make_(systems_of<T>(maps_of_function<T>("linear_operator", rows, columns, device,
                                              std::move(function), graphs)))
{
    require_shape(rows, columns);
}

template <scalar T>
void linear_operator<T>::apply(const vector<T>& x, vector<T>& y) const
{
    const fp_mode_guard exact;
    apply_map<T>("linear_operator", rows_, columns_, *system_at(x.where()), x, y);
}

template <scalar T>
std::shared_ptr<const system_map<T>> linear_operator<T>::system_at(place where) const
{
    return make_(where);
}

template class linear_operator<double>;
template class linear_operator<dd_real>;

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template linear_operator<T>::linear_operator(const csr_matrix<V>&);                            \
    template linear_operator<T>::linear_operator(std::shared_ptr<const csr_matrix<V>>);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
