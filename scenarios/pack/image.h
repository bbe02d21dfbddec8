/* The files of an image: what runs in the place of a text, and where it comes from. They lie beside
 * the text: suspect.py, suspect.image.yaml, suspect.ptx. */
#ifndef WD_SCENARIOS_IMAGE_H
#define WD_SCENARIOS_IMAGE_H

#include "scenarios/text/files.h"

/* Both NULL: the text is compiled. */
struct image_files { const struct file *about, *ptx; };

/* Of a source in a set of files; borrowed from it. A file of another kind has none. */
void image_find(struct image_files *out, const struct files *files, const struct file *source);
/* The other way: the text beside a file of an image (path_is_of_image); NULL when there is none. */
const struct file *image_text(const struct files *files, const struct file *part);

#endif
