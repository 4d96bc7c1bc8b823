// Triangles of a factorisation at a place, as engines solve with them.
#pragma once

#include "engine/triangles.hpp"
#include "factor/triangular.hpp"

#include "ddla/vector.hpp"

namespace ddla::api {

/// What is solved, on the host.  All triangles have n rows.
template <scalar F>
struct triangle_chain {
    struct link {
        const factor::triangle<F>* triangle;
        const factor::level_sets* levels;
    };
    std::vector<link> links;  ///< in the order of solving; one at least
    /// The element of r that row u of the first triangle starts from, the element of z that row u
    /// of the last one becomes.
    const std::vector<column_t>&in, &out;
    /// Exponents of powers of two by elements of r and of z, both or none.
    const std::vector<int>*scale_in = nullptr, *scale_out = nullptr;
};

template <scalar F>
class placed_triangles {
public:
    /// Copies: what the chain names need not live on.  Rows of a level are sorted by length, so
    /// that those of a packet are alike.  Throws resource_error for 2^31 unknowns and more.
    /// Cost: a pass over the entries, shared by the threads of the host, and the copy to a device.
    placed_triangles(const triangle_chain<F>& chain, place where);

    place where() const { return in_.where(); }
    triangle_list<F> view() const;
    /// The same with the numbers rounded to double, of the same memory.
    triangle_list<double> view_in_double() const;
    std::size_t bytes() const;

private:
    template <scalar G>
    triangle_list<G> view_of(vec<const G> pivot, vec<const G> value) const;

    index_t n_, unknowns_, entries_, packets_, levels_;
    std::vector<level_span> spans_;
    buffer packet_, level_, row_begin_, unknown_, right_, column_, in_, out_, scale_in_, scale_out_;
    buffer pivot_, value_;  ///< numbers F, word by word
};

extern template class placed_triangles<double>;
extern template class placed_triangles<dd_real>;

/// z from r, by the engine of a place.  A solve binds it twice at a device: once for what it runs,
/// once for what it records.
template <scalar T, scalar F>
class triangular_map final : public linear_map<T> {
public:
    explicit triangular_map(std::shared_ptr<const placed_triangles<F>> triangles)
        : of_(std::move(triangles))
    {
    }

    index_t rows() const override { return of_->view().n; }
    index_t columns() const override { return of_->view().n; }
    place where() const override { return of_->where(); }
    bool is_recordable() const override { return true; }
    std::unique_ptr<bound_map<T>> bind(engine& here) const override;
    /// Of the triangles, and of what two bindings allocate.
    std::size_t bytes() const;

private:
    std::shared_ptr<const placed_triangles<F>> of_;
};

/// In double, whatever the triangles are in.
template <scalar F>
class triangular_map_in_double final : public linear_map<double> {
public:
    explicit triangular_map_in_double(std::shared_ptr<const placed_triangles<F>> triangles)
        : of_(std::move(triangles))
    {
    }

    index_t rows() const override { return of_->view().n; }
    index_t columns() const override { return of_->view().n; }
    place where() const override { return of_->where(); }
    bool is_recordable() const override { return true; }
    std::unique_ptr<bound_map<double>> bind(engine& here) const override;
    /// As above.
    std::size_t bytes() const;

private:
    std::shared_ptr<const placed_triangles<F>> of_;
};

}  // namespace ddla::api
