// The one main of the test programs: Catch2 2 writes it, for Catch2 3 it stands here.
#define CATCH_CONFIG_MAIN
#include "catch.hpp"

#if defined(DDLA_CATCH2_V3)
int main(int argc, char** argv)
{
    return Catch::Session().run(argc, argv);
}
#endif
