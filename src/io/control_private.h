#ifndef HERTZIAN_IO_CONTROL_PRIVATE_H
#define HERTZIAN_IO_CONTROL_PRIVATE_H

#include "hertzian/io/control.h"

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

/** A socket to be, and its address. @return its descriptor, or -1 with `why` filled and `*status` set */
int htz_control_socket(const char* path, struct sockaddr_un* address, htz_status* status, char* why, size_t why_size);

/** Whether the other end of a connection is the same user as this one, or root. */
bool htz_control_trusts(int connection);

/** Let reading and writing end after so many seconds. */
void htz_control_patience(int connection, int seconds);

/** Write all of it. @return whether that could be done */
bool htz_control_write(int connection, const char* bytes, size_t n);

#endif
