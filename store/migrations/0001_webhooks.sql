-- From the first files of version 1 to the shape that version 1 was released with: which systems are told of what happens
-- to orders.

CREATE TABLE revision_1 (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  catalogue INTEGER NOT NULL,                          -- grows with every change of what follows, so that readers know
  webhooks  INTEGER NOT NULL                           -- the same for the endpoints, secrets and selected events
) STRICT;
INSERT INTO revision_1 SELECT id, catalogue, 1 FROM revision;
DROP TABLE revision;
ALTER TABLE revision_1 RENAME TO revision;

CREATE TABLE webhook_endpoint (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,        -- never given out again: the log names removed endpoints
  url        TEXT NOT NULL UNIQUE,
  paused     INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE webhook_secret (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,        -- the highest is the newest
  secret     TEXT NOT NULL,                            -- as typed: it signs, so a hash would not do
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE webhook_selection (                       -- no row: every event is delivered
  type TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_event (
  id            INTEGER PRIMARY KEY,
  delivery_id   TEXT NOT NULL,                         -- msg_…, the same for every endpoint
  type          TEXT NOT NULL,
  order_id      INTEGER REFERENCES orders (id),        -- NULL: a test
  facts         TEXT NOT NULL,                         -- JSON: the event as store/webhooks/order-event.ts has it
  created_at    INTEGER NOT NULL,
  dispatched_at INTEGER                                -- NULL: no attempt was begun; the same for every endpoint
) STRICT;

CREATE TABLE webhook_attempt (                         -- the outbox while it waits, the delivery log afterwards
  id          INTEGER PRIMARY KEY,
  event_id    INTEGER NOT NULL REFERENCES webhook_event (id),
  endpoint_id INTEGER NOT NULL,                        -- may have been removed since
  url         TEXT NOT NULL,                           -- without its query
  state       TEXT NOT NULL CHECK (state IN ('pending', 'started', 'received', 'lost')),
  started_at  INTEGER,                                 -- NULL: never attempted
  signatures  INTEGER,                                 -- how many secrets signed it, each under both schemes
  took_ms     INTEGER,
  status      INTEGER,                                 -- of the HTTP answer, if there was one
  reason      TEXT,                                    -- why it was lost, unless the status says it
  response    BLOB CHECK (length(response) <= 1024),   -- how the answer's body began
  UNIQUE (event_id, endpoint_id)
) STRICT;
CREATE INDEX webhook_attempt_pending ON webhook_attempt (endpoint_id) WHERE state = 'pending';
