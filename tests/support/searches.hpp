// BiCGStab and CG in double, as textbooks have them, from BLAS calls on the host: for a right-hand
// side about 1, and with a residual that can be replaced while the directions stay.
#pragma once

#include "catch.hpp"

#include "ddla/blas.hpp"
#include "ddla/preconditioner.hpp"

#include <cmath>

namespace test {

class search_in_double {
public:
    using vector = ddla::vector<double>;

    /// For A d = r from d = 0.
    search_in_double(const ddla::csr_matrix<double>& a, const ddla::preconditioner<double>& k,
                     const vector& r)
        : a_(a), k_(k), r_(r), norm2_(ddla::dot(r, r)), d_(r.size())
    {
    }
    virtual ~search_in_double() = default;

    /// Until |r| is this part of that of the beginning.
    void run(double part)
    {
        const double target = norm2_ * part * part;
        for (double left = step(); !(left <= target); left = step()) {
            REQUIRE(iterations_ < 1000);
            REQUIRE(std::isfinite(left));
            turn();
        }
    }
    /// The search goes on from another r, and d from 0.
    void renew(const vector& r)
    {
        r_ = r;
        d_ = vector(r.size());
        weigh_again();
        turn();
    }
    const vector& d() const { return d_; }
    long long iterations() const { return iterations_; }

protected:
    vector product(const vector& x) const
    {
        vector y(x.size());
        ddla::spmv(1, a_, x, 0, y);
        return y;
    }
    vector preconditioned(const vector& r) const
    {
        vector z(r.size());
        k_.apply(r, z);
        return z;
    }
    /// x += f of its elements and of the index.
    template <class F>
    static void each(vector& x, const F& f)
    {
        for (ddla::index_t i = 0; i < x.size(); ++i) x.set(i, f(i));
    }
    /// An iteration up to the residual; its square.
    virtual double step() = 0;
    /// beta and what follows from r.
    virtual void weigh_again() = 0;
    /// The next direction.
    virtual void turn() = 0;

    const ddla::csr_matrix<double>& a_;
    const ddla::preconditioner<double>& k_;
    vector r_;
    double norm2_;
    vector d_;
    long long iterations_ = 0;
};

class bicgstab_in_double final : public search_in_double {
public:
    bicgstab_in_double(const ddla::csr_matrix<double>& a, const ddla::preconditioner<double>& k,
                       const vector& r)
        : search_in_double(a, k, r), r0_(r), p_(r), rho_(norm2_)
    {
    }

private:
    double step() override
    {
        ++iterations_;
        const vector p_hat = preconditioned(p_);
        v_ = product(p_hat);
        const double alpha = rho_ / ddla::dot(r0_, v_);
        vector s = r_;
        each(s, [&](auto i) { return r_[i] - alpha * v_[i]; });
        const vector s_hat = preconditioned(s), t = product(s_hat);
        omega_ = ddla::dot(t, s) / ddla::dot(t, t);
        each(d_, [&](auto i) { return d_[i] + (alpha * p_hat[i] + omega_ * s_hat[i]); });
        each(r_, [&](auto i) { return s[i] - omega_ * t[i]; });
        const double rho = ddla::dot(r0_, r_);
        beta_ = (rho / rho_) * (alpha / omega_);
        rho_ = rho;
        return ddla::dot(r_, r_);
    }
    void weigh_again() override
    {
        const double rho = ddla::dot(r0_, r_);
        beta_ = (rho / rho_) * beta_;
        rho_ = rho;
    }
    void turn() override
    {
        each(p_, [&](auto i) { return r_[i] + beta_ * (p_[i] - omega_ * v_[i]); });
    }

    vector r0_, p_, v_;
    double rho_, omega_ = 0, beta_ = 0;
};

class cg_in_double final : public search_in_double {
public:
    cg_in_double(const ddla::csr_matrix<double>& a, const ddla::preconditioner<double>& k,
                 const vector& r)
        : search_in_double(a, k, r), p_(preconditioned(r)), rho_(ddla::dot(r, p_))
    {
    }

private:
    double step() override
    {
        ++iterations_;
        const vector v = product(p_);
        const double alpha = rho_ / ddla::dot(v, p_);
        each(d_, [&](auto i) { return d_[i] + alpha * p_[i]; });
        each(r_, [&](auto i) { return r_[i] - alpha * v[i]; });
        return ddla::dot(r_, r_);
    }
    void weigh_again() override {}
    void turn() override
    {
        const vector z = preconditioned(r_);
        const double rho = ddla::dot(r_, z), beta = rho / rho_;
        rho_ = rho;
        each(p_, [&](auto i) { return z[i] + beta * p_[i]; });
    }

    vector p_;
    double rho_;
};

}  // namespace test
