/* The examples of kernels/PROTOCOL.md, for tests that change one in one place. */
#include "kernels/wire/frame.h"
#include "tests/unit.h"

/* Example `which` of a type, from 0; NULL where there are fewer. */
static json_t *example(const char *type, int which)
{
    FILE *f = fopen("kernels/PROTOCOL.md", "r");
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    json_t *found = NULL;
    assert_non_null(f);
    while (!found && (n = getline(&line, &cap, f)) > 0) {
        json_t *msg = NULL;
        if (line[0] != '{')
            continue;
        assert_int_equal(frame_parse(&msg, line, (size_t)n, NULL), 0);
        const char *is = json_string_value(json_object_get(msg, "type"));
        if (!strcmp(is, type) && which-- == 0)
            found = msg;
        else
            json_decref(msg);
    }
    free(line);
    fclose(f);
    return found;
}

/* What lies at a path such as "runs.a.0". */
static json_t *at(json_t *root, const char *path)
{
    char copy[128], *save = NULL;
    snprintf(copy, sizeof copy, "%s", path);
    for (char *word = strtok_r(copy, ".", &save); word; word = strtok_r(NULL, ".", &save))
        root = json_is_array(root) ? json_array_get(root, (size_t)atoi(word))
                                   : json_object_get(root, word);
    assert_non_null(root);
    return root;
}
