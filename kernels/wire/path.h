/* Files and folders that somebody else may have named or made: the one way from a name that came
 * from outside to a path, from a path to an open file, and the look at a folder before what lies in
 * it is believed. */
#ifndef WD_WIRE_PATH_H
#define WD_WIRE_PATH_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "kernels/wire/err.h"

enum { PATH_NAME_MOST = 200 /* bytes; endings of temporary files fit behind it */ };

/* Why this text cannot name a file in a folder, as words that follow it: "is empty", "begins with a
 * dot". NULL: it can. A name is clean UTF-8 of one line, of 1 to PATH_NAME_MOST bytes, without '/'
 * and '\', and does not begin with a dot. */
const char *path_name_fault(const char *name);

/* folder/NAME/NAME, malloc'd. ERR_BAD_REQUEST for what is no name; ERR_PERMISSION where one of the
 * folders below `folder` is a symbolic link. The last name is not looked at: the caller that opens
 * it says what it may be. *out is NULL after a failure. */
#define PATH_NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
int path_below(char **out, const char *folder, const char *const *names, struct err *err);
/* The same of a relative path, each of whose parts is a name. */
int path_inside(char **out, const char *folder, const char *path, struct err *err);

/* All n bytes, whatever interrupts; false with errno. */
bool path_write(int fd, const char *text, size_t n);

/* A plain file for reading; a pipe or a device is refused and never waited for. ERR_IO, with errno
 * too (EINVAL: no plain file). The descriptor, or a code. */
int path_open(const char *path, struct err *err);
/* Words for the errno that it left: strerror's, where they are better than "Invalid argument". */
const char *path_why(int why);
/* The same as a stream; 0 or a code. */
int path_open_stream(FILE **out, const char *path, struct err *err);

/* Why this folder cannot be trusted, as words that follow it; NULL: it is no link, belongs to
 * `owner`, and nobody else may write to it. Private: nor look into it. errno is ENOENT where there
 * is none. */
const char *path_folder_fault(const char *folder, uid_t owner, bool is_private);
/* ERR_PERMISSION for a folder of state in which somebody else may have put what is there: it is
 * this user's own, or, to read, whoever's, but theirs alone. One that is not there yet is no fault.
 */
enum path_use { PATH_TO_READ, PATH_TO_WRITE };
int path_trust_folder(const char *folder, enum path_use use, struct err *err);

/* "name" with '?' for whatever would not stay on its line; malloc'd. */
char *path_shown(const char *name);

#endif
