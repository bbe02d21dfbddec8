/* The place where the database lies: its folder, its kind of file system, the state of its bytes.
 * No SQLite here, only the file system. */
#ifndef WD_DB_PLACE_H
#define WD_DB_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the folders above `path` (mode 0700) and the file (mode 0600) where they are missing.
 * Returns 0, or an errno with the path that could not be made in `where`. */
int place_prepare(const char *path, char *where, size_t n);

/* A plain file, or a link to one: no folder, device, pipe or nothing. */
bool place_is_file(const char *path);

/* Does the file lie on a file system that other hosts share? There SQLite's shared memory does not
 * work. False if the system does not say. */
bool place_is_network(const char *path);

/* The same decision for one of Linux's file system magic numbers. */
bool place_is_network_type(unsigned long type);

/* Bytes on the disk of the database at `path`: the file, and what was written last, which lies in
 * its WAL until SQLite moves it. 0: there is none. */
int64_t place_size(const char *path);

/* Makes the entry of `path` in its folder durable. Best effort. */
void place_sync_folder(const char *path);

/* One clause on a file that SQLite refuses, such as "it ends after 4096 of 81920 bytes". */
void place_describe_damage(const char *path, char *out, size_t n);

#endif
