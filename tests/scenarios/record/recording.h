/* One variant recorded from beginning to end, for tests that need the file. */
#ifndef WD_TESTS_RECORDING_H
#define WD_TESTS_RECORDING_H

#include <stdlib.h>
#include <sys/stat.h>

#include "kernels/wire/text.h"
#include "scenarios/record/record.h"
#include "tests/unit.h"

/* A file of a pack below a folder, with the folders above it. */
static inline void write_file(const char *root, const struct file *f)
{
    char *path = text_format("%s/%s", root, f->path);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(f->text, 1, f->len, out), f->len);
    fclose(out);
    free(path);
}

/* *path is malloc'd. Everything is measured, whatever is there; a failed item is a failure. */
static inline int record_whole(char **path, struct client *c, const struct variant *v,
                               const struct msg_device *device, struct err *err)
{
    struct record_options options = {.again = true};
    struct record *r = NULL;
    char *failed = NULL;
    int64_t id = client_describe(c, "none", err); /* the plan signs with what the hello said */
    int rc = id < 0 ? (int)id : client_wait(c, id, NULL, NULL, err);
    if (rc == 0)
        rc = record_plan(&r, v, device, c, &options, err);
    if (rc == 0)
        rc = record_measure(r, device, &failed, err);
    if (rc == 0 && failed)
        rc = err_set(err, ERR_MISSING, "%s", failed);
    if (rc == 0)
        rc = record_keep(r, err);
    *path = rc ? NULL : text_dup(record_path(r));
    record_free(r);
    free(failed);
    return rc;
}

#endif
