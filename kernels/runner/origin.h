/* Which card of which machine this is, without naming either: so that evidence of two is never
 * mixed or overwritten unseen. */
#ifndef WD_RUNNER_ORIGIN_H
#define WD_RUNNER_ORIGIN_H

/* 16 hex digits of a keyed SHA-256 over the machine's id and the card's. Either may be "": many
 * containers have no machine id, or share their image's; some virtual cards have no id. */
void origin_make(char out[17], const char *machine, const char *card);

/* The same with this machine's id: /etc/machine-id, else, where the card has none either, the
 * host's name. */
void origin_here(char out[17], const char *card);

#endif
