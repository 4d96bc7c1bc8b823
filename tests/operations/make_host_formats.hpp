// The text of host_formats.hpp.
#pragma once

#include "host_formats.hpp"
#include "support/as_on_device.hpp"

#include "formats/choose_format.hpp"

namespace test {

/// Memory of the host, and how much of it is in use.
class counted_memory final : public ddla::memory {
public:
    std::size_t used = 0;

    void* allocate(std::size_t bytes) override
    {
        pieces_.emplace_back(host_.allocate(bytes), bytes);
        used += bytes;
        return pieces_.back().first;
    }
    void release(void* data) noexcept override
    {
        for (auto& [piece, bytes] : pieces_)
            if (piece == data) {
                used -= bytes;
                piece = nullptr;
                bytes = 0;
            }
        host_.release(data);
    }
    void fill_with_zero(void* data, std::size_t n) override { host_.fill_with_zero(data, n); }
    void copy_from_host(void* to, const void* from, std::size_t n) override
    {
        host_.copy_from_host(to, from, n);
    }
    void copy_to_host(void* to, const void* from, std::size_t n) override
    {
        host_.copy_to_host(to, from, n);
    }
    void copy_within(void* to, const void* from, std::size_t n) override
    {
        host_.copy_within(to, from, n);
    }

private:
    ddla::memory& host_ = ddla::host_memory();
    std::vector<std::pair<void*, std::size_t>> pieces_;
};

struct counted_call : call_as_on_device {
    counted_memory counted;
    ddla::workspace memory{counted};
};

template <class V>
std::shared_ptr<ddla::row_storage<V>> stored(const ddla::csr_matrix<V>& a,
                                             const ddla::format_options& options, std::size_t* held,
                                             bool for_double)
{
    counted_call call;
    ddla::formats::format_builder make(call, ddla::host, a.view(), options, for_double);
    auto made = make.make(options.format);
    if (held) *held = call.counted.used;
    return made;
}

/// Whatever make(converter, storage) makes of A.
template <class V, class Make>
ddla::row_storage<V> converted(const ddla::csr_matrix<V>& a, const Make& make)
{
    counted_call call;
    ddla::row_storage<V> storage;
    ddla::formats::converter convert(call, ddla::host, a.view(), 0);
    make(convert, storage);
    return storage;
}

template <class V>
ddla::row_storage<V> stored_in_slices(const ddla::csr_matrix<V>& a,
                                      const ddla::formats::slice_plan& plan)
{
    return converted(a, [&](auto& convert, auto& to) { convert.make_slices(plan, to); });
}

template <class V>
ddla::row_storage<V> stored_in_tiles(const ddla::csr_matrix<V>& a,
                                     const ddla::formats::slice_plan& plan)
{
    return converted(a, [&](auto& convert, auto& to) { convert.make_tiles(plan, to); });
}

}  // namespace test
