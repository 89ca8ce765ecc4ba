#ifndef HERTZIAN_IO_MIDI_IN_PORTMIDI_H
#define HERTZIAN_IO_MIDI_IN_PORTMIDI_H

#include "midi_in_alsa.h"
#include "midi_in_private.h"

#if defined(HTZ_HAVE_PORTMIDI)

#include <portmidi.h>

#define HTZ_PM_FUNCTIONS(F)                                                                                                    \
  F(Pm_Initialize)                                                                                                             \
  F(Pm_Terminate)                                                                                                              \
  F(Pm_CountDevices)                                                                                                           \
  F(Pm_GetDeviceInfo)                                                                                                          \
  F(Pm_OpenInput)                                                                                                              \
  F(Pm_SetFilter)                                                                                                              \
  F(Pm_Close)                                                                                                                  \
  F(Pm_Read)

typedef struct {
#define HTZ_PM_MEMBER(name) __typeof__(name)* name;
  HTZ_PM_FUNCTIONS(HTZ_PM_MEMBER)
#undef HTZ_PM_MEMBER
} htz_pm;

/** Load PortMidi; quiet unless `verbose`. @return whether it is there */
bool htz_pm_load(htz_pm* pm, bool verbose);

/** An input as PortMidi has it, with its ALSA address where that is known (else -1). */
typedef struct {
  PmDeviceID id;
  htz_alsa_port at;
} htz_pm_port;

/** List the inputs of an initialised PortMidi. `alsa` may be NULL. @return how many */
size_t htz_pm_ports(const htz_pm* pm, htz_alsa* alsa, htz_pm_port* out, size_t max);

/** Turns PortMidi's events of one source back into bytes. */
typedef struct {
  bool in_sysex;
} htz_pm_bytes;

/** @param bytes  [4] receives them. @return how many, 0..4 */
size_t htz_pm_bytes_of(htz_pm_bytes* state, PmMessage message, uint8_t bytes[4]);

/** When an event arrived [s], from PortMidi's stamp [ms, wrapping] if that is within what a poll can have missed, else now. */
double htz_pm_time(PmTimestamp stamp, PmTimestamp now_ms, double now_s);

#endif

#endif
