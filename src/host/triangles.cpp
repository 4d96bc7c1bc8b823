// Triangles of the host engine, by one thread: rows wait for each other.
#include "engine/triangles.hpp"

#include "context.hpp"
#include "operations.hpp"

#include "isa/row_sum.hpp"
#include "steps/common_exponent.hpp"

namespace ddla::host_backend {

namespace {

template <scalar T, scalar F>
class triangle_solver final : public bound_map<T> {
public:
    static constexpr std::size_t bytes_of_word = sizeof(double);

    triangle_solver(context, const triangle_list<F>& a)
        : a_(a), x_(static_cast<std::size_t>(words_of<W> * a.unknowns))
    {
    }
    void apply(vec<const T> r, double, vec<T> z) override
    {
        steps::largest_exponent most;
        if (a_.scale_in)
            for (index_t i = 0; i < a_.n; ++i)
                most = most + steps::exponent_of_scaled(r.get(i), a_.scale_in[i]);
        const int common = most.or_zero();
        const vec<W> x = vec<W>::in_memory(x_.data(), a_.unknowns);
        gather(r, common, x);
        in_current_isa([&](index_t begin, index_t end) { solve(x, begin, end); }, 0, a_.packets);
        scatter(x.part(a_.unknowns - a_.n, a_.n), common, z);
    }

private:
    using W = steps::wider<T, F>;

    void gather(vec<const T> r, int common, vec<W> x) const
    {
        for (index_t u = 0; u < a_.n; ++u) {
            const column_t i = a_.in[u];
            const W value = steps::rounded<W>(r.get(i));
            x.set(u, a_.scale_in ? steps::scaled(value, a_.scale_in[i] - common) : value);
        }
    }
    void scatter(vec<const W> y, int common, vec<T> z) const
    {
        for (index_t k = 0; k < a_.n; ++k) {
            const column_t j = a_.out[k];
            const W value = y.get(k);
            z.set(j, steps::rounded<T>(a_.scale_out ? steps::scaled(value, a_.scale_out[j] + common)
                                                    : value));
        }
    }
    /// The rows of packets begin, ..., end - 1.
    [[gnu::always_inline]] void solve(vec<W> x, index_t begin, index_t end) const
    {
        row_sum<W, F> sum;
        for (index_t p = begin; p < end; ++p) {
            const row_packet packet = a_.packet[p];
            for (index_t k = packet.first; k < packet.first + packet.rows; ++k) {
                const index_t u = a_.unknown[k], entry = a_.row_begin[k];
                const vec<const F> value = a_.value.part(entry, a_.row_begin[k + 1] - entry);
                const W rest = x.get(u < a_.n ? u : u - a_.n) - sum(value, a_.column + entry, x);
                x.set(u, packet.divides ? rest / a_.pivot.get(k) : rest);
            }
        }
    }

    triangle_list<F> a_;
    std::vector<double> x_;
};

}  // namespace

template <scalar T>
triangle_operations<T>& triangles_on_host()
{
    static triangle_operations_on<context, triangle_solver, T> only{{}};
    return only;
}

#define DDLA_INSTANTIATE(T) template triangle_operations<T>& triangles_on_host();
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::host_backend
