#include "scenarios/library/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/text/files.h"
#include "scenarios/text/yaml.h"

enum { PACKS_MOST = 64, PATH_MOST = 1000 };

enum { CONFIG_K_PACKS, CONFIG_KEYS };
static const struct yaml_key keys[CONFIG_KEYS] = {[CONFIG_K_PACKS] = {"packs", false}};
static const struct yaml_shape shape = {"config.yaml", keys, CONFIG_KEYS};

char *config_path(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && *config == '/')
        return text_format("%s/warpdrill/config.yaml", config);
    return text_format("%s/.config/warpdrill/config.yaml", home && *home ? home : ".");
}

/* Settings hold wherever the program is started, so a folder is named from the root or from home.
 */
static int read_folder(struct config *out, const struct yaml *y, struct err *err)
{
    const char *home = getenv("HOME");
    int rc = yaml_string(y, PATH_MOST, false, "a folder", err);
    if (rc)
        return rc;
    bool in_home = !strncmp(y->text, "~/", 2) || !strcmp(y->text, "~");
    if (!in_home && *y->text != '/')
        return yaml_fail(y, ERR_BAD_REQUEST, err,
                         "'%s'; a folder that begins with / or ~/ was expected", y->text);
    if (in_home && !(home && *home))
        return yaml_fail(y, ERR_BAD_REQUEST, err,
                         "'%s', but $HOME is not set; a folder that begins with / was expected",
                         y->text);
    out->packs[out->n_packs++] =
        in_home ? text_format("%s%s", home, y->text + 1) : text_dup(y->text);
    return 0;
}

static int read_settings(struct config *out, const struct yaml *root, struct err *err)
{
    const struct yaml *k[CONFIG_KEYS];
    int rc = yaml_keys(root, &shape, k, err);
    if (rc || !k[CONFIG_K_PACKS])
        return rc;
    rc = yaml_is_list(k[CONFIG_K_PACKS], 0, PACKS_MOST, "a list of folders", err);
    if (rc)
        return rc;
    out->packs = mem_new((size_t)k[CONFIG_K_PACKS]->n + 1, sizeof *out->packs);
    for (const struct yaml *y = k[CONFIG_K_PACKS]->first; !rc && y; y = y->next)
        rc = read_folder(out, y, err);
    return rc;
}

static int read_text(struct config *out, const char *path, const char *text, size_t len,
                     struct err *err)
{
    const char *slash = strrchr(path, '/');
    char *folder = text_ndup(path, (size_t)(slash - path));
    struct files *files = files_new(folder);
    struct yaml_doc *doc = NULL;
    files_add(files, slash + 1, text, len);
    int rc = files_check(files, err);
    if (!rc)
        rc = yaml_doc_read(&doc, files, &files->file[0], err);
    if (!rc)
        rc = read_settings(out, yaml_doc_root(doc), err);
    yaml_doc_free(doc);
    files_free(files);
    free(folder);
    return rc;
}

/* A file of blanks and comments alone says as much as none. */
static bool says_nothing(const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char first = line[strspn(line, " \t\r")];
        if (first && first != '#' && first != '\n')
            return false;
    }
    return true;
}

int config_read(struct config *out, struct err *err)
{
    char *path = config_path();
    size_t len = 0;
    char *text = file_read_plain(path, FILE_BYTES_MAX, &len);
    int rc = 0;
    *out = (struct config){.n_packs = 0};
    if (!text && errno != ENOENT && errno != ENOTDIR)
        rc = err_set(err, ERR_IO, "cannot read %s: %s", path, path_why(errno));
    else if (text && (strlen(text) != len || !says_nothing(text)))
        rc = read_text(out, path, text, len, err);
    if (rc)
        config_free(out);
    free(text);
    free(path);
    return rc;
}

void config_free(struct config *c)
{
    for (int i = 0; i < c->n_packs; i++)
        free(c->packs[i]);
    free(c->packs);
    *c = (struct config){.n_packs = 0};
}
