// Factorisations on a device, as engines offer them.
#include "factor_maker.cuh"

#include "device/core/out_of_memory.hpp"
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
        return where_room_is(maker::shared_bytes, [&] {
            maker made(in_, s, l, factor::triangles::lower, done);
            double* const values = made.values(lower, true);
            const column_t failed = made.make_definite(values);
            if (failed < 0) made.download(values, l);
            return failed;
        });
    }
    std::optional<column_t> make_static_lu(const factor::supernodes& s,
                                           const factor::sparse_columns<F>& columns,
                                           const factor::sparse_columns<F>& rows,
                                           const factor::pivot_rule& rule, factor::static_lu<F>& f,
                                           std::atomic<double>& done) override
    {
        return where_room_is(maker::shared_bytes, [&] {
            maker made(in_, s, f.l, factor::triangles::both, done);
            double *const l = made.values(columns, true), *const u = made.values(rows, false);
            const pivot_notes notes = made.make_lu(l, u, rule, f.row);
            f.take_pivots(s, notes.replaced);
            if (notes.failed >= 0) return notes.failed;
            made.download(l, f.l);
            made.download(u, f.u);
            return column_t{-1};
        });
    }
    std::optional<column_t> make_ldlt(const factor::supernodes& s,
                                      const factor::sparse_columns<F>& lower,
                                      const factor::pivot_rule& rule, factor::ldlt_values<F>& f,
                                      std::atomic<double>& done) override
    {
        return where_room_is(maker::shared_bytes_of_symmetric(), [&] {
            maker made(in_, s, f.l, factor::triangles::lower, done);
            double *const l = made.values(lower, true), *const products = made.zeros();
            const pivot_notes notes = made.make_symmetric(l, products, rule, f);
            f.take_pivots(s, notes.replaced);
            if (notes.failed < 0) made.download(l, f.l);
            return notes.failed;
        });
    }

private:
    using maker = factor_maker<F>;

    /// make(), unless the device has less shared memory for a block, or less memory than that
    /// takes.
    template <class Make>
    std::optional<column_t> where_room_is(std::size_t shared_bytes, const Make& make)
    {
        in_.require_wait();
        if (shared_bytes > in_.device().most_shared_bytes()) return std::nullopt;
        try {
            return make();
        } catch (const out_of_device_memory&) {
            return std::nullopt;
        }
    }

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
