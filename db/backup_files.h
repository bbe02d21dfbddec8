/* Inside db/: where backups lie and what their names say. */
#ifndef WD_DB_BACKUP_FILES_H
#define WD_DB_BACKUP_FILES_H

#include <stdint.h>

/* FOLDER/backups/BASE-20260301T101500Z-REASON.db, malloc'd; NULL: out of memory. */
char *backup_name(const char *db_path, int64_t at_ms, const char *reason);
/* Where one is made before it gets its name. malloc'd. */
char *backup_part(const char *db_path);
/* Removes what killed programs left half made, once it is a day old. */
void backup_sweep(const char *db_path, int64_t now_ms);
/* "20260301T101500Z". */
void backup_stamp(char out[17], int64_t at_ms);

/* No more automatic ones in this process. */
void backup_pause(void);

#endif
