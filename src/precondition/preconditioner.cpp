#include "ddla/preconditioner.hpp"

#include "ddla/fp_mode.hpp"

#include "calls/function_maps.hpp"
#include "inverted_diagonal.hpp"

#include <chrono>
#include <mutex>

namespace ddla {

using namespace api;

namespace {

void require_size(index_t size)
{
    if (size < 0) throw input_error("preconditioner: its size cannot be " + std::to_string(size));
}

/// z = d r, element by element.
template <scalar T>
class diagonal_map final : public function_map<T> {
public:
    explicit diagonal_map(std::shared_ptr<const vector<T>> d)
        : function_map<T>(d->size(), d->size(), d->where()), d_(std::move(d))
    {
    }
    bool is_recordable() const override { return true; }
    std::unique_ptr<bound_map<T>> bind(engine& here) const override
    {
        return bound<T>([this, &here](vec<const T> x, vec<T> y) {
            here.vectors<T>().multiply(d_->view(), x, y);
        });
    }

private:
    std::shared_ptr<const vector<T>> d_;
};

/// The high words, at the same place.
template <scalar T>
std::shared_ptr<const vector<double>> high_words(const vector<T>& d)
{
    const auto high = std::make_shared<vector<double>>(d.size(), d.where());
    copy_bytes(high->word(0).data(), d.where(), d.word(0).data(), d.where(),
               high->word(0).size_bytes());
    return high;
}

}  // namespace

template <scalar T>
preconditioner<T> preconditioner<T>::by_inverse_diagonal(std::shared_ptr<const vector<T>> d)
{
    preconditioner k;
    k.name_ = "jacobi";
    k.size_ = d->size();
    k.where_ = d->where();
    k.built_ = {.bytes = static_cast<std::size_t>(d->size()) * sizeof(T)};
    k.inverse_diagonal_ = d;
    k.map_ = [d](place where) -> std::shared_ptr<const linear_map<T>> {
        require_same_place("apply", "the preconditioner", d->where(), "the vectors", where);
        return std::make_shared<diagonal_map<T>>(d);
    };
    k.keep_for_double([d] {
        return std::make_shared<const preconditioner<double>>(
            preconditioner<double>::by_inverse_diagonal(high_words(*d)));
    });
    return k;
}

template <scalar T>
template <scalar V>
requires acts_on<T, V> preconditioner<T> preconditioner<T>::jacobi(const csr_matrix<V>& a)
{
    const fp_mode_guard exact;
    const auto started = std::chrono::steady_clock::now();
    require_square("preconditioner", a.rows(), a.columns());
    engine& here = engine_at(a.where());
    const auto d = inverted_diagonal<T>(here, a.view(), a.where());
    preconditioner k = by_inverse_diagonal(d);
    const double largest = here.vectors<T>().largest_magnitude(std::as_const(*d).view());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    k.built_.seconds = seconds.count();
    k.built_.smallest_pivot = 1 / largest;
    return k;
}

template <scalar T>
preconditioner<T>::preconditioner(std::string name, index_t size, host_function<T> function,
                                  const build_report& built)
    : name_(std::move(name)), size_(size), built_(built),
      map_(maps_of_function<T>("preconditioner", size, size, std::move(function)))
{
    require_size(size);
}

template <scalar T>
preconditioner<T>::preconditioner(std::string name, index_t size, place device,
                                  device_function<T> function, recording graphs,
                                  const build_report& built)
    : name_(std::move(name)), size_(size), where_(device), built_(built),
      map_(maps_of_function<T>("preconditioner", size, size, device, std::move(function), graphs))
{
    require_size(size);
}

template <scalar T>
void preconditioner<T>::apply(const vector<T>& r, vector<T>& z) const
{
    const fp_mode_guard exact;
    if (is_none()) {
        require_same_size("preconditioner", "r", r.size(), "z", z.size());
        require_same_place("preconditioner", "r", r.where(), "z", z.where());
        return engine_at(r.where()).template vectors<T>().copy(r.view(), z.view());
    }
    apply_map<T>("preconditioner", size_, size_, *map_at(r.where()), r, z);
}

template <scalar T>
std::shared_ptr<const linear_map<T>> preconditioner<T>::map_at(place where) const
{
    return map_(where);
}

template <scalar T>
void preconditioner<T>::keep_for_double(double_maker make)
{
    struct kept_one {
        std::mutex making;
        std::shared_ptr<const preconditioner<double>> made;
    };
    in_double_ = [make = std::move(make), kept = std::make_shared<kept_one>()] {
        const std::lock_guard lock(kept->making);
        if (!kept->made) kept->made = make();
        return kept->made;
    };
}

template <scalar T>
std::shared_ptr<const preconditioner<double>> preconditioner<T>::in_double() const
{
    const fp_mode_guard exact;
    if constexpr (words_of<T> == 1) return std::make_shared<const preconditioner<double>>(*this);
    if (is_none()) return std::make_shared<const preconditioner<double>>();
    return in_double_ ? in_double_() : nullptr;
}

template class preconditioner<double>;
template class preconditioner<dd_real>;

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template preconditioner<T> preconditioner<T>::jacobi(const csr_matrix<V>&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
