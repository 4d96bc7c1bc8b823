// ddla devices, and what stands between ddla and a device: one sentence each, here with fakes of
// the driver that a user may have.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include <algorithm>
#include <cstdlib>

using namespace cli_test;
using json = nlohmann::json;

namespace {

/// One line that begins with the sentence.
void check_sentence(const result& r, const std::string& sentence)
{
    INFO("stderr: " << r.err);
    CHECK(r.exit_status == 3);
    CHECK(r.err.rfind("ddla: " + sentence, 0) == 0);
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
}

void check_device(const json& device)
{
    for (const char* key : {"number", "multiprocessors", "bytes", "free_bytes"})
        CHECK(device.at(key).is_number_unsigned());
    CHECK(device.at("name").is_string());
    CHECK(device.at("architecture").get<std::string>().rfind("sm_", 0) == 0);
    CHECK(device.at("usable") == device.at("problem").is_null());
    CHECK(device.at("free_bytes") <= device.at("bytes"));
}

}  // namespace

TEST_CASE("devices are listed, or the reason why there is none")
{
    const result people = run({"devices"}), programs = run({"devices", "--json"});
    const json all = json::parse(programs.out);
    CHECK(people.exit_status == programs.exit_status);
    CHECK(people.err == programs.err);
    for (const json& device : all.at("devices")) {
        check_device(device);
        const std::string number = std::to_string(device.at("number").get<int>());
        const std::string heading =
            "\ndevice " + number + ": " + device.at("name").get<std::string>() + "\n";
        CHECK(people.out.find(heading) != std::string::npos);
    }
    const auto usable = [](const json& device) { return device.at("usable").get<bool>(); };
    if (std::any_of(all["devices"].begin(), all["devices"].end(), usable)) {
        CHECK(people.exit_status == 0);
        CHECK(people.err == "");
        CHECK(all.at("problem").is_null());
    } else {
        check_sentence(people, all.at("problem").get<std::string>());
    }
    CHECK(people.out.empty() == all["devices"].empty());
}

#if defined(DDLA_FAKE_DRIVER)

namespace {

/// `ddla OPTIONS...` with the libcuda.so.1 of a folder and these settings of the environment.
result run_with_driver(const std::string& folder, const arguments& settings,
                       const arguments& options)
{
    const char* const others = std::getenv("LD_LIBRARY_PATH");
    arguments all{"-u", "CUDA_VISIBLE_DEVICES",
                  "LD_LIBRARY_PATH=" + folder + (others ? std::string(":") + others : "")};
    all.insert(all.end(), settings.begin(), settings.end());
    all.push_back(DDLA_COMMAND);
    all.insert(all.end(), options.begin(), options.end());
    return run_program("env", all);
}

/// The sentence, from every command that a device could serve; "auto" is served by the host.  With
/// the call and the status of the runtime, unless there is no device at all.
void check_driver(const std::string& folder, const arguments& settings, const std::string& sentence,
                  const std::string& status = "")
{
    const std::string file = std::string(DDLA_EXAMPLES) + "/494_bus.mtx";
    const result list = run_with_driver(folder, settings, {"devices"});
    const std::string call = status.empty() ? "\n" : " (cudaGetDeviceCount at src/device/";
    check_sentence(list, sentence + call);
    CHECK(list.out == "");
    if (!status.empty()) CHECK(list.err.find(": " + status + ")\n") != std::string::npos);

    const result as_json = run_with_driver(folder, settings, {"devices", "--json"});
    CHECK(as_json.err == list.err);
    CHECK(json::parse(as_json.out).at("problem").get<std::string>().rfind(sentence, 0) == 0);
    CHECK(json::parse(as_json.out).at("devices").empty());

    const result solve = run_with_driver(folder, settings, {"solve", file, "--place", "device"});
    check_sentence(solve, sentence + call);
    CHECK(solve.out == "");

    const result by_itself = run_with_driver(folder, settings, {"solve", file, "--verbose"});
    CHECK(by_itself.exit_status == 0);
    CHECK(by_itself.err == "");
    CHECK(by_itself.out.find("  host, ") != std::string::npos);
    if (status.empty())
        for (const char* const word : {"cuda", "CUDA", ".cpp"})
            CHECK(by_itself.out.find(word) == std::string::npos);
}

}  // namespace

TEST_CASE("no driver")
{
    // A file that cannot be loaded hides the driver of a machine that has one.
    const scratch folder;
    const auto own = folder.write("libcuda.so.1", "");
    check_driver(own.substr(0, own.rfind('/')), {},
                 "no NVIDIA driver was found: libcuda.so.1 cannot be loaded");
}

TEST_CASE("a driver that is too old")
{
    check_driver(DDLA_FAKE_DRIVER, {"FAKE_CU_VERSION=11040"},
                 "the NVIDIA driver is too old: it knows CUDA 11.4, and this ddla needs one that "
                 "knows CUDA " DDLA_CUDA_MAJOR);
    const result list =
        run_with_driver(DDLA_FAKE_DRIVER, {"FAKE_CU_VERSION=11040"}, {"devices", "--json"});
    CHECK(json::parse(list.out).at("cuda_driver") == "11.4");
}

TEST_CASE("a driver without a device")
{
    check_driver(DDLA_FAKE_DRIVER, {"FAKE_CU_INIT=100"},
                 "no NVIDIA GPU is visible to this process");
    check_driver(DDLA_FAKE_DRIVER, {"FAKE_CU_INIT=100", "CUDA_VISIBLE_DEVICES=-1"},
                 "no NVIDIA GPU is visible to this process, CUDA_VISIBLE_DEVICES is \"-1\"");
}

TEST_CASE("a driver that cannot start")
{
    check_driver(DDLA_FAKE_DRIVER, {"FAKE_CU_INIT=803"},
                 "libcuda.so.1 and the NVIDIA driver of the system are of different versions",
                 "cudaErrorSystemDriverMismatch");
    check_driver(DDLA_FAKE_DRIVER, {"FAKE_CU_INIT=802"},
                 "the NVIDIA driver is not ready: a service that it needs, such as the fabric "
                 "manager, is not running",
                 "cudaErrorSystemNotReady");
    check_driver(DDLA_FAKE_DRIVER, {"FAKE_CU_INIT=34"},
                 "no NVIDIA driver was found: libcuda.so.1 is a stub for builds");
    check_driver(DDLA_FAKE_DRIVER, {"FAKE_CU_INIT=999"},
                 "the NVIDIA driver failed and gives no reason", "cudaErrorUnknown");
}

TEST_CASE("no driver is taken from the current folder")
{
    const arguments there{
        "-C",         DDLA_FAKE_DRIVER, "-u", "LD_LIBRARY_PATH", "FAKE_CU_INIT=34",
        DDLA_COMMAND, "devices"};
    CHECK(run_program("env", there).err.find("stub") == std::string::npos);
}

#else

TEST_CASE("a build for the host says so")
{
    const result r = run({"devices"});
    check_sentence(r, "this build of ddla computes on the host only\n");
    CHECK(r.out == "");
}

#endif
