/* A scenario's texts as a set of path -> text: read from a folder with every check, or from memory
 * (tests, fuzzers, the copy that an attempt keeps so that its history outlives edits of the pack).
 *
 * In: a folder that somebody else wrote, or texts in memory. Out: texts that were checked, and
 * messages with file, line, column and a caret. Callers: every reader of content, in
 * scenarios/pack, library and drills. First to open: files.c; files_read.c walks a folder,
 * yaml.h is what such texts mostly hold, near.h guesses what was meant. */
#ifndef WD_SCENARIOS_FILES_H
#define WD_SCENARIOS_FILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "kernels/wire/err.h"

#define FILES_MAX 512
#define FILES_LEVELS 8
#define FILE_BYTES_MAX ((size_t)1 << 20)        /* .yaml .md; else see file_most */
#define FILE_EVIDENCE_MAX ((size_t)16 << 20)    /* .json */
#define FILES_BYTES_MAX ((size_t)64 << 20)      /* all together */

/* A file that was listed and not read, as it lay on the disk then. */
struct file_stamp {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec written;
};
struct file {
    char *path;                /* relative to the pack's folder, '/'-separated */
    char *text;                /* NULL: listed, not read yet (files_load) */
    size_t len;                /* 0 until then */
    struct file_stamp stamp;   /* means nothing once it is read */
};
struct files {
    char *root;                /* how messages name the folder; may be "" */
    struct file *file; int n;
    int n_checked;             /* so many from the front have passed files_check */
    int n_passed;              /* what files_read passed over */
    uint64_t seed; /* of what is drawn by lot in it (pack/model.h), below 2^53; 0 at first */
    bool sealed; /* pack.sealed lies in the folder: what is missing here is in it (sealing.h) */
};

/* Reads every .yaml .cu .py .ptx .md .json file below `root` (a pack's folder), at most 1 MiB each
 * (.cu and .py 256 KiB, .ptx 512 KiB, evidence .json 16 MiB), 512 files, 64 MiB together, 8
 * levels. Passed over: hidden names, other endings, texts for people (README.md and its kin),
 * folders named `originals`; of
 * pack.sealed it is noted that it is there. Refused: sealed files beside it, symbolic links,
 * special files, names with control characters, text that is not clean UTF-8 (file:line:col). Files
 * come in the order of their paths. */
int files_read(struct files **out, const char *root, struct err *err);
/* The same, but recorded evidence (path_is_evidence) is listed alone: its names, kinds and sizes
 * are checked, and files_load reads it. */
int files_list(struct files **out, const char *root, struct err *err);
/* Reads a file of the set that was listed, and checks its text; without effect on one that is there
 * already. Refused, by its path: a file that is not the one that was listed, or gone. */
int files_load(struct files *f, const struct file *file, struct err *err);
int files_load_all(struct files *f, struct err *err);
/* A plain file that belongs to no pack (settings), at most `most` bytes, as text with a NUL behind
 * it, malloc'd. NULL with errno: ENOENT when there is none, EINVAL when it is no plain file, EFBIG
 * when it is longer. */
char *file_read_plain(const char *path, size_t most, size_t *len);
struct files *files_new(const char *root);
void files_add(struct files *f, const char *path, const char *text, size_t len);  /* copies */
void files_take(struct files *f, const char *path, char *text,
                size_t len); /* text: malloc'd, a NUL behind it, the set's from now on */
void files_free(struct files *f);
/* NULL if absent. Paths in content are refused by path_ok before they come here. */
const struct file *files_find(const struct files *f, const char *path);
/* The most bytes that a file of this name may have. */
size_t file_most(const char *path);
/* Relative, no "..", no empty or hidden component, no backslash, plain characters. */
int path_ok(const char *path, struct err *err);
/* Has it a folder named `sealed`? Such a file belongs to the half that is not shown. */
bool path_is_sealed(const char *path);
/* Has it a place in the other half: STORY/sealed or STORY/VARIANT/sealed, and there an ending that
 * the format knows? Nothing else is sealed or unsealed. */
bool path_is_hidden_half(const char *path);
/* STORY/VARIANT/sealed/evidence/NAME.json? */
bool path_is_evidence(const char *path);
bool files_any_sealed(const struct files *f);
/* Can any user of this machine read a sealed file where it lies, by the modes of it and of all
 * folders above? False where there is none on disk. */
bool files_sealed_open_to_all(const struct files *f);
/* Has it a place in the half that everybody sees: pack.yaml, STORY/scenario.yaml, and of
 * STORY/VARIANT the suspect, its image (suspect.ptx, suspect.image.yaml), launches.yaml and
 * benchmark.yaml? */
bool path_is_shown(const char *path);
/* What was expected of a file that is neither shown nor sealed, for a message. */
const char *path_stray_wants(const char *path);
/* One of an image's two files, NAME.ptx or NAME.image.yaml? */
bool path_is_of_image(const char *path);
/* Paths, sizes, number, and clean text, of those not checked yet. */
int files_check(struct files *f, struct err *err);
/* Size and clean text of one. */
int file_check(const struct files *f, const struct file *file, struct err *err);

/* {path: text}, of those below prefix that are read. */
json_t *files_to_json(const struct files *f, const char *prefix);
int files_from_json(struct files **out, const json_t *obj, struct err *err);

/* "root/path:line:col: message", the line, a caret. line and col count from 1, col in characters;
 * tabs are shown to stops of 8, long lines are cut around the caret. Returns code. */
int files_fail(const struct files *f, const struct file *file, int line, int col, int code,
               struct err *err, const char *fmt, ...) __attribute__((format(printf, 7, 8)));
/* Start of a 1-based line, its length without the line end in *len; NULL beyond the end. */
const char *file_line(const struct file *f, int line, size_t *len);
/* Line and column (in characters) of a byte. */
void file_place(const struct file *f, size_t byte, int *line, int *col);
/* The same from byte `from`, at or before it, whose own place *line and *col are. */
void file_place_on(const struct file *f, size_t from, size_t byte, int *line, int *col);

/* What is said of a file of another format than those from `first` to `last`: "format 3; this
 * warpdrill (0.1.0) reads formats 1 to 2, so a newer warpdrill is needed". */
void files_format(char *out, size_t size, long long format, int first, int last);

#endif
