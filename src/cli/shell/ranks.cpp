#include "ranks.hpp"

#include "command.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

namespace ddla::cli {
namespace {

std::shared_ptr<communicator>& the_ranks()
{
    static std::shared_ptr<communicator> ranks;
    return ranks;
}

/// What starters of MPI programs say to each process; null: nothing.
const char* first_set(std::initializer_list<const char*> names)
{
    for (const char* const name : names)
        if (const char* const value = std::getenv(name)) return value;
    return nullptr;
}

}  // namespace

const std::shared_ptr<communicator>& ranks_of_command()
{
    return the_ranks();
}

void set_ranks_of_command(std::shared_ptr<communicator> ranks)
{
    the_ranks() = std::move(ranks);
}

namespace {

device_messages& the_messages()
{
    static device_messages how;
    return how;
}

bool is_common_end = false;

}  // namespace

const device_messages& messages_of_devices()
{
    return the_messages();
}

void set_messages_of_devices(device_messages how)
{
    the_messages() = std::move(how);
}

neighbours neighbours_of(communicator& ranks, bool by_devices)
{
    std::array<char, 512> mine{};
    ::gethostname(mine.data(), 255);
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (by_devices && visible) std::strncpy(mine.data() + 256, visible, 255);
    const auto count = static_cast<std::size_t>(ranks.size());
    std::vector<std::array<char, 512>> all(count);
    ranks.all_gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)),
                     std::vector<std::size_t>(count, sizeof mine));
    const auto me = all.begin() + ranks.rank();
    return {static_cast<int>(std::count(all.begin(), me, mine)),
            static_cast<int>(std::count(all.begin(), all.end(), mine))};
}

void note_common_end()
{
    is_common_end = true;
}

bool ends_with_others()
{
    return is_common_end;
}

bool speaks_for_ranks()
{
    return !the_ranks() || the_ranks()->rank() == 0;
}

int hand_over_to_ranks(char** argv)
{
    const char* const rank = first_set({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"});
    // A program of MPI that starts ddla hands down its own variables.
    if (!rank || std::getenv("DDLA_ALONE")) return 0;
    std::error_code unknown;
    const auto here = std::filesystem::read_symlink("/proc/self/exe", unknown);
    const std::string program = (here.parent_path() / "ddla-mpi").string();
    if (!unknown && ::access(program.c_str(), X_OK) == 0) ::execv(program.c_str(), argv);
    const char* const size = first_set({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
    if (size && std::string(size) == "1") return 0;
    if (std::string(rank) == "0")
        std::cerr << "ddla: started by mpirun, but built without MPI: each rank would solve the "
                     "whole system (DDLA_ALONE=1 lets them)\n";
    return exit_bad_input;
}

}  // namespace ddla::cli
