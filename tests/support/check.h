#ifndef HTZ_TEST_CHECK_H
#define HTZ_TEST_CHECK_H

// What cmocka.h wants before itself, in this order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** Fail unless |actual - expected| <= tolerance |expected|; `tolerance` is relative. NaN fails. */
#define check_close(actual, expected, tolerance) htz_check_close((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

/** Fail unless |actual - expected| <= tolerance; `tolerance` has the unit of the values. NaN fails. */
#define check_near(actual, expected, tolerance) htz_check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

/** Fail unless value < bound. NaN fails. */
#define check_below(value, bound) htz_check_below((value), (bound), #value, __FILE__, __LINE__)

/** Fail unless value > bound. NaN fails. */
#define check_above(value, bound) htz_check_above((value), (bound), #value, __FILE__, __LINE__)

/** An interval in cents as a relative tolerance for check_close(): 2^(cents/1200) - 1. */
double cents(double interval);

void htz_check_close(double actual, double expected, double tolerance, const char* what, const char* file, int line);
void htz_check_near(double actual, double expected, double tolerance, const char* what, const char* file, int line);
void htz_check_below(double value, double bound, const char* what, const char* file, int line);
void htz_check_above(double value, double bound, const char* what, const char* file, int line);

#endif
