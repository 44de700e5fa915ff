-- From the shape of version 3 to that of version 4: what the pages for the owner and the staff need.

-- Stock counts, deliveries and waste by name.
ALTER TABLE stock_movement ADD COLUMN actor TEXT;

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
