// Factorisations on a device, as engines offer them.
#include "factor_maker.cuh"

#include "device/core/out_of_memory.hpp"
#include "device/operations.hpp"
#include "factor/supernodal/factor_operations.hpp"

namespace ddla::device_backend {

namespace {

template <scalar F>
class made_on_device final : public factor::factors_elsewhere<F> {
    using typename factor::factors_elsewhere<F>::placed;

public:
    /// All is done on the device's own stream: what is kept can outlive the caller's.
    explicit made_on_device(queue& asked) : asked_(asked), in_(asked.device().own()) {}

    std::optional<column_t> make_llt(const factor::supernodes& s,
                                     const factor::sparse_columns<F>& lower,
                                     factor::llt_values<F>& l, std::atomic<double>& done,
                                     placed& there) override
    {
        return where_room_is(maker::shared_bytes, [&](auto kept) {
            const column_t failed = [&] {
                maker made(in_, s, l, factor::triangles::definite, *kept, done);
                kept->l = made.values(lower, true);
                const column_t found = made.make_definite(kept->l);
                if (found < 0) made.leave(kept->l, kept, l);
                return found;
            }();
            if (failed < 0) there = solves_of(s, kept, nullptr, {&l});
            return failed;
        });
    }
    std::optional<column_t> make_static_lu(const factor::supernodes& s,
                                           const factor::sparse_columns<F>& columns,
                                           const factor::sparse_columns<F>& rows,
                                           const factor::pivot_rule& rule, factor::static_lu<F>& f,
                                           std::atomic<double>& done, placed& there) override
    {
        return where_room_is(maker::shared_bytes, [&](auto kept) {
            const column_t failed = [&] {
                maker made(in_, s, f.l, factor::triangles::both, *kept, done);
                kept->l = made.values(columns, true);
                kept->u = made.values(rows, false);
                const pivot_notes notes = made.make_lu(kept->l, kept->u, rule, f.row);
                f.take_pivots(s, notes.replaced);
                if (notes.failed >= 0) return notes.failed;
                made.leave(kept->l, kept, f.l);
                made.leave(kept->u, kept, f.u);
                return column_t{-1};
            }();
            if (failed < 0) there = solves_of(s, kept, rows_of(f), {&f.l, &f.u});
            return failed;
        });
    }
    std::optional<column_t> make_ldlt(const factor::supernodes& s,
                                      const factor::sparse_columns<F>& lower,
                                      const factor::pivot_rule& rule, factor::ldlt_values<F>& f,
                                      std::atomic<double>& done, placed& there) override
    {
        return where_room_is(maker::shared_bytes_of_symmetric(), [&](auto kept) {
            const column_t failed = [&] {
                maker made(in_, s, f.l, factor::triangles::symmetric, *kept, done);
                kept->l = made.values(lower, true);
                double* const products = made.zeros();
                const pivot_notes notes = made.make_symmetric(kept->l, products, rule, f);
                f.take_pivots(s, notes.replaced);
                if (notes.failed < 0) made.leave(kept->l, kept, f.l);
                return notes.failed;
            }();
            if (failed < 0) there = solves_of(s, kept, rows_of(f), {&f.l});
            return failed;
        });
    }

protected:
    std::unique_ptr<factor::placed_solver<double>>
    solver_of(const placed& of, const factor::placed_order& by, double) override
    {
        return bound_on_device<double, F>(asked_, of, by);
    }
    std::unique_ptr<factor::placed_solver<dd_real>>
    solver_of(const placed& of, const factor::placed_order& by, dd_real) override
    {
        return bound_on_device<dd_real, F>(asked_, of, by);
    }

private:
    using maker = factor_maker<F>;

    static const std::vector<column_t>* rows_of(const factor::exchanged_pivots& pivots)
    {
        return pivots.moved ? &pivots.row : nullptr;
    }
    /// None without room: then the numbers come to the host.
    placed solves_of(const factor::supernodes& s, const std::shared_ptr<kept_numbers>& kept,
                     const std::vector<column_t>* row_of_pivot,
                     std::initializer_list<factor::llt_values<F>*> triangles)
    {
        try {
            return solves_on_device<F>(in_, s, kept, row_of_pivot);
        } catch (const out_of_device_memory&) {
            for (factor::llt_values<F>* const t : triangles) t->settle();
            return nullptr;
        }
    }
    /// make(memory for what is kept), unless the device has less shared memory for a block, or less
    /// memory than that takes.
    template <class Make>
    std::optional<column_t> where_room_is(std::size_t shared_bytes, const Make& make)
    {
        asked_.require_wait();
        if (shared_bytes > in_.device().most_shared_bytes()) return std::nullopt;
        try {
            return make(std::make_shared<kept_numbers>(in_));
        } catch (const out_of_device_memory&) {
            return std::nullopt;
        }
    }

    queue &asked_, &in_;
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
