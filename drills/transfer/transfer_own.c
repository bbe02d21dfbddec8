/* What writing and reading progress share: refusals, bodies of events, rows and files. */
#include "drills/transfer/transfer_own.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drills/question/rows.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

int transfer_store_error(struct store *store, int rc, struct err *err)
{
    return err_set(err, rc == STORE_BUSY ? ERR_BUSY : ERR_IO, "%s", store_message(store));
}

json_t *transfer_body(const struct store_event *e)
{
    json_t *body = json_loads(e->body, 0, NULL);
    if (!json_is_object(body)) {
        char *clean = text_dup(e->body);
        text_clean(clean, strlen(clean));
        json_decref(body);
        body = json_loads(clean, 0, NULL);
        free(clean);
    }
    if (json_is_object(body))
        return body;
    json_decref(body);
    return NULL;
}

/* ---- rows and files ---- */

void transfer_write_row(FILE *f, const char *const *cells, int n)
{
    for (int i = 0; i < n; i++) {
        if (i)
            fputc(',', f);
        rows_write_cell(f, cells[i]);
    }
    fputs("\r\n", f);
}

FILE *transfer_create(const char *folder, const char *name, struct err *err)
{
    char *path = folder ? NULL : text_dup(name);
    if (folder && path_below(&path, folder, PATH_NAMES(name), err))
        return NULL;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f)
        err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    if (!f && fd >= 0)
        close(fd);
    free(path);
    return f;
}

int transfer_close(FILE *f, const char *folder, const char *name, struct err *err)
{
    bool bad = ferror(f) || fflush(f) != 0 || fsync(fileno(f)) != 0;
    int why = errno;
    if (fclose(f) != 0 && !bad) {
        bad = true;
        why = errno;
    }
    if (!bad)
        return 0;
    return err_set(err, ERR_IO, "%s%s%s cannot be written: %s", folder ? folder : "",
                   folder ? "/" : "", name, strerror(why));
}
