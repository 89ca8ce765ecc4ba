#ifndef HERTZIAN_SRC_DSP_FRACTIONAL_H
#define HERTZIAN_SRC_DSP_FRACTIONAL_H

// Between them the table is read along a line: off by (pi/256)^2/2, -82 dB.
enum { FRACTIONAL_PHASES = 128 };

#endif
