// New values on the pattern and the pivots of old factors.
#include "factors_data.hpp"

#include "ddla/error.hpp"

#include <chrono>

namespace ddla::factor {

namespace {

using detail::factors_data;

/// Columns of L and U with known patterns, numbered by pivots.
template <scalar F>
class refactorisation {
public:
    refactorisation(const factors_data<F>& old, const sparse_columns<F>& a)
        : a_(a), old_(old), lower_(old.part(factor_part::lower_transposed).off_diagonal),
          upper_(old.part(factor_part::upper_transposed).off_diagonal),
          in_column_(as_size(a.rows), -1)
    {
        work_.resize(a.rows);
        pivot_.resize(a.rows);
        for (index_t k = 0; k < a.entries(); ++k)
            largest_entry_ = std::max(largest_entry_, magnitude(a.value.get(k)));
    }
    /// Whether the pivots serve the new values.
    bool run()
    {
        for (column_t k = 0; k < a_.columns; ++k) {
            if (!load(k)) return false;
            update(k);
            if (!finish(k)) return false;
        }
        return true;
    }
    double growth() const { return largest_entry_ > 0 ? largest_ / largest_entry_ : 0; }

    /// The factors by rows.
    void move_to(factors_data<F>& to)
    {
        to.lower = {transposed(lower_, a_.rows), {}, true};
        to.upper = {transposed(upper_, a_.rows), std::move(pivot_), false};
    }

private:
    /// Zeros on the pattern of column k, then the entries of A; false if one is not on it.
    bool load(column_t k)
    {
        const auto clear = [&](const sparse_rows<F>& f) {
            for (index_t e = f.begin[as_size(k)]; e < f.begin[as_size(k) + 1]; ++e) {
                work_.set(f.column[as_size(e)], F(0));
                in_column_[as_size(f.column[as_size(e)])] = k;
            }
        };
        clear(lower_);
        clear(upper_);
        work_.set(k, F(0));
        in_column_[as_size(k)] = k;
        const column_t j = old_.column_of[as_size(k)];
        for (index_t e = a_.begin[as_size(j)]; e < a_.begin[as_size(j) + 1]; ++e) {
            const column_t place = old_.pivot_of[as_size(a_.row[as_size(e)])];
            if (in_column_[as_size(place)] != k) return false;
            work_.set(place, a_.value.get(e));
        }
        return true;
    }
    void update(column_t k)
    {
        for (index_t e = upper_.begin[as_size(k)]; e < upper_.begin[as_size(k) + 1]; ++e) {
            const column_t p = upper_.column[as_size(e)];
            const F u = work_.get(p);
            upper_.value.set(e, u);
            note(magnitude(u));
            for (index_t r = lower_.begin[as_size(p)]; r < lower_.begin[as_size(p) + 1]; ++r) {
                const column_t i = lower_.column[as_size(r)];
                work_.set(i, work_.get(i) - lower_.value.get(r) * u);
            }
        }
    }
    bool finish(column_t k)
    {
        const F pivot = work_.get(k);
        if (magnitude(pivot) == 0) return false;
        pivot_.set(k, pivot);
        note(magnitude(pivot));
        for (index_t e = lower_.begin[as_size(k)]; e < lower_.begin[as_size(k) + 1]; ++e) {
            const F value = work_.get(lower_.column[as_size(e)]);
            note(magnitude(value));
            const F multiplier = value / pivot;
            is_usable_ = is_usable_ && magnitude(multiplier) <= old_.wanted.most_growth;
            lower_.value.set(e, multiplier);
        }
        return is_usable_;
    }
    /// One more magnitude; never usable again once it is too large or not a number.
    void note(double m)
    {
        is_usable_ = is_usable_ && m <= old_.wanted.most_growth * largest_entry_;
        largest_ = std::max(largest_, m);
    }

    const sparse_columns<F>& a_;
    const factors_data<F>& old_;
    sparse_rows<F> lower_, upper_;  ///< columns, as rows of the transposes
    number_list<F> pivot_, work_;
    std::vector<column_t> in_column_;  ///< the last column that has the row
    double largest_ = 0, largest_entry_ = 0;
    bool is_usable_ = true;
};

}  // namespace

template <scalar F>
template <scalar V>
bool factors<F>::refactor(const csr<V>& a)
{
    const auto begin = std::chrono::steady_clock::now();
    const factors_data<F>& old = *data_;
    if (a.rows != old.about.n || a.columns != old.about.n)
        throw input_error("refactor: the factors are of a matrix with " +
                          std::to_string(old.about.n) + " rows, the new one has " +
                          std::to_string(a.rows));
    if (old.about.end != factor_end::complete || old.about.rank < old.about.n) return false;
    const sparse_columns<V> columns = columns_of(a);
    if (!detail::all_finite(columns)) return false;
    const auto data = std::make_shared<factors_data<F>>();
    data->scaling = scaling_of(columns, old.wanted.scale);
    const sparse_columns<F> scaled = detail::scaled_columns<F>(columns, data->scaling);
    refactorisation<F> work(old, scaled);
    if (!work.run()) return false;
    data->about = old.about;
    data->wanted = old.wanted;
    data->row_of = old.row_of;
    data->column_of = old.column_of;
    data->pivot_of = old.pivot_of;
    data->about.growth = work.growth();
    work.move_to(*data);
    look_at_pivots(*data);
    data->about.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    data_ = data;
    return true;
}

template bool factors<double>::refactor(const csr<double>&);
template bool factors<double>::refactor(const csr<dd_real>&);
template bool factors<dd_real>::refactor(const csr<double>&);
template bool factors<dd_real>::refactor(const csr<dd_real>&);

}  // namespace ddla::factor
