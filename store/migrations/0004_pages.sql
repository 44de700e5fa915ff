-- From the shape of version 3 to that of version 4: what the pages for the owner and the staff need.

-- Checks of tables that orders write to are spelt with OR: for a longer IN list, SQLite builds a table with every row.

CREATE TABLE webhook_attempt_4 (                         -- the outbox while it waits, the delivery log afterwards
  id          INTEGER PRIMARY KEY,
  event_id    INTEGER NOT NULL REFERENCES webhook_event (id),
  endpoint_id INTEGER NOT NULL,                        -- may have been removed since
  url         TEXT NOT NULL,                           -- without its query
  state       TEXT NOT NULL CHECK (state = 'pending' OR state = 'started' OR state = 'received' OR state = 'lost'),
  started_at  INTEGER,                                 -- NULL: never attempted
  signatures  INTEGER,                                 -- how many secrets signed it, each under both schemes
  took_ms     INTEGER,
  status      INTEGER,                                 -- of the HTTP response, if there was one
  reason      TEXT,                                    -- why it was lost, unless the status says it
  response    BLOB CHECK (length(response) <= 1024),   -- the beginning of the response body
  UNIQUE (event_id, endpoint_id)
) STRICT;
INSERT INTO webhook_attempt_4 (id, event_id, endpoint_id, url, state, started_at, signatures, took_ms, status, reason, response)
  SELECT id, event_id, endpoint_id, url, state, started_at, signatures, took_ms, status, reason, response FROM webhook_attempt;
DROP TABLE webhook_attempt;
ALTER TABLE webhook_attempt_4 RENAME TO webhook_attempt;

CREATE TABLE ticket_4 (
  id         INTEGER PRIMARY KEY,
  order_id   INTEGER NOT NULL REFERENCES orders (id),
  station_id INTEGER NOT NULL REFERENCES station (id),
  batch      INTEGER NOT NULL,                         -- 1: with the order, then one more for each later addition
  state      TEXT NOT NULL CHECK (state = 'held' OR state = 'open' OR state = 'done' OR state = 'void'),
  opened_at  INTEGER NOT NULL,                         -- when it came to the station; while it is held, when it was made
  closed_at  INTEGER,
  fire_at    INTEGER                                   -- when a held ticket fires by itself; NULL: when staff fire it
) STRICT;
INSERT INTO ticket_4 (id, order_id, station_id, batch, state, opened_at, closed_at, fire_at)
  SELECT id, order_id, station_id, batch, state, opened_at, closed_at, fire_at FROM ticket;
DROP TABLE ticket;
ALTER TABLE ticket_4 RENAME TO ticket;

CREATE TABLE ticket_item_4 (
  ticket_id INTEGER NOT NULL REFERENCES ticket (id),
  line_id   INTEGER NOT NULL REFERENCES order_line (id),
  state     TEXT NOT NULL CHECK (state = 'open' OR state = 'done' OR state = 'void'),
  PRIMARY KEY (ticket_id, line_id)
) STRICT, WITHOUT ROWID;
INSERT INTO ticket_item_4 (ticket_id, line_id, state)
  SELECT ticket_id, line_id, state FROM ticket_item;
DROP TABLE ticket_item;
ALTER TABLE ticket_item_4 RENAME TO ticket_item;

CREATE TABLE ticket_event_4 (
  seq        INTEGER PRIMARY KEY,
  ticket_id  INTEGER NOT NULL REFERENCES ticket (id),
  line_id    INTEGER REFERENCES order_line (id),       -- NULL: the whole ticket
  what       TEXT NOT NULL CHECK (what = 'opened' OR what = 'added' OR what = 'held' OR what = 'fired' OR what = 'done'
                                  OR what = 'recalled' OR what = 'void' OR what = 'seen'),
  at         INTEGER NOT NULL,
  actor_kind TEXT,                                     -- as in activity; NULL: the order itself or its time
  actor_id   INTEGER,
  actor      TEXT
) STRICT;
INSERT INTO ticket_event_4 (seq, ticket_id, line_id, what, at, actor_kind, actor_id, actor)
  SELECT seq, ticket_id, line_id, what, at, actor_kind, actor_id, actor FROM ticket_event;
DROP TABLE ticket_event;
ALTER TABLE ticket_event_4 RENAME TO ticket_event;

