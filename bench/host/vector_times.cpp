// Vector operations in double-double.
#include "dd_rivals.hpp"
#include "solver_bench.hpp"

#include "ddla/host_threads.hpp"

#include <cmath>
#include <cstdio>

namespace bench {

namespace {

using ddla::dd_real;
using ddla::index_t;

/// A contender in one operation; ddla's own stand before those of the others.
struct operation {
    std::string who, name;
    std::size_t own;  ///< ddla's contender in the same operation
    double bytes;     ///< each word that it must move, once
    std::function<void()> call;
};

class own_vectors : public vector_rival {
public:
    own_vectors(const ddla::vector<dd_real>& x, const ddla::vector<dd_real>& y)
        : x_(x), y_(y), z_(x.size())
    {
        name = "ddla";
    }
    void set_threads(int threads) override { ddla::set_host_threads(threads); }
    dd_real dot() override { return ddla::dot(x_, y_); }
    void axpy(dd_real alpha) override { ddla::axpy(alpha, x_, y_); }
    dd_real nrm2() override { return ddla::nrm2(x_); }
    void copy() { ddla::copy(x_, z_); }

private:
    ddla::vector<dd_real> x_, y_, z_;
};

class measurement {
public:
    measurement(index_t n, const solver_options& o)
        : n_(n), options_(o), x_(operand(n)), y_(n, dd_real(1) / 3), own_(x_, y_),
          rivals_(vector_rivals_of(x_, y_))
    {
        const double word = 8.0 * static_cast<double>(n);
        all_.push_back({"ddla", "copy", 0, 4 * word, [this] { own_.copy(); }});
        add(own_, word);
        for (const auto& r : rivals_) add(*r, word);
    }

    int run(int threads, json& results)
    {
        own_.set_threads(threads);
        for (const auto& r : rivals_) r->set_threads(threads);
        const int disagreements = compare();
        std::vector<std::function<void()>> turns;
        for (const operation& op : all_) turns.push_back(op.call);
        const auto seconds = take_turns(turns, options_.rounds, options_.turn);
        std::printf("\n%lld elements, threads: %d\n  %-10s %-5s %10s %8s %8s  %s\n",
                    static_cast<long long>(n_), threads, "", "", "us", "MB", "of copy",
                    "its time / ddla's");
        for (std::size_t c = 0; c < all_.size(); ++c)
            results.push_back(record(c, seconds, threads));
        return disagreements;
    }

private:
    void add(vector_rival& v, double word)
    {
        // Small enough that y stays finite however often it is added.
        const dd_real alpha = dd_real(1e-7) / 3;
        const bool first = all_.size() == 1;
        const auto own = [&](std::size_t k) { return first ? all_.size() : k; };
        all_.push_back({v.name, "dot", own(1), 4 * word, [&v, this] { sink_ = v.dot(); }});
        all_.push_back({v.name, "axpy", own(2), 6 * word, [&v, alpha] { v.axpy(alpha); }});
        all_.push_back({v.name, "nrm2", own(3), 2 * word, [&v, this] { sink_ = v.nrm2(); }});
    }

    json record(std::size_t c, const std::vector<std::vector<double>>& seconds, int threads) const
    {
        const operation& op = all_[c];
        const auto rounds = options_.rounds;
        const double time = median(seconds[c]);
        const double ratio =
            median_of_rounds(rounds, [&](auto k) { return seconds[c][k] / seconds[op.own][k]; });
        const double share = median_of_rounds(rounds, [&](auto k) {
            return op.bytes / seconds[c][k] / (all_[0].bytes / seconds[0][k]);
        });
        std::printf("  %-10s %-5s %10.1f %8.1f %8.2f  %.2f\n", op.who.c_str(), op.name.c_str(),
                    time * 1e6, op.bytes * 1e-6, share, ratio);
        return {{"elements", n_},         {"threads", threads},         {"who", op.who},
                {"operation", op.name},   {"microseconds", time * 1e6}, {"bytes", op.bytes},
                {"share_of_copy", share}, {"time_to_ddla", ratio}};
    }

    /// Operations of others that differ from ddla's by more than their rounding errors: fresh
    /// vectors, each operation once.
    int compare() const
    {
        int count = 0;
        own_vectors own(x_, y_);
        const double scale = (ddla::nrm2(x_) * ddla::nrm2(y_)).hi;
        const dd_real alpha = dd_real(2) / 7, dot = own.dot(), nrm2 = own.nrm2();
        own.axpy(alpha);
        const dd_real after = own.dot();
        for (const auto& r : vector_rivals_of(x_, y_)) {
            const auto check = [&](const char* what, dd_real difference) {
                if (std::abs(difference.hi) <= 1e-27 * scale) return;
                std::printf("DISAGREEMENT: %s of %s by %.1e\n", what, r->name.c_str(),
                            difference.hi / scale);
                ++count;
            };
            check("dot", r->dot() - dot);
            check("nrm2", r->nrm2() - nrm2);
            r->axpy(alpha);
            check("axpy", r->dot() - after);
        }
        return count;
    }

    index_t n_;
    const solver_options& options_;
    ddla::vector<dd_real> x_, y_;
    own_vectors own_;
    std::vector<std::unique_ptr<vector_rival>> rivals_;
    std::vector<operation> all_;
    dd_real sink_;
};

}  // namespace

int measure_vectors(const solver_options& o, json& results)
{
    int disagreements = 0;
    for (const int n : o.sizes) {
        measurement of_it(n, o);
        for (const int threads : o.threads) disagreements += of_it.run(threads, results["vectors"]);
    }
    return disagreements;
}

}  // namespace bench
