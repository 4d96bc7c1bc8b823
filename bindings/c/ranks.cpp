// Matrices whose rows are shared among ranks, by functions of the caller that move bytes.
#include "arrays.hpp"
#include "options.hpp"
#include "reports.hpp"
#include "structs.hpp"

#include "ddla/distributed.hpp"

#include <optional>
#include <span>
#include <vector>

using namespace ddla;
using namespace ddla::c;

struct ddla_distributed {
    std::variant<distributed_matrix<double>, distributed_matrix<dd_real>> rows;
};

namespace {

/// The caller's functions.
class called_communicator final : public communicator {
public:
    explicit called_communicator(const ddla_communicator& of) : of_(of) {}

    int rank() const override { return of_.rank; }
    int size() const override { return of_.ranks; }
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all,
                    std::span<const std::size_t> bytes) override
    {
        call_back("all_gather",
                  [&] { return of_.all_gather(of_.data, mine.data(), all.data(), bytes.data()); });
    }
    void start_exchange(std::span<const outgoing> sent, std::span<const incoming> received) override
    {
        sent_.clear();
        received_.clear();
        for (const outgoing& one : sent)
            sent_.push_back({const_cast<std::byte*>(one.bytes.data()), one.bytes.size(), one.to});
        for (const incoming& one : received)
            received_.push_back({one.bytes.data(), one.bytes.size(), one.from});
        call_back("start_exchange", [&] {
            return of_.start_exchange(of_.data, sent_.size(), sent_.data(), received_.size(),
                                      received_.data());
        });
    }
    void finish_exchange() override
    {
        call_back("finish_exchange", [&] { return of_.finish_exchange(of_.data); });
    }
    void fail(const char* why) noexcept override
    {
        if (of_.fail) of_.fail(of_.data, why);
    }

private:
    ddla_communicator of_;
    std::vector<ddla_message> sent_, received_;
};

std::shared_ptr<communicator> communicator_of_caller(const ddla_communicator* ranks)
{
    const ddla_communicator of = given(&required(ranks, "ranks"), ddla_communicator{}, "ranks");
    if (of.ranks < 1 || of.rank < 0 || of.rank >= of.ranks)
        throw misuse("rank " + std::to_string(of.rank) + " of " + std::to_string(of.ranks) +
                     " ranks");
    if (!of.all_gather || !of.start_exchange || !of.finish_exchange)
        throw misuse("a function of ranks is NULL");
    return std::make_shared<called_communicator>(of);
}

/// The arrays of this rank, from 0.
struct own_indices {
    std::vector<index_t> row_begin, column;

    explicit own_indices(const ddla_csr& from)
    {
        for (std::int64_t i = 0; i <= from.rows; ++i)
            row_begin.push_back(
                from_base(index_at(from.row_begin, from.row_begin_bits, i), from.index_base));
        for (std::int64_t k = 0; k < from.nonzeros; ++k)
            column.push_back(
                from_base(index_at(from.column, from.column_bits, k), from.index_base));
    }
};

template <scalar V>
vector<V> values_of(const ddla_csr& from)
{
    vector<V> value(from.nonzeros);
    for (std::int64_t k = 0; k < from.nonzeros; ++k) value.set(k, value_at<V>(from, k));
    return value;
}

/// Of all ranks; throws where they differ.
ddla_precision common_precision(communicator& among, const ddla_csr& from)
{
    const std::int64_t mine = precision_of_values(from);
    std::vector<std::int64_t> all(static_cast<std::size_t>(among.size()));
    among.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)),
                     std::vector<std::size_t>(all.size(), sizeof mine));
    for (const std::int64_t one : all)
        if (one != all.front())
            throw input_error("some ranks have values in double, others in double-double");
    return static_cast<ddla_precision>(mine);
}

/// f.operator()<T>(a) for the T of x, where A acts on vectors of T.  Misuse on this rank ends the
/// others, which do not see it.
template <class F>
void with_rows(const ddla_distributed* a, const ddla_vector* x, const char* name, const F& f)
try {
    in_precision(precision_of_vector(x, name), [&]<scalar T>() {
        std::visit(
            [&]<scalar V>(const distributed_matrix<V>& m) {
                if constexpr (acts_on<T, V>)
                    f.template operator()<T>(m);
                else
                    throw misuse("a has values in double-double, the vectors are in double");
            },
            required(a, "a").rows);
    });
} catch (const misuse& e) {
    if (a) std::visit([&](const auto& m) { m.ranks()->fail(e.what()); }, a->rows);
    throw;
}

}  // namespace

