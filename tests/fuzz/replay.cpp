// The main of a fuzzer without libFuzzer: runs it on files, for any compiler.
//
//     decimal_replay tests/fuzz/corpus/decimal    # files, and folders of files
//
// Exit status 0: all of them passed.  A violation aborts, as it does under libFuzzer.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(int argc, char** argv)
{
    std::vector<fs::path> files;
    for (int i = 1; i < argc; ++i) {
        const fs::path given = fs::absolute(argv[i]);
        if (!fs::is_directory(given))
            files.push_back(given);
        else
            for (const auto& entry : fs::directory_iterator(given)) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

bool run_on(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    // Of the very size: AddressSanitizer sees a byte read behind the end.
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in),
                                  std::istreambuf_iterator<char>()};
    if (!in) {
        std::fprintf(stderr, "%s: cannot be read\n", file.c_str());
        return false;
    }
    std::fprintf(stderr, "%s\n", file.c_str());  // the last one is to blame for an abort
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return true;
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<fs::path> files = files_of(argc, argv);
    if (files.empty()) {
        std::fprintf(stderr, "no files to replay\n");
        return 1;
    }
    const bool all_read = std::all_of(files.begin(), files.end(), run_on);
    std::printf("test cases counted: %zu passed, 0 failed, 0 skipped\n", files.size());
    return all_read ? 0 : 1;
}