CREATE TABLE stock_movement_4 (
  id        INTEGER PRIMARY KEY,
  stock_id  INTEGER NOT NULL REFERENCES stock_item (id),
  kind      TEXT NOT NULL CHECK (kind = 'set' OR kind = 'add' OR kind = 'waste' OR kind = 'sold' OR kind = 'returned'),
  qty_micro INTEGER NOT NULL,                          -- what it adds to the stock; negative: what it takes
  order_id  INTEGER REFERENCES orders (id),            -- NULL: a person's act
  note      TEXT,
  at        INTEGER NOT NULL
) STRICT;
INSERT INTO stock_movement_4 (id, stock_id, kind, qty_micro, order_id, note, at)
  SELECT id, stock_id, kind, qty_micro, order_id, note, at FROM stock_movement;
DROP TABLE stock_movement;
ALTER TABLE stock_movement_4 RENAME TO stock_movement;

CREATE TABLE ledger_4 (
  order_id      INTEGER NOT NULL REFERENCES orders (id),
  entry         INTEGER NOT NULL CHECK (entry >= 1),
  kind          TEXT NOT NULL,
  amount_minor  INTEGER NOT NULL,
  method        TEXT CHECK (method = 'cash' OR method = 'card' OR method = 'transfer' OR method = 'other'),
  voids         INTEGER,                               -- payment_void: the entry that it undoes
  client_ref    TEXT,                                  -- a payment with the same reference is recorded once
  note          TEXT,
  at            INTEGER NOT NULL,
  business_date TEXT NOT NULL,
  PRIMARY KEY (order_id, entry),
  FOREIGN KEY (order_id, voids) REFERENCES ledger (order_id, entry),
  CHECK ((kind = 'charge') = (entry = 1)),             -- exactly one, the first
  CHECK ((kind = 'payment_void') = (voids IS NOT NULL)),
  CHECK ((kind = 'payment' OR kind = 'payment_void' OR kind = 'refund') = (method IS NOT NULL)),
  CHECK (CASE WHEN kind = 'charge' OR kind = 'payment_void' OR kind = 'refund' THEN amount_minor >= 0
              WHEN kind = 'charge_void' OR kind = 'payment' OR kind = 'credit' THEN amount_minor <= 0
              ELSE kind = 'adjustment' END)
) STRICT, WITHOUT ROWID;
INSERT INTO ledger_4 (order_id, entry, kind, amount_minor, method, voids, client_ref, note, at, business_date)
  SELECT order_id, entry, kind, amount_minor, method, voids, client_ref, note, at, business_date FROM ledger;
DROP TABLE ledger;
ALTER TABLE ledger_4 RENAME TO ledger;

-- Stock counts, deliveries and waste by name.
ALTER TABLE stock_movement ADD COLUMN actor TEXT;
ALTER TABLE stock_movement ADD COLUMN client_ref TEXT;
CREATE UNIQUE INDEX stock_movement_by_client_ref ON stock_movement (stock_id, client_ref) WHERE client_ref IS NOT NULL;

-- What endpoints respond, and the backups that the server makes
ALTER TABLE webhook_attempt ADD COLUMN response_headers TEXT;
CREATE TABLE backup (
  id         INTEGER PRIMARY KEY,
  how        TEXT NOT NULL CHECK (how IN ('nightly', 'by hand')),
  name       TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,
  bytes      INTEGER,
  failure    TEXT,
  removed_at INTEGER
) STRICT;

-- Cash drawers and day closes (decisions G7 and 051), both append-only -------------------------------------------

CREATE TABLE drawer (
  id             INTEGER PRIMARY KEY,
  location_id    INTEGER NOT NULL REFERENCES location (id),
  kind           TEXT NOT NULL CHECK (kind IN ('float', 'paid_in', 'paid_out', 'count')),
  amount_minor   INTEGER NOT NULL CHECK (amount_minor >= 0),
  currency       TEXT NOT NULL,
  exponent       INTEGER NOT NULL,
  expected_minor INTEGER,                              -- of a count: what should have been there
  pieces         TEXT,                                 -- JSON [{value, pieces}]; NULL: given as a sum
  note           TEXT,
  client_ref     TEXT,                                 -- an entry with the same reference is recorded once
  at             INTEGER NOT NULL,
  business_date  TEXT NOT NULL,
  actor_kind     TEXT NOT NULL,                        -- as in activity
  actor_id       INTEGER,
  actor          TEXT NOT NULL,
  CHECK ((kind = 'count') = (expected_minor IS NOT NULL)),
  CHECK (kind IN ('float', 'count') OR note IS NOT NULL)
) STRICT;
CREATE INDEX drawer_by_day ON drawer (location_id, business_date);
CREATE UNIQUE INDEX drawer_by_client_ref ON drawer (location_id, client_ref) WHERE client_ref IS NOT NULL;
CREATE TRIGGER drawer_is_never_changed BEFORE UPDATE ON drawer
  BEGIN SELECT raise(ABORT, 'the entries of a drawer are append-only'); END;
