#include "textbook_cg.hpp"

#include "support/rivals.hpp"
#include "support/timing.hpp"

#include <nccl.h>

namespace bench {
namespace {

using ddla::index_t;

void check(ncclResult_t result, const char* call)
{
    if (result != ncclSuccess)
        throw ddla::internal_error(std::string(call) + ": " + ncclGetErrorString(result));
}
using bench::check;
using ddla::device_backend::check;

enum scalar_number { rr, pq, rr_before, alpha, minus_alpha, beta, scalars };

__global__ void divide(double* s)
{
    s[alpha] = s[rr] / s[pq];
    s[minus_alpha] = -s[alpha];
    s[rr_before] = s[rr];
}
__global__ void next_direction(double* s)
{
    s[beta] = s[rr] / s[rr_before];
}

class textbook {
public:
    textbook(const grid& of, ddla::communicator& ranks, int device)
        : of_(of), rank_(ranks.rank()), size_(ranks.size()), there_(ddla::device(device)),
          n_(of.points() * (rank_ + 1) / size_ / of.plane() * of.plane() -
             of.points() * rank_ / size_ / of.plane() * of.plane()),
          with_(stream_, there_), s_(scalars, there_), r_(n_, there_), q_(n_, there_),
          x_(n_, there_), p_(n_ + 2 * of.plane(), there_)
    {
        ncclUniqueId id{};
        if (rank_ == 0) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
        ddla::broadcast(ranks, 0, std::as_writable_bytes(std::span(&id, 1)));
        check(ncclCommInitRank(&nccl_, size_, id, rank_), "ncclCommInitRank");
        make_matrix();
    }
    ~textbook()
    {
        cudaStreamSynchronize(stream_);
        cusparseDestroySpMat(a_);
        cusparseDestroyDnVec(in_);
        cusparseDestroyDnVec(out_);
        ncclCommDestroy(nccl_);
    }

    double seconds(int iterations)
    {
        start();
        return wall_microseconds(stream_,
                                 [&] {
                                     for (int k = 0; k < iterations; ++k) iterate();
                                 }) *
               1e-6;
    }

private:
    double* scalar(scalar_number k) { return s_.word(0).data() + k; }
    double* own_p() { return p_.word(0).data() + of_.plane(); }

    void make_matrix()
    {
        const index_t first = of_.points() * rank_ / size_ / of_.plane() * of_.plane();
        const compressed_rows rows = rows_of_grid(of_, first, first + n_);
        std::vector<int> begin(rows.row_begin.begin(), rows.row_begin.end()), column;
        column.reserve(rows.column.size());
        for (const index_t j : rows.column)
            column.push_back(static_cast<int>(j - first + of_.plane()));
        const auto copied = [&](const auto& from) {
            ddla::buffer to(from.size() * sizeof(from[0]), there_);
            ddla::copy_bytes(to.data(), there_, from.data(), ddla::host, to.bytes());
            return to;
        };
        begin_ = copied(begin);
        column_ = copied(column);
        value_ = copied(rows.value);
        check(cusparseCreateCsr(&a_, n_, p_.size(), static_cast<std::int64_t>(rows.value.size()),
                                begin_.data(), column_.data(), value_.data(), CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
              "cusparseCreateCsr");
        check(cusparseCreateDnVec(&in_, p_.size(), p_.word(0).data(), CUDA_R_64F),
              "cusparseCreateDnVec");
        check(cusparseCreateDnVec(&out_, n_, q_.word(0).data(), CUDA_R_64F), "cusparseCreateDnVec");
        std::size_t bytes = 0;
        check(cusparseSpMV_bufferSize(with_.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, a_,
                                      in_, &zero_, out_, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1,
                                      &bytes),
              "cusparseSpMV_bufferSize");
        room_ = ddla::buffer(std::max<std::size_t>(bytes, 8), there_);
        check(cusparseSpMV_preprocess(with_.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, a_,
                                      in_, &zero_, out_, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1,
                                      room_.data()),
              "cusparseSpMV_preprocess");
    }
    void sum(double* of)
    {
        check(ncclAllReduce(of, of, 1, ncclDouble, ncclSum, nccl_, stream_), "ncclAllReduce");
    }
    void exchange()
    {
        const auto plane = static_cast<std::size_t>(of_.plane());
        check(ncclGroupStart(), "ncclGroupStart");
        if (rank_ > 0) {
            check(ncclSend(own_p(), plane, ncclDouble, rank_ - 1, nccl_, stream_), "ncclSend");
            check(ncclRecv(p_.word(0).data(), plane, ncclDouble, rank_ - 1, nccl_, stream_),
                  "ncclRecv");
        }
        if (rank_ + 1 < size_) {
            check(
                ncclSend(own_p() + n_ - of_.plane(), plane, ncclDouble, rank_ + 1, nccl_, stream_),
                "ncclSend");
            check(ncclRecv(own_p() + n_, plane, ncclDouble, rank_ + 1, nccl_, stream_), "ncclRecv");
        }
        check(ncclGroupEnd(), "ncclGroupEnd");
    }
    void start()
    {
        const ddla::vector<double> ones(n_, 1.0, there_);
        with_.scalars_on_device();
        with_.copy(n_, ones.word(0).data(), r_.word(0).data());
        with_.copy(n_, ones.word(0).data(), own_p());
        with_.dot(n_, r_.word(0).data(), r_.word(0).data(), scalar(rr));
        sum(scalar(rr));
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }
    void iterate()
    {
        if (size_ > 1) exchange();
        check(cusparseSpMV(with_.sparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, a_, in_, &zero_,
                           out_, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, room_.data()),
              "cusparseSpMV");
        with_.dot(n_, own_p(), q_.word(0).data(), scalar(pq));
        sum(scalar(pq));
        divide<<<1, 1, 0, stream_>>>(scalar(rr));
        with_.axpy(n_, scalar(alpha), own_p(), x_.word(0).data());
        with_.axpy(n_, scalar(minus_alpha), q_.word(0).data(), r_.word(0).data());
        with_.dot(n_, r_.word(0).data(), r_.word(0).data(), scalar(rr));
        sum(scalar(rr));
        next_direction<<<1, 1, 0, stream_>>>(scalar(rr));
        with_.scal(n_, scalar(beta), own_p());
        const double* const one = ones();
        with_.axpy(n_, one, r_.word(0).data(), own_p());
    }
    const double* ones()
    {
        if (one_there_.size() == 0) one_there_ = ddla::vector<double>(1, 1.0, there_);
        return one_there_.word(0).data();
    }

    grid of_;
    int rank_, size_;
    ddla::place there_;
    index_t n_;
    cuda_stream stream_;
    rivals with_;
    ddla::vector<double> s_, r_, q_, x_, p_, one_there_;
    ddla::buffer begin_, column_, value_, room_;
    double one_ = 1, zero_ = 0;
    ncclComm_t nccl_ = nullptr;
    cusparseSpMatDescr_t a_ = nullptr;
    cusparseDnVecDescr_t in_ = nullptr, out_ = nullptr;
};

}  // namespace

double seconds_of_textbook_cg(const grid& of, ddla::communicator& ranks, int device)
{
    check(cudaSetDevice(device), "cudaSetDevice");
    textbook cg(of, ranks, device);
    cg.seconds(20);
    return (cg.seconds(250) - cg.seconds(50)) / 200;
}

}  // namespace bench
