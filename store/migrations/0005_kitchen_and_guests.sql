-- From the shape of version 4 to that of version 5: what the kitchen's screens and the guests' pages need.

-- Kitchen screens

ALTER TABLE ticket ADD COLUMN seen_at INTEGER;
ALTER TABLE ticket ADD COLUMN acknowledged_at INTEGER;
ALTER TABLE ticket ADD COLUMN held_for TEXT CHECK (held_for = 'payment' OR held_for = 'confirmation');
ALTER TABLE ticket_event ADD COLUMN client_ref TEXT;
ALTER TABLE orders ADD COLUMN called_at INTEGER;

CREATE TABLE station_closed (                          -- stations whose dishes another one prepares for now
  station_id    INTEGER PRIMARY KEY REFERENCES station (id),
  to_station_id INTEGER NOT NULL REFERENCES station (id),
  since_at      INTEGER NOT NULL,
  until_at      INTEGER,                               -- NULL: until a person opens it
  actor         TEXT NOT NULL,
  CHECK (to_station_id <> station_id)
) STRICT;

CREATE TABLE station_backup (                          -- whose screens also show what no screen of a station has shown in time
  station_id INTEGER PRIMARY KEY REFERENCES station (id),
  backup_id  INTEGER NOT NULL REFERENCES station (id),
  CHECK (backup_id <> station_id)
) STRICT;

CREATE TABLE busy (                                    -- locations where guests are told to wait longer for now
  location_id INTEGER PRIMARY KEY REFERENCES location (id),
  minutes     INTEGER NOT NULL CHECK (minutes > 0),
  since_at    INTEGER NOT NULL,
  until_at    INTEGER,                                 -- NULL: until a person ends it
  actor       TEXT NOT NULL
) STRICT;

-- Printers

-- Guests

CREATE TABLE table_code (                              -- what guests at a dining table order with (decision 061)
  table_id INTEGER PRIMARY KEY REFERENCES dining_table (id),
  code     TEXT NOT NULL UNIQUE,
  made_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE guest_mode (                              -- how guests can order by themselves at a location (decision G1)
  location_id INTEGER NOT NULL REFERENCES location (id),
  kind        TEXT NOT NULL CHECK (kind IN ('storefront', 'qr', 'kiosk')),
  mode        TEXT NOT NULL CHECK (mode IN ('dine_in', 'takeaway', 'delivery', 'qr')),
  PRIMARY KEY (location_id, kind, mode)
) STRICT, WITHOUT ROWID;

CREATE TABLE guest_order (                             -- orders from the guests' own pages (decision 060)
  order_id       INTEGER PRIMARY KEY REFERENCES orders (id),
  kind           TEXT NOT NULL CHECK (kind = 'storefront' OR kind = 'qr' OR kind = 'kiosk'),
  status_token   TEXT,                                 -- in the address of its status page; NULL: its guest's data was deleted
  browser_sha256 BLOB CHECK (length(browser_sha256) = 32), -- of the secret of the browser that ordered; NULL: a kiosk, or deleted
  table_code     TEXT,                                 -- the code that the guest had opened
  device_id      INTEGER REFERENCES device (id),
  to_confirm     INTEGER NOT NULL                      -- 1: staff confirm it before it is prepared
) STRICT;
CREATE UNIQUE INDEX guest_order_by_token ON guest_order (status_token) WHERE status_token IS NOT NULL;
