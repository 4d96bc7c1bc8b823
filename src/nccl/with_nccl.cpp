// Messages between devices by NCCL: bytes move, nothing is added.
#include "ddla/nccl.hpp"

#include "ddla/error.hpp"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace ddla {
namespace {

void require(cudaError_t result, const char* call)
{
    if (result != cudaSuccess)
        throw resource_error(std::string(call) + ": " + cudaGetErrorString(result));
}
void require(ncclResult_t result, const char* call)
{
    if (result != ncclSuccess)
        throw resource_error(std::string(call) + ": " + ncclGetErrorString(result));
}

/// Makes a device current, and at the end what was current before.
class current_device {
public:
    explicit current_device(int index)
    {
        require(cudaGetDevice(&before_), "cudaGetDevice");
        require(cudaSetDevice(index), "cudaSetDevice");
    }
    current_device(const current_device&) = delete;
    current_device& operator=(const current_device&) = delete;
    ~current_device() { cudaSetDevice(before_); }

private:
    int before_ = 0;
};

class nccl_communicator final : public communicator {
public:
    nccl_communicator(std::shared_ptr<communicator> ranks, int device)
        : ranks_(std::move(ranks)), device_(device)
    {
        ncclUniqueId id{};
        agreed(*ranks_, [&] {
            if (ranks_->rank() == 0) require(ncclGetUniqueId(&id), "ncclGetUniqueId");
            const current_device here(device_);
        });
        broadcast(*ranks_, 0, std::as_writable_bytes(std::span(&id, 1)));
        try {
            agreed(*ranks_, [&] {
                const current_device here(device_);
                require(ncclCommInitRank(&nccl_, ranks_->size(), id, ranks_->rank()),
                        "ncclCommInitRank");
                int lowest = 0, highest = 0;
                require(cudaDeviceGetStreamPriorityRange(&lowest, &highest),
                        "cudaDeviceGetStreamPriorityRange");
                require(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, highest),
                        "cudaStreamCreateWithPriority");
                for (cudaEvent_t* event : {&ready_, &done_})
                    require(cudaEventCreateWithFlags(event, cudaEventDisableTiming),
                            "cudaEventCreateWithFlags");
            });
        } catch (const error&) {
            abort();
            release();
            throw;
        }
    }
    nccl_communicator(const nccl_communicator&) = delete;
    nccl_communicator& operator=(const nccl_communicator&) = delete;
    ~nccl_communicator() override { release(); }

    int rank() const override { return ranks_->rank(); }
    int size() const override { return ranks_->size(); }
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all,
                    std::span<const std::size_t> bytes) override
    {
        ranks_->all_gather(mine, all, bytes);
    }
    void start_exchange(std::span<const outgoing> sent, std::span<const incoming> received) override
    {
        ranks_->start_exchange(sent, received);
    }
    void finish_exchange() override { ranks_->finish_exchange(); }
    bool has_failed() const override { return ranks_->has_failed(); }
    void fail(const char* why) noexcept override
    {
        ranks_->fail(why);
        abort();
    }

    int device() const override { return device_; }
    /// What the caller puts into its stream next is launched before the messages, which take longer
    /// to launch.
    void start_exchange_on(void* stream, std::span<const outgoing> sent,
                           std::span<const incoming> received) override
    {
        const current_device here(device_);
        require(cudaEventRecord(ready_, static_cast<cudaStream_t>(stream)), "cudaEventRecord");
        sent_.assign(sent.begin(), sent.end());
        received_.assign(received.begin(), received.end());
    }
    void finish_exchange_on(void* stream) override
    {
        const current_device here(device_);
        launch_messages();
        wait_for_messages();
        require(cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), done_, 0),
                "cudaStreamWaitEvent");
    }

private:
    void launch_messages()
    {
        if (!nccl_) throw resource_error("ranks: their messages were aborted");
        require(cudaStreamWaitEvent(stream_, ready_, 0), "cudaStreamWaitEvent");
        require(ncclGroupStart(), "ncclGroupStart");
        ncclResult_t first = ncclSuccess;  // that failed; the group ends in any case
        const auto keep = [&](ncclResult_t result) {
            first = first == ncclSuccess ? result : first;
        };
        for (const outgoing& one : sent_)
            keep(ncclSend(one.bytes.data(), one.bytes.size(), ncclChar, one.to, nccl_, stream_));
        for (const incoming& one : received_)
            keep(ncclRecv(one.bytes.data(), one.bytes.size(), ncclChar, one.from, nccl_, stream_));
        keep(ncclGroupEnd());
        require(first, "NCCL");
        require(cudaEventRecord(done_, stream_), "cudaEventRecord");
    }
    /// The host looks until all is there: so it learns that another rank has failed, whose messages
    /// would never come.
    void wait_for_messages()
    {
        for (;;) {
            const cudaError_t now = cudaEventQuery(done_);
            if (now == cudaSuccess) break;
            if (now != cudaErrorNotReady) require(now, "cudaEventQuery");
            ncclResult_t asynchronous = ncclSuccess;
            ncclCommGetAsyncError(nccl_, &asynchronous);
            if (ranks_->has_failed() || asynchronous != ncclSuccess) {
                abort();
                require(asynchronous, "NCCL");
                throw resource_error("another rank has failed");
            }
            std::this_thread::yield();
        }
    }
    void abort() noexcept
    {
        if (nccl_) ncclCommAbort(nccl_);
        nccl_ = nullptr;
    }
    void release() noexcept
    {
        int before = 0;
        cudaGetDevice(&before);
        cudaSetDevice(device_);
        // While an error is on its way others may wait for what never comes.
        if (ranks_->has_failed() || std::uncaught_exceptions() > exceptions_) abort();
        if (nccl_) ncclCommDestroy(nccl_);
        for (const cudaEvent_t event : {ready_, done_})
            if (event) cudaEventDestroy(event);
        if (stream_) cudaStreamDestroy(stream_);
        cudaSetDevice(before);
    }

    std::shared_ptr<communicator> ranks_;
    int device_;
    int exceptions_ = std::uncaught_exceptions();
    ncclComm_t nccl_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t ready_ = nullptr, done_ = nullptr;
    std::vector<outgoing> sent_;
    std::vector<incoming> received_;
};

}  // namespace

std::shared_ptr<communicator> with_nccl(std::shared_ptr<communicator> ranks, int device)
{
    return std::make_shared<nccl_communicator>(std::move(ranks), device);
}

}  // namespace ddla
