// The one main of the test programs that need nothing special.
#include "support/run_tests.hpp"

int main(int argc, char** argv)
{
    return test::run_tests(argc, argv);
}
