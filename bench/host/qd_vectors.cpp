// Vector operations as a user of QD writes them: loops over its numbers, a part for each thread.
#include "dd_rivals.hpp"

#include <omp.h>
#include <qd/dd_real.h>

namespace bench {

namespace {

class loops : public vector_rival {
public:
    loops(const ddla::vector<ddla::dd_real>& x, const ddla::vector<ddla::dd_real>& y)
        : n_(x.size()), x_(numbers(x)), y_(numbers(y))
    {
        name = "QD";
    }

    void set_threads(int threads) override { omp_set_num_threads(threads); }
    ddla::dd_real dot() override { return {sum(x_.get(), y_.get())}; }
    void axpy(ddla::dd_real alpha) override
    {
        const ::dd_real a(alpha.hi, alpha.lo);
        const ::dd_real* const x = x_.get();
        ::dd_real* const y = y_.get();
#pragma omp parallel for schedule(static)
        for (ddla::index_t i = 0; i < n_; ++i) y[i] += a * x[i];
    }
    ddla::dd_real nrm2() override
    {
        return of(sqrt(sum_of_squares()));
    }

private:
    using array = std::unique_ptr<::dd_real[]>;

    static ddla::dd_real of(const ::dd_real& x)
    {
        return {x.x[0], x.x[1]};
    }

    /// Each page is first touched by the thread that will use it.
    static array numbers(const ddla::vector<ddla::dd_real>& from)
    {
        array to(static_cast<::dd_real*>(operator new[](static_cast<std::size_t>(from.size()) *
                                                        sizeof(::dd_real))));
        const auto view = from.view();
#pragma omp parallel for schedule(static)
        for (ddla::index_t i = 0; i < from.size(); ++i)
            to[static_cast<std::size_t>(i)] = ::dd_real(view.word(0)[i], view.word(1)[i]);
        return to;
    }

    ddla::dd_real sum(const ::dd_real* x, const ::dd_real* y) const
    {
        ::dd_real total = 0.0;
#pragma omp parallel
        {
            ::dd_real part = 0.0;
#pragma omp for schedule(static)
            for (ddla::index_t i = 0; i < n_; ++i) part += x[i] * y[i];
#pragma omp critical
            total += part;
        }
        return of(total);
    }
    ::dd_real sum_of_squares() const
    {
        const ::dd_real* const x = x_.get();
        ::dd_real total = 0.0;
#pragma omp parallel
        {
            ::dd_real part = 0.0;
#pragma omp for schedule(static)
            for (ddla::index_t i = 0; i < n_; ++i) part += sqr(x[i]);
#pragma omp critical
            total += part;
        }
        return total;
    }

    ddla::index_t n_;
    array x_, y_;
};

}  // namespace

std::unique_ptr<vector_rival> qd_vectors(const ddla::vector<ddla::dd_real>& x,
                                         const ddla::vector<ddla::dd_real>& y)
{
    return std::make_unique<loops>(x, y);
}

}  // namespace bench
