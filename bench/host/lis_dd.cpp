// Solvers and vector operations of Lis in quad.
#include "dd_rivals.hpp"
#include "lis_parts.hpp"

// Exported by the library, not in its header.
extern "C" LIS_INT lis_vector_dotex_mmm(LIS_VECTOR x, LIS_VECTOR y, LIS_QUAD_PTR* result);
extern "C" LIS_INT lis_vector_axpyex_mmm(LIS_QUAD_PTR alpha, LIS_VECTOR x, LIS_VECTOR y);
extern "C" LIS_INT lis_vector_nrm2ex_mm(LIS_VECTOR x, LIS_QUAD_PTR* result);

namespace bench {

namespace {

class solver : public solving_rival {
public:
    explicit solver(const ddla::csr_matrix<double>& a) : a_(a), b_(a_, false), x_(a_, false)
    {
        check_lis(lis_vector_set_all(1.0, b_));
        check_lis(lis_solver_create(&solver_));
        set("-p none -f quad -tol 1e-300 -print none");
    }
    ~solver() override { lis_solver_destroy(solver_); }

    void set_threads(int threads) override { omp_set_num_threads(threads); }
    void solve(krylov method, int iterations) override
    {
        set(std::string("-i ") + (method == krylov::cg ? "cg" : "bicgstab") + " -maxiter " +
            std::to_string(iterations));
        // Its status is the end of the solve: it does not converge.
        lis_solve(a_, b_, x_, solver_);
        LIS_INT done = 0;
        check_lis(lis_solver_get_iter(solver_, &done));
        if (done < iterations) throw ddla::resource_error("Lis ended before its iterations");
    }
    ddla::vector<ddla::dd_real> solution() const override { return x_.get(); }

private:
    void set(std::string words) { check_lis(lis_solver_set_option(words.data(), solver_)); }

    lis_matrix a_;
    lis_vector b_, x_;
    LIS_SOLVER solver_ = nullptr;
};

class operations : public vector_rival {
public:
    operations(const ddla::vector<ddla::dd_real>& x, const ddla::vector<ddla::dd_real>& y)
        : x_(x.size(), true), y_(x.size(), true)
    {
        name = "Lis quad";
        x_.set(x);
        y_.set(y);
    }

    void set_threads(int threads) override { omp_set_num_threads(threads); }
    ddla::dd_real dot() override
    {
        LIS_QUAD_PTR at = number();
        check_lis(lis_vector_dotex_mmm(x_, y_, &at));
        return {word_[0], word_[1]};
    }
    void axpy(ddla::dd_real alpha) override
    {
        LIS_QUAD_PTR at = number();
        word_[0] = alpha.hi;
        word_[1] = alpha.lo;
        check_lis(lis_vector_axpyex_mmm(at, x_, y_));
    }
    ddla::dd_real nrm2() override
    {
        LIS_QUAD_PTR at = number();
        check_lis(lis_vector_nrm2ex_mm(x_, &at));
        return {word_[0], word_[1]};
    }

private:
    LIS_QUAD_PTR number()
    {
        LIS_QUAD_PTR at;
        at.hi = &word_[0];
        at.lo = &word_[1];
        return at;
    }

    lis_vector x_, y_;
    alignas(16) double word_[2] = {};
};

}  // namespace

std::unique_ptr<solving_rival> lis_solver(const ddla::csr_matrix<double>& a)
{
    return std::make_unique<solver>(a);
}

std::unique_ptr<vector_rival> lis_vectors(const ddla::vector<ddla::dd_real>& x,
                                          const ddla::vector<ddla::dd_real>& y)
{
    return std::make_unique<operations>(x, y);
}

}  // namespace bench
