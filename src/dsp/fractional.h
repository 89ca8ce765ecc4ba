#ifndef HERTZIAN_SRC_DSP_FRACTIONAL_H
#define HERTZIAN_SRC_DSP_FRACTIONAL_H

// Between them the table is read along a line: off by (pi/512)^2/2, -94 dB.
enum { FRACTIONAL_PHASES = 256 };

#endif
