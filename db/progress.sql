-- The projections: what the log says, in the shape that screens ask for. Written in the event's own
-- transaction; dropped and rebuilt from the log when projection.version is not the program's or
-- projection.seq lags behind the log. Whoever edits this file raises PROJECTION_VERSION (db/store.h).
-- Only the table `projection` stays as it is for ever, text and all: it tells which version the rest is.
CREATE TABLE projection(
  name    TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  seq     INTEGER NOT NULL                      -- the newest event that the rows below have seen
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt(
  uid         TEXT PRIMARY KEY CHECK(length(uid) = 32),
  scenario    TEXT NOT NULL,                    -- 'first-principles/transposed-copy'
  title       TEXT NOT NULL,
  content     TEXT NOT NULL REFERENCES blob(sha256),   -- scenario and answer as they were at the start
  tier        TEXT NOT NULL CHECK(tier IN ('live','recorded','computed','generated')),
  gpu         TEXT NOT NULL,
  state       TEXT NOT NULL CHECK(state IN ('open','committed','revealed','abandoned')),
  started_ms  INTEGER NOT NULL,
  elapsed_ms  INTEGER NOT NULL,                 -- monotonic, without the time the program was closed
  price       INTEGER NOT NULL,                 -- minutes of patience spent
  counted     INTEGER NOT NULL CHECK(counted IN (0, 1)),   -- 0: warm-up, or not a first look
  cause       TEXT NOT NULL,                    -- '' until revealed
  cause_right INTEGER CHECK(cause_right IN (0, 1)),        -- NULL until revealed
  on_truth    REAL NOT NULL,                    -- belief in the truth when the beliefs were locked, 0..1; 0 until revealed
  score       REAL,                             -- of 100, a share where the lines could give less; may be below 0, shown as 0; NULL: not scored
  score_rule  INTEGER                           -- version of the rule that gave it: one for all rows, since a new one rebuilds them
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_state ON attempt(state, started_ms);

CREATE TABLE score_line(
  attempt  TEXT NOT NULL REFERENCES attempt(uid) ON DELETE CASCADE,
  at       INTEGER NOT NULL,                    -- order on the screen, from 0
  line     TEXT NOT NULL,                       -- cause, evidence, estimates, updating, location, remedy
  points   REAL NOT NULL,
  possible REAL NOT NULL,                      -- 0: nothing could be earned here, such as no estimate was asked
  why      TEXT NOT NULL,
  PRIMARY KEY(attempt, at),
  UNIQUE(attempt, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE belief(                            -- the path that the debrief draws; step 0 is before any evidence
  attempt    TEXT NOT NULL REFERENCES attempt(uid) ON DELETE CASCADE,
  step       INTEGER NOT NULL,
  after      TEXT,                              -- probe or pushback, NULL at step 0
  hypothesis TEXT NOT NULL,
  points     INTEGER NOT NULL CHECK(points BETWEEN 0 AND 100),
  PRIMARY KEY(attempt, step, hypothesis)
) STRICT, WITHOUT ROWID;

CREATE TABLE answer(                            -- every number anybody estimated, in scenarios and drills alike
  uid       TEXT PRIMARY KEY,                   -- the event's uid
  attempt   TEXT REFERENCES attempt(uid) ON DELETE CASCADE,   -- NULL: a drill
  day       INTEGER NOT NULL,
  item      TEXT NOT NULL,
  seed      INTEGER NOT NULL,                   -- template and seed bring the very instance back
  given     TEXT NOT NULL,                      -- as typed
  value     REAL,                               -- SI base units; NULL: unreadable
  unit      TEXT NOT NULL,
  truth     REAL NOT NULL,
  log_error REAL,                               -- NULL: unreadable
  slip      TEXT,                               -- named mistake, or NULL
  took_ms   INTEGER NOT NULL,
  at_ms     INTEGER NOT NULL,                   -- UTC; 0: not known
  how       TEXT NOT NULL,                      -- right, close, slip, wrong, skipped; unreadable and dimension in scenarios; '' not known
  low       REAL,                               -- an answer given as an interval, with the confidence stated (0..1); else NULL
  high      REAL,
  confidence REAL,
  hint      INTEGER NOT NULL CHECK(hint IN (0, 1)),
  over_ms   INTEGER NOT NULL                    -- of took_ms, what was past the time given
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_attempt ON answer(attempt);

-- What memory holds: one row for everything that was reviewed at least once.
CREATE TABLE item(
  id         TEXT PRIMARY KEY,                  -- 'drill:inference/decode-floor' | 'card:SET/ID' | 'cause:mem.uncoalesced'
  phase      INTEGER NOT NULL CHECK(phase BETWEEN 1 AND 3),  -- learning, review, relearning
  step       INTEGER NOT NULL,                  -- of the steps in minutes
  stability  REAL    NOT NULL,                  -- days
  difficulty REAL    NOT NULL,                  -- 1..10
  reviews    INTEGER NOT NULL,
  lapses     INTEGER NOT NULL,
  days       INTEGER NOT NULL,                  -- on which it was asked
  days_right INTEGER NOT NULL,                  -- of these, where the first answer was right
  first_day  INTEGER NOT NULL,                  -- study days
  due_day    INTEGER NOT NULL,                  -- as the model says, before an interview date shapes it
  due_ms     INTEGER NOT NULL,                  -- a step in minutes: UTC; 0: a matter of days
  slip       INTEGER NOT NULL CHECK(slip IN (0, 1)),  -- the last answer was a named mistake
  seen_day   INTEGER NOT NULL,
  seen_ms    INTEGER NOT NULL,                  -- UTC
  last       INTEGER NOT NULL                   -- seq of the last review
) STRICT, WITHOUT ROWID;

-- The review log, and what each review left of its item: undo takes the item back to the row before.
CREATE TABLE review(
  seq        INTEGER PRIMARY KEY,               -- its event
  item       TEXT    NOT NULL,
  day        INTEGER NOT NULL,
  at_ms      INTEGER NOT NULL,
  grade      INTEGER NOT NULL CHECK(grade BETWEEN 1 AND 4),
  correct    INTEGER NOT NULL CHECK(correct IN (0, 1)),
  took_ms    INTEGER NOT NULL,
  given      TEXT    NOT NULL,                  -- as typed; '' when graded by oneself
  model      TEXT    NOT NULL,
  phase      INTEGER NOT NULL,                  -- from here on as in item, whose seen_day and seen_ms
  step       INTEGER NOT NULL,                  -- are day and at_ms, whose last is seq
  stability  REAL    NOT NULL,
  difficulty REAL    NOT NULL,
  reviews    INTEGER NOT NULL,
  lapses     INTEGER NOT NULL,
  days       INTEGER NOT NULL,
  days_right INTEGER NOT NULL,
  first_day  INTEGER NOT NULL,
  due_day    INTEGER NOT NULL,
  due_ms     INTEGER NOT NULL,
  slip       INTEGER NOT NULL,
  previous   INTEGER NOT NULL                   -- seq of its item's review before this one; 0: none
) STRICT;
CREATE INDEX review_day ON review(day, correct, took_ms);
