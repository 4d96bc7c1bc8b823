// Calls in the order of a stream, on memory that the caller owns: only the last one waits.
#include <ddla/ddla.hpp>

#include <iostream>

int main()
{
    using ddla::dd_real;
    const ddla::place at = ddla::devices().empty() ? ddla::host : ddla::device(0);
    ddla::stream on(at);  // CUDA's default stream; on(at, s) for a cudaStream_t s

    // These stand for memory of your own at that place, from cudaMalloc say.
    const ddla::vector<dd_real> a(1000, dd_real(1) / 3, at);
    ddla::vector<dd_real> b(1000, dd_real(2), at);
    const ddla::buffer number(sizeof(dd_real), at);

    const ddla::vec<const dd_real> x = a.view();  // or {high words, low words, how many}
    const ddla::vec<dd_real> y = b.view();
    auto* const sum = static_cast<dd_real*>(number.data());
    ddla::dot(on, x, y, sum);                // left there; returns at once
    ddla::axpy(on, sum, x, y);               // y = sum x + y, sum as dot will leave it
    const dd_real norm = ddla::nrm2(on, y);  // waits for the answer
    std::cout << "||y|| = " << ddla::to_string(norm) << " at " << to_string(at) << "\n";
}
