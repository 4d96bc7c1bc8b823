// The host as a site of the cases of streams, and what only the host does.
#include "support/sites.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"
#include "ddla/memory_place.hpp"

namespace {

class host_site final : public test::site {
public:
    std::string name() const override { return "the host"; }
    ddla::stream& on() override { return on_; }
    void* allocate(std::size_t bytes) override
    {
        memory_.emplace_back(new std::byte[bytes]);
        return memory_.back().get();
    }
    void write(void* there, const void* from, std::size_t bytes) override
    {
        std::memcpy(there, from, bytes);
    }
    void read(void* to, const void* there, std::size_t bytes) override
    {
        on_.wait();
        std::memcpy(to, there, bytes);
    }

private:
    ddla::stream on_{ddla::host};
    std::vector<std::unique_ptr<std::byte[]>> memory_;
};

}  // namespace

std::vector<std::unique_ptr<test::site>> test::every_site()
{
    std::vector<std::unique_ptr<site>> all;
    all.push_back(std::make_unique<host_site>());
    return all;
}

TEST_CASE("streams that there are not", "[streams]")
{
    int handle = 0;
    CHECK_THROWS_AS(ddla::stream(ddla::host, &handle), ddla::input_error);
    CHECK_THROWS_WITH(ddla::stream(ddla::host, &handle),
                      "stream: the host has no streams, but one was given");
    CHECK_THROWS_AS(ddla::stream(ddla::device(1000)), ddla::resource_error);
    CHECK_THROWS_AS(ddla::release_kept_memory(1000), ddla::resource_error);
}

TEST_CASE("on the host a call is done when it returns", "[streams]")
{
    ddla::stream on(ddla::host);
    CHECK(on.where() == ddla::host);
    const ddla::vector<double> x{3, 4};
    double norm = 0;
    ddla::nrm2(on, x.view(), &norm);
    CHECK(norm == 5);
    on.wait();
}

TEST_CASE("memory of the host is at the host where there is no device", "[streams]")
{
    const double here = 1;
    if (!ddla::devices().empty()) SKIP_CASE("a device may reach the memory of the host");
    CHECK(ddla::place_of_memory(&here) == ddla::host);
    CHECK(ddla::place_of_memory(nullptr) == ddla::host);
}
