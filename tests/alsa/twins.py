#!/usr/bin/env python3
"""Clients of the ALSA sequencer with a port each that are all called the same: twins.py HOW_MANY. They stay until killed."""

import ctypes
import sys
import time

READ, SUBS_READ = 1 << 0, 1 << 5  # snd_seq_port capabilities
MIDI_GENERIC, APPLICATION = 1 << 1, 1 << 20
DUPLEX = 3


def main():
    alsa = ctypes.CDLL("libasound.so.2")
    clients = []
    for _ in range(int(sys.argv[1])):
        seq = ctypes.c_void_p()
        if alsa.snd_seq_open(ctypes.byref(seq), b"default", DUPLEX, 0) < 0:
            return 1
        alsa.snd_seq_set_client_name(seq, b"Twin")
        alsa.snd_seq_create_simple_port(seq, b"Twin Keys", READ | SUBS_READ, MIDI_GENERIC | APPLICATION)
        clients.append(seq)
    time.sleep(120)
    return 0


if __name__ == "__main__":
    sys.exit(main())