CREATE TRIGGER drawer_is_never_shortened BEFORE DELETE ON drawer
  BEGIN SELECT raise(ABORT, 'the entries of a drawer are append-only'); END;
CREATE TRIGGER drawer_is_never_replaced BEFORE INSERT ON drawer
  WHEN EXISTS (SELECT 1 FROM drawer
                WHERE id = new.id OR location_id = new.location_id AND client_ref = new.client_ref)
  BEGIN SELECT raise(ABORT, 'the entries of a drawer are append-only'); END;

CREATE TABLE day_close (
  location_id    INTEGER NOT NULL REFERENCES location (id),
  number         INTEGER NOT NULL CHECK (number >= 1), -- of its location, without gaps
  business_date  TEXT NOT NULL,
  place          TEXT NOT NULL,                        -- JSON: titles, address and time zone as they were
  parts          TEXT NOT NULL,                        -- JSON [{date, figures}]: its day, then what came later for closed days
  cash           TEXT NOT NULL,                        -- JSON: the drawer as it was calculated and counted
  currency       TEXT NOT NULL,                        -- of the drawer
  left_minor     INTEGER NOT NULL,                     -- what stays in the drawer for the next day
  orders_until   INTEGER NOT NULL,                     -- the newest ids then; what is newer is looked at by the next close
  activity_until INTEGER NOT NULL,
  drawer_until   INTEGER NOT NULL,
  client_ref     TEXT,
  at             INTEGER NOT NULL,
  actor_kind     TEXT NOT NULL,                        -- as in activity
  actor_id       INTEGER,
  actor          TEXT NOT NULL,
  PRIMARY KEY (location_id, number),
  UNIQUE (location_id, business_date)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER day_close_is_numbered_without_gaps BEFORE INSERT ON day_close
  WHEN new.number <> (SELECT count(*) + 1 FROM day_close WHERE location_id = new.location_id)
    OR EXISTS (SELECT 1 FROM day_close WHERE location_id = new.location_id AND business_date = new.business_date)
  BEGIN SELECT raise(ABORT, 'day closes are numbered without gaps, one for each day'); END;
CREATE TRIGGER day_close_is_never_changed BEFORE UPDATE ON day_close
  BEGIN SELECT raise(ABORT, 'day closes never change'); END;
CREATE TRIGGER day_close_is_never_deleted BEFORE DELETE ON day_close
  BEGIN SELECT raise(ABORT, 'day closes never change'); END;

-- People and devices that log in
ALTER TABLE staff ADD COLUMN password TEXT;
ALTER TABLE staff ADD COLUMN pin TEXT;

ALTER TABLE device ADD COLUMN station_id INTEGER REFERENCES station (id);
ALTER TABLE device ADD COLUMN sha256 BLOB CHECK (length(sha256) = 32);
CREATE UNIQUE INDEX device_by_secret ON device (sha256) WHERE sha256 IS NOT NULL;

CREATE TABLE pairing (                                 -- codes that a device can be paired with (decision 048)
  id          INTEGER PRIMARY KEY,
  start       TEXT NOT NULL UNIQUE,                    -- the first characters of the code, which tell codes apart
  sha256      BLOB NOT NULL CHECK (length(sha256) = 32),
  title       TEXT NOT NULL,
  role        TEXT NOT NULL CHECK (role IN ('till', 'kitchen', 'board', 'kiosk')),
  location_id INTEGER NOT NULL REFERENCES location (id),
  station_id  INTEGER REFERENCES station (id),
  expires_at  INTEGER NOT NULL,
  failures    INTEGER NOT NULL,
  actor_kind  TEXT NOT NULL,                           -- who made the code
  actor_id    INTEGER,
  actor       TEXT NOT NULL
) STRICT;

CREATE TABLE session (                                 -- people who are logged in (decision 047)
  id         INTEGER PRIMARY KEY,
  sha256     BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  staff_id   INTEGER NOT NULL REFERENCES staff (id),
  device_id  INTEGER REFERENCES device (id),           -- logged in by PIN, on this device; NULL: by password
  created_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,
  address    TEXT NOT NULL,
  user_agent TEXT NOT NULL
) STRICT;
CREATE INDEX session_by_staff ON session (staff_id);
-- The lists of open, unpaid and late orders.
CREATE INDEX orders_open ON orders (id) WHERE status IN ('placed', 'confirmed');
