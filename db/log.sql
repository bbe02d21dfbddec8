-- The log: one module writes it (db/log.c); one INSERT is one user event is one transaction.
-- The log is the truth. It is migrated, never rebuilt: this file is step 1 and is never edited;
-- a later shape is a new file, named in the list of steps in db/store.c.
CREATE TABLE event(
  seq      INTEGER PRIMARY KEY AUTOINCREMENT,   -- the order of things; never used twice
  uid      TEXT    NOT NULL UNIQUE CHECK(length(uid) = 32),  -- random, made by who acts: a retry inserts nothing
  stream   TEXT    NOT NULL,                    -- 'attempt:UID' | 'item:ID' | 'session:ID' | 'settings'
  kind     TEXT    NOT NULL,                    -- started, bought, believed, estimated, committed, ...
  version  INTEGER NOT NULL DEFAULT 1,          -- shape of body; old shapes are read for ever, never rewritten
  at_ms    INTEGER NOT NULL,                    -- UTC
  day      INTEGER NOT NULL,                    -- local study day since 1970-01-01, 04:00 rollover, fixed when it happened
  actor    TEXT    NOT NULL DEFAULT 'self'      CHECK(actor IN ('self','host','candidate','observer','program')),
  audience TEXT    NOT NULL DEFAULT 'all'       CHECK(audience IN ('all','host')),
  body     TEXT    NOT NULL                     -- JSON object, checked by the writer: with trusted_schema=OFF
) STRICT;                                       -- SQLite 3.40 refuses json_valid() in a CHECK
CREATE INDEX event_stream ON event(stream, seq);

-- What a body refers to by hash: evidence that was shown, the texts a debrief needs. So history
-- and replay work after the pack was edited or removed.
CREATE TABLE blob(
  sha256 TEXT PRIMARY KEY CHECK(length(sha256) = 64),
  body   BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE event_blob(
  seq    INTEGER NOT NULL REFERENCES event(seq) ON DELETE CASCADE,
  sha256 TEXT    NOT NULL REFERENCES blob(sha256),
  PRIMARY KEY(seq, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_blob_sha256 ON event_blob(sha256);

-- Append-only, except for one deliberate act: "delete this for good".
CREATE TABLE erasing(stream TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER event_is_fixed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER event_is_kept BEFORE DELETE ON event
WHEN NOT EXISTS (SELECT 1 FROM erasing WHERE stream = OLD.stream)
BEGIN SELECT RAISE(ABORT, 'an event is kept'); END;
