// L U by supernodes modulo a prime.
#include "residue_factors.hpp"

#include "residue_data.hpp"
#include "residue_structure.hpp"

#include <chrono>

namespace ddla::factor {

namespace {

using detail::residue_data;
using detail::residue_data_modulo;

/// The limit that it would pass, or complete.
factor_end count_parts(const supernodes& s, const static_options& o, std::int64_t bytes,
                       residue_report& r)
{
    r.entries = 2 * s.exact_entries - r.n;
    r.operations = 2 * s.exact_operations - static_cast<double>(s.exact_entries - r.n);
    r.bytes = bytes;
    if (r.operations > o.most_operations) return factor_end::over_work;
    if (r.bytes > o.common.most_bytes) return factor_end::over_memory;
    return factor_end::complete;
}

template <scalar V>
void find_structure(const csr<V>& a, const static_options& o, residue_structure<V>& to,
                    residue_report& r)
{
    r.end = find_residue_structure(a, o, to);
    if (r.end != factor_end::complete) return;
    r.ordering = to.used;
    const symmetry_counts counts = count_symmetry(pattern_of(to.columns), {});
    r.has_symmetric_pattern = counts.matched == counts.off_diagonal;
    r.making_bytes = to.columns.bytes() + to.columns.entries() * 6 * index_t{sizeof(column_t)};
}

template <std::int64_t Prime, scalar V>
void make_factors(sparse_columns<V> of, const static_options& o, std::atomic<double>& done,
                  residue_data_modulo<Prime>& to)
{
    using mod = residue_arithmetic<Prime>;
    const supernodes& s = to.parts();
    const sparse_columns<double> columns =
        in_order_of<double>(s, of, to.diagonal(), [](const V& v, column_t, column_t) {
            return mod::balanced(mod::of(v));
        });
    of = {};
    const sparse_columns<double> rows = transposed(columns);
    residue_report& r = to.about;
    r.making_bytes = std::max(r.making_bytes, r.bytes + columns.bytes() + rows.bytes() +
                                                  std::max(1, o.common.run.threads()) * r.n *
                                                      index_t{sizeof(index_t)});
    to.factors().allocate();
    const pivot_rule rule{.negligible = 0, .instead = mod::balanced(detail::instead_of_zero)};
    make_static_lu(s, columns, rows, rule, to.factors(), o.common.run, done,
                   current_residue_kernels<Prime>());
}

/// What is made is told at `r`, also where it ends early.
template <std::int64_t Prime, scalar V>
std::shared_ptr<residue_data> made(const csr<V>& a, const static_options& o,
                                   std::atomic<double>& done, residue_report& r)
{
    residue_structure<V> of;
    find_structure(a, o, of, r);
    if (r.end != factor_end::complete) return nullptr;
    const auto data =
        std::make_shared<residue_data_modulo<Prime>>(std::move(of.parts), std::move(of.diagonal));
    r.end = count_parts(data->parts(), o, data->bytes(), r);
    if (r.end != factor_end::complete) return nullptr;
    data->about = r;
    make_factors<Prime>(std::move(of.columns), o, done, *data);
    data->about.done = r.operations;
    data->find_rank();
    return data;
}

/// Of factors that ended early.
class no_data final : public residue_data {
public:
    explicit no_data(const residue_report& r) { about = r; }
    bool is_consistent(vec<const dd_real>) const override { fail(); }
    std::vector<bool> zeros_of_solution(vec<const dd_real>) const override { fail(); }
    std::vector<column_t> null_support(index_t, bool) const override { fail(); }

private:
    [[noreturn]] static void fail()
    {
        throw input_error("an elimination modulo a prime that ended early has no rank");
    }
};

residue_report report_on(index_t rows, index_t columns, index_t nonzeros)
{
    if (rows != columns)
        throw input_error("a matrix of " + std::to_string(rows) + " x " + std::to_string(columns) +
                          " has no determinant");
    residue_report r;
    r.n = rows;
    r.nonzeros = nonzeros;
    return r;
}

}  // namespace

template <scalar V>
residue_report residue_factors::count(const csr<V>& a, const static_options& options)
{
    residue_report r = report_on(a.rows, a.columns, a.nonzeros());
    const auto goes_on = [&] { return may_go_on(options, r, 0); };
    const auto work = [&] {
        residue_structure<V> of;
        find_structure(a, options, of, r);
        if (r.end != factor_end::complete) return;
        const residue_data_modulo<first_residue_prime> data(std::move(of.parts),
                                                            std::move(of.diagonal));
        r.end = count_parts(data.parts(), options, data.bytes(), r);
    };
    if (!completed(goes_on, work)) r.end = factor_end::stopped;
    return r;
}

template <scalar V>
residue_factors residue_factors::make(const csr<V>& a, const static_options& options,
                                      residue_modulus modulo)
{
    const auto begin = std::chrono::steady_clock::now();
    residue_report r = report_on(a.rows, a.columns, a.nonzeros());
    std::atomic<double> done = 0;
    std::shared_ptr<residue_data> data;
    const auto goes_on = [&] { return may_go_on(options, r, done); };
    if (!completed(goes_on, [&] {
            data = modulo == residue_modulus::first
                       ? made<first_residue_prime>(a, options, done, r)
                       : made<second_residue_prime>(a, options, done, r);
        })) {
        data = nullptr;
        r.end = factor_end::stopped;
        r.done = std::min(2 * done, r.operations);
    }
    if (!data) data = std::make_shared<no_data>(r);
    data->about.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    residue_factors m;
    m.data_ = std::move(data);
    return m;
}

const residue_report& residue_factors::about() const
{
    return data_->about;
}
bool residue_factors::is_consistent(vec<const dd_real> b) const
{
    return data_->is_consistent(b);
}
std::vector<bool> residue_factors::zeros_of_solution(vec<const dd_real> b) const
{
    return data_->zeros_of_solution(b);
}
std::vector<column_t> residue_factors::right_null_support(index_t k) const
{
    return data_->null_support(k, true);
}
std::vector<column_t> residue_factors::left_null_support(index_t k) const
{
    return data_->null_support(k, false);
}

template residue_report residue_factors::count(const csr<double>&, const static_options&);
template residue_report residue_factors::count(const csr<dd_real>&, const static_options&);
template residue_factors residue_factors::make(const csr<double>&, const static_options&,
                                               residue_modulus);
template residue_factors residue_factors::make(const csr<dd_real>&, const static_options&,
                                               residue_modulus);

}  // namespace ddla::factor
