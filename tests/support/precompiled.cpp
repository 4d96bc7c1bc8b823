// Stands for the target whose precompiled headers all test programs take.  ddla_test_main has its
// main.