extern "C" {

ddla_status ddla_distributed_create(const ddla_communicator* ranks, const ddla_csr* own_rows,
                                    int64_t all_rows, int64_t alignment, ddla_distributed** a)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        auto among = communicator_of_caller(ranks);
        ddla_csr from = {};
        std::optional<own_indices> own;
        agreed(*among, [&] {
            try {
                from = checked_csr(own_rows, "own_rows");
                own.emplace(from);
            } catch (const misuse& e) {  // of this rank, told by all
                throw input_error(e.what());
            }
        });
        in_precision(common_precision(*among, from), [&]<scalar V>() {
            to = new ddla_distributed{distributed_matrix<V>(
                among, all_rows, from.columns, std::move(own->row_begin), std::move(own->column),
                values_of<V>(from), alignment == 0 ? 256 : alignment)};
        });
    });
}

void ddla_distributed_destroy(ddla_distributed* a)
{
    delete a;
}

ddla_status ddla_distributed_shape(const ddla_distributed* a, ddla_distributed_size* size)
{
    return guarded([&] {
        std::visit(
            [&](const auto& m) {
                ddla_distributed_size s = {};
                s.rows = m.rows();
                s.columns = m.columns();
                s.nonzeros = m.nonzeros();
                s.first_row = m.first_row();
                s.own_rows = m.local_rows();
                s.first_column = m.first_column();
                s.own_columns = m.local_columns();
                hand_over(s, size, "size");
            },
            required(a, "a").rows);
    });
}

ddla_status ddla_distributed_multiply(const ddla_distributed* a, const ddla_vector* x,
                                      ddla_vector* y)
{
    return guarded([&] {
        with_rows(a, x, "x",
                  [&]<scalar T>(const auto& m) { m.multiply(in<T>(x, "x"), in<T>(y, "y")); });
    });
}

ddla_status ddla_distributed_multiply_transposed(const ddla_distributed* a, const ddla_vector* x,
                                                 ddla_vector* y)
{
    return guarded([&] {
        with_rows(a, x, "x", [&]<scalar T>(const auto& m) {
            m.multiply_transposed(in<T>(x, "x"), in<T>(y, "y"));
        });
    });
}

ddla_status ddla_distributed_dot(const ddla_distributed* a, const ddla_vector* x,
                                 const ddla_vector* y, ddla_dd* result)
{
    return guarded([&] {
        auto& to = required(result, "result");
        with_rows(a, x, "x", [&]<scalar T>(const auto& m) {
            to = pair(dd_real(m.dot(in<T>(x, "x"), in<T>(y, "y"))));
        });
    });
}

ddla_status ddla_distributed_nrm2(const ddla_distributed* a, const ddla_vector* x, ddla_dd* result)
{
    return guarded([&] {
        auto& to = required(result, "result");
        with_rows(a, x, "x",
                  [&]<scalar T>(const auto& m) { to = pair(dd_real(m.nrm2(in<T>(x, "x")))); });
    });
}

ddla_status ddla_distributed_solve(const ddla_distributed* a, const ddla_vector* b, ddla_vector* x,
                                   const ddla_solve_options* options, ddla_report** report)
{
    return guarded([&] {
        if (report) *report = nullptr;
        const solve_options o = options_of(options);
        with_rows(a, b, "b", [&]<scalar T>(const auto& m) {
            reported_solve s;
            s.report = solve(m, in<T>(b, "b"), in<T>(x, "x"), o);
            s.precision = number_traits<T>::name;
            s.method = o.method;
            s.preconditioner = std::string(to_string(o.precond));
            s.tolerance = o.tolerance;
            s.normwise = o.normwise;
            const reported_matrix about{m.rows(), m.columns(), m.nonzeros()};
            if (report) *report = new ddla_report(about, std::move(s));
        });
    });
}
}
