#ifndef HERTZIAN_IO_OSC_H
#define HERTZIAN_IO_OSC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
   Open Sound Control 1.0: packets to messages. Arguments of all number types become doubles; blobs, arrays and what else there is are
   passed over. Nothing is copied: strings point into the packet.
*/

enum { HTZ_OSC_ARGS = 16, HTZ_OSC_DEPTH = 4 };

typedef struct {
  char type;        ///< 's' a string; 'm' MIDI; 'n' a number; '-' anything else
  const char* text; ///< of 's'
  double number;    ///< of 'n'
  uint8_t midi[4];  ///< of 'm': port, status and two bytes of data
} htz_osc_arg;

typedef struct {
  const char* address; ///< begins with a slash
  size_t n;
  htz_osc_arg arg[HTZ_OSC_ARGS];
} htz_osc_message;

typedef void (*htz_osc_hear)(void* context, const htz_osc_message* message);

/**
   Hear every message of a packet [size], bundles' in their order: when they are meant for is not looked at.

   @return false when it is no packet of OSC; what came before the fault was heard
*/
bool htz_osc_read(const uint8_t* packet, size_t size, htz_osc_hear hear, void* context);

#endif
