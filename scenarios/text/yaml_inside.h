/* What a document is made of; yaml.c builds it, yaml_where.c finds places in it. Nobody else
 * includes this. */
#ifndef WD_SCENARIOS_YAML_INSIDE_H
#define WD_SCENARIOS_YAML_INSIDE_H

#include "scenarios/text/arena.h"
#include "scenarios/text/yaml.h"

struct yaml_doc {
    struct arena arena;
    const struct files *files;
    const struct file *file;
    struct yaml *root;
};

#endif
