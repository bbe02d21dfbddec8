/* Copies of the store, so that a bad disk or a bad day costs at most that day: made, verified,
 * thinned, listed, and put back.
 *
 * They lie in the folder `backups` beside the database, one plain file each, named
 * BASE-20260301T101500Z-REASON.db (UTC). A copy is finished, checked and on the disk before it gets
 * that name, so what has it is whole. */
#ifndef WD_DB_BACKUP_H
#define WD_DB_BACKUP_H

#include "db/store.h"

struct backup_entry {
    char *path;
    int64_t at_ms;              /* UTC, from its name */
    int64_t size;               /* bytes */
    int64_t events, last;       /* how many, and the seq of the newest; 0 when it is not good */
    bool more;                  /* more than `events`, which a listing counts to 10,000 */
    char reason[24];            /* "daily", "by-hand", "before-import", "before-restore" */
    bool good; /* opens, is ours, not from a newer program, as long as it says; backup_restore reads
                  all of it */
    char why[160];              /* when not good: why, as a clause */
};

/* Copies the store in one step, reads the copy back in full, gives it its name, then thins the
 * older ones. `reason`: a-z, 0-9 and -, less than 24. *path (may be NULL) is malloc'd. A failure
 * leaves no file, and the store as it was; the message is the store's. Not between
 * store_rebuild_begin and _end. */
int backup_make(struct store *s, const char *reason, char **path);
int backup_make_at(struct store *s, const char *reason, int64_t now_ms, char **path);

/* The same copy, verified, as a file of that name, which must not exist yet, in a folder that must.
 * Nothing is thinned. */
int backup_make_as(struct store *s, const char *path);

/* A "daily" one when the newest good one is older than a day and the log is not the same any more.
 * 1: made, 0: not due, else a code. Never after backup_restore in the same process: whoever
 * restored the wrong one shall find the others. */
int backup_if_due(struct store *s, int64_t now_ms);

/* Newest first. No folder: none. *out is backup_list_free's. */
int backup_list(const char *db_path, struct backup_entry **out, int *n);
void backup_list_free(struct backup_entry *entries, int n);

/* What the caller asks of a backup before it is taken. `copy` is the backup in memory, as the
 * program would have it open; it may be read and rebuilt. STORE_OK; else a code, and a clause in
 * `why`. */
typedef int backup_judge(struct store *copy, char *why, size_t n);

/* Puts `backup` (any file of ours) in the place of the database, after reading all of it: its
 * objects are ours and no others, its pages, rows and indexes hold, and `judge` takes what it says.
 * The caller has closed its own store. STORE_OK: *kept is where the former file is now
 * (DB.before-restore-DATE), NULL when there was none. Else *kept is the message: STORE_BUSY:
 * another program has the database open; STORE_NEWER, STORE_DAMAGED: the backup is not to be used;
 * nothing changed. A kill leaves either the former or the restored database. *kept is malloc'd. */
int backup_restore(const char *db_path, const char *backup, backup_judge *judge, char **kept);

/* Which of `n` copies stay, given the study days of their making, newest first: all of today, then
 * the newest of each of 12 days, of 10 weeks and of 9 months. Pure. */
void backup_thin(const int *days, int n, int today, bool *keep);

#endif
