// Factorisations on a device, as engines offer them.
#include "factor_maker.cuh"

#include "device/operations.hpp"
#include "factor/supernodal/factor_operations.hpp"

namespace ddla::device_backend {

namespace {

template <scalar F>
class made_on_device final : public factor::factors_elsewhere<F> {
public:
    explicit made_on_device(queue& in) : in_(in) {}

    std::optional<column_t> make_llt(const factor::supernodes& s,
                                     const factor::sparse_columns<F>& lower,
                                     factor::llt_values<F>& l, std::atomic<double>& done) override
    {
        in_.require_wait();
        factor_maker<F> maker(in_, s, l, factor::triangles::lower, done);
        if (!maker.has_room(1, lower.bytes())) return std::nullopt;
        double* const values = maker.values(lower, true);
        const column_t failed = maker.make_definite(values);
        if (failed < 0) maker.download(values, l);
        return failed;
    }
    std::optional<column_t> make_static_lu(const factor::supernodes& s,
                                           const factor::sparse_columns<F>& columns,
                                           const factor::sparse_columns<F>& rows,
                                           const factor::pivot_rule& rule, factor::static_lu<F>& f,
                                           std::atomic<double>& done) override
    {
        in_.require_wait();
        factor_maker<F> maker(in_, s, f.l, factor::triangles::both, done);
        if (!maker.has_room(2, columns.bytes())) return std::nullopt;
        double *const l = maker.values(columns, true), *const u = maker.values(rows, false);
        const pivot_notes notes = maker.make_lu(l, u, rule, f.row);
        f.take_pivots(s, notes.replaced);
        if (notes.failed >= 0) return notes.failed;
        maker.download(l, f.l);
        maker.download(u, f.u);
        return -1;
    }
    std::optional<column_t> make_ldlt(const factor::supernodes& s,
                                      const factor::sparse_columns<F>& lower,
                                      const factor::pivot_rule& rule, factor::ldlt_values<F>& f,
                                      std::atomic<double>& done) override
    {
        in_.require_wait();
        factor_maker<F> maker(in_, s, f.l, factor::triangles::lower, done);
        if (!maker.has_room(2, lower.bytes())) return std::nullopt;
        double *const l = maker.values(lower, true), *const products = maker.zeros();
        const pivot_notes notes = maker.make_symmetric(l, products, rule, f);
        f.take_pivots(s, notes.replaced);
        if (notes.failed < 0) maker.download(l, f.l);
        return notes.failed;
    }

private:
    queue& in_;
};

class operations_on_device final : public factor::factor_operations {
public:
    explicit operations_on_device(queue& in) : double_(in), dd_(in) {}

private:
    factor::factors_elsewhere<double>& for_numbers(double) override { return double_; }
    factor::factors_elsewhere<dd_real>& for_numbers(dd_real) override { return dd_; }

    made_on_device<double> double_;
    made_on_device<dd_real> dd_;
};

}  // namespace

std::shared_ptr<factor::factor_operations> factors_on_device(queue& in)
{
    return std::make_shared<operations_on_device>(in);
}

}  // namespace ddla::device_backend
