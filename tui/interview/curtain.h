/* What a shared terminal shows while the candidate's program does not run: a plain page, whatever
 * that program ended by. */
#ifndef WD_TUI_CURTAIN_H
#define WD_TUI_CURTAIN_H

/* `code` in form, `name` "": asked for. Shows the page; Enter runs join in a process of its own,
 * after which the page stands again with what is to be said. Ctrl-D, or a terminal that goes, ends
 * it. What the terminal showed before is wiped. Returns an exit status. */
int curtain_run(const char *code, const char *name);

#endif
