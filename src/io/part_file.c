#include "hertzian/io/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char part_ending[] = ".part";
static const char busy_text[] = "another program is writing it";
static const char unknown_text[] = "its .part is there: another program is writing it, or left it; delete it then";
static const char odd_text[] = "its .part is in the way and is no regular file";
static const char remove_text[] = "its .part is in the way and cannot be removed";
static const char taken_text[] = "its .part was removed or replaced meanwhile";

// Put where the link at `target` points in its place: as it is, or from the link's own folder.
static bool follow(char target[HTZ_SOUND_PATH_MAX]) {
  char behind[HTZ_SOUND_PATH_MAX];
  const ssize_t length = readlink(target, behind, sizeof behind - 1);
  if (length < 0) {
    return false;
  }
  behind[length] = '\0';
  char* slash = strrchr(target, '/');
  char* name = behind[0] == '/' || !slash ? target : slash + 1;
  if ((size_t)(name - target) + (size_t)length >= HTZ_SOUND_PATH_MAX) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(name, behind, (size_t)length + 1);
  return true;
}

/*
   A symbolic link keeps pointing where it did: it is the file behind it that is written, as a shell's redirection would.
*/
htz_status htz_sound_target(const char* path, char target[HTZ_SOUND_PATH_MAX]) {
  enum { LINKS_MAX = 40 }; // as many as the kernel follows
  const size_t length = strlen(path);
  struct stat info;
  if (length >= HTZ_SOUND_PATH_MAX) {
    errno = ENAMETOOLONG;
    return HTZ_BAD_VALUE;
  }
  memcpy(target, path, length + 1);
  for (int links = 0; lstat(target, &info) == 0 && S_ISLNK(info.st_mode); links++) {
    if (links == LINKS_MAX) {
      errno = ELOOP;
      return HTZ_BAD_VALUE;
    }
    if (!follow(target)) {
      return HTZ_BAD_VALUE;
    }
  }
  return HTZ_OK;
}

// An existing thing that is not a regular file, a folder excepted, which fails by itself when opened.
static bool is_special(const char* path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

htz_status htz_sound_part_name(const char* path, char part[HTZ_SOUND_PATH_MAX]) {
  part[0] = '\0';
  if (strcmp(path, "-") == 0 || is_special(path)) {
    return HTZ_OK;
  }
  if (htz_sound_target(path, part)) {
    part[0] = '\0';
    return HTZ_BAD_VALUE;
  }
  const size_t length = strlen(part);
  if (length + sizeof part_ending > HTZ_SOUND_PATH_MAX) {
    part[0] = '\0';
    errno = ENAMETOOLONG;
    return HTZ_BAD_VALUE;
  }
  memcpy(part + length, part_ending, sizeof part_ending);
  return HTZ_OK;
}

typedef enum { LOCKED, HELD, CANNOT } lock_result;

static lock_result lock(int fd) {
  int failed = 0;
  do {
    failed = flock(fd, LOCK_EX | LOCK_NB);
  } while (failed && errno == EINTR);
  return !failed ? LOCKED : errno == EWOULDBLOCK ? HELD : CANNOT;
}

static bool still_named(int fd, const char* name) {
  struct stat open_one, named;
  return fstat(fd, &open_one) == 0 && lstat(name, &named) == 0 && open_one.st_dev == named.st_dev &&
         open_one.st_ino == named.st_ino;
}

static int refuse(int error, const char* text, const char** why) {
  *why = text;
  return error;
}

/*
   Remove what is under the part's name if nobody writes it. Only the name goes: a file that has other names, too, is not changed.
   @return 0, or an errno
*/
static int clear_away(const char* name, const char** why) {
  struct stat info;
  if (lstat(name, &info) != 0) {
    return errno == ENOENT ? 0 : errno;
  }
  if (!S_ISREG(info.st_mode)) {
    return refuse(EEXIST, odd_text, why); // a symbolic link, too: to remove it without a lock could hit another's new file
  }
  // For writing, since some network file systems lock nothing else.
  const int fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    return errno == ENOENT || errno == ELOOP ? 0 : refuse(errno, errno == EMFILE || errno == ENFILE ? NULL : remove_text, why);
  }
  const lock_result result = lock(fd);
  int error = result == LOCKED ? 0 : result == HELD ? refuse(EBUSY, busy_text, why) : refuse(EEXIST, unknown_text, why);
  // Whoever removes it holds its lock, so that between this look and the removal nobody else puts another in its place.
  if (!error && still_named(fd, name) && unlink(name) != 0 && errno != ENOENT) {
    error = refuse(errno, remove_text, why);
  }
  close(fd);
  return error;
}

static int open_new(htz_part_file* part, const char** why) {
  enum { TRIES = 100 }; // others that find the new file before it is locked take it for one left over, and remove it
  for (int i = 0; i < TRIES; i++) {
    const int fd = open(part->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0 && errno != EEXIST) {
      return errno;
    }
    if (fd < 0) {
      const int error = clear_away(part->name, why);
      if (error) {
        return error;
      }
      continue;
    }
    // Where nothing can be locked, that it did not exist has to do.
    if (lock(fd) != HELD && still_named(fd, part->name)) {
      part->fd = fd;
      return 0;
    }
    close(fd);
  }
  return refuse(EBUSY, busy_text, why);
}

int htz_part_open(htz_part_file* part, const char* path, bool no_clobber, const char** why) {
  *why = NULL;
  part->fd = -1;
  part->target[0] = '\0';
  int error = htz_sound_target(path, part->target) || htz_sound_part_name(path, part->name) ? errno : 0;
  struct stat info;
  const bool exists = !error && stat(part->target, &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    error = EISDIR;
  } else if (exists && no_clobber) {
    error = EEXIST;
  } else if (exists && access(part->target, W_OK) != 0) {
    error = errno; // a rename would get past a write protection that was meant
  }
  error = error ? error : open_new(part, why);
  if (error) {
    part->name[0] = '\0';
  }
  return error;
}

// As link() does where the file system has it: replaces nothing that appeared meanwhile.
static int take_free_place(const htz_part_file* part) {
  if (link(part->name, part->target) == 0) {
    unlink(part->name);
    return 0;
  }
  if (errno == EEXIST) {
    return EEXIST;
  }
  // An empty file holds the place, which again only one can make.
  const int fd = open(part->target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) {
    return errno;
  }
  close(fd);
  if (rename(part->name, part->target) != 0) {
    const int error = errno;
    unlink(part->target);
    return error;
  }
  return 0;
}

int htz_part_take_place(htz_part_file* part, bool no_clobber, const char** why) {
  int error = 0;
  *why = NULL;
  if (!still_named(part->fd, part->name)) {
    error = refuse(EIO, taken_text, why);
    part->name[0] = '\0'; // what is there now is another's
  } else if (no_clobber) {
    error = take_free_place(part);
  } else if (rename(part->name, part->target) != 0) {
    error = errno;
  }
  if (!error) {
    part->name[0] = '\0';
  }
  return error;
}

void htz_part_drop(htz_part_file* part) {
  if (part->name[0] && still_named(part->fd, part->name)) {
    unlink(part->name);
  }
  part->name[0] = '\0';
}
