-- From the shape of version 4 to that of version 5: what the kitchen's screens and the guests' pages need.

-- Kitchen screens

ALTER TABLE ticket ADD COLUMN seen_at INTEGER;
ALTER TABLE ticket ADD COLUMN acknowledged_at INTEGER;
ALTER TABLE ticket ADD COLUMN held_for TEXT CHECK (held_for = 'payment' OR held_for = 'confirmation');
ALTER TABLE ticket ADD COLUMN notice_at INTEGER;
ALTER TABLE orders ADD COLUMN called_at INTEGER;
ALTER TABLE orders ADD COLUMN fulfillment_since INTEGER;
UPDATE orders SET fulfillment_since = placed_at WHERE fulfillment_status = 'ready' OR fulfillment_status = 'out_for_delivery';
CREATE INDEX orders_at_pass ON orders (location_id, fulfillment_since)
  WHERE fulfillment_status = 'ready' OR fulfillment_status = 'out_for_delivery';
CREATE INDEX orders_handed_over ON orders (location_id, fulfillment_since) WHERE fulfillment_status = 'fulfilled';

-- Made anew, because a CHECK cannot be changed.
CREATE TABLE ticket_event_5 (
  seq        INTEGER PRIMARY KEY,
  ticket_id  INTEGER NOT NULL REFERENCES ticket (id),
  line_id    INTEGER REFERENCES order_line (id),       -- NULL: the whole ticket
  what       TEXT NOT NULL CHECK (what = 'opened' OR what = 'added' OR what = 'held' OR what = 'fired' OR what = 'done'
                                  OR what = 'recalled' OR what = 'void' OR what = 'seen' OR what = 'called'
                                  OR what = 'handed over' OR what = 'sent out' OR what = 'brought back'),
  at         INTEGER NOT NULL,
  actor_kind TEXT,                                     -- as in activity; NULL: the order itself or its time
  actor_id   INTEGER,
  actor      TEXT,
  client_ref TEXT                                      -- an act with the same reference is done once
) STRICT;
INSERT INTO ticket_event_5 (seq, ticket_id, line_id, what, at, actor_kind, actor_id, actor)
  SELECT seq, ticket_id, line_id, what, at, actor_kind, actor_id, actor FROM ticket_event;
DROP TABLE ticket_event;
ALTER TABLE ticket_event_5 RENAME TO ticket_event;

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

CREATE TABLE printer (                                 -- what a device with the role printer prints (decision 058)
  device_id  INTEGER PRIMARY KEY REFERENCES device (id),
  protocol   TEXT NOT NULL CHECK (protocol IN ('star', 'epson')),
  width_mm   INTEGER NOT NULL CHECK (width_mm IN (58, 80)),
  columns    INTEGER NOT NULL CHECK (columns BETWEEN 16 AND 64), -- characters of normal size in a line
  characters TEXT NOT NULL CHECK (characters IN ('plain', 'western', 'unicode')),
  prints     TEXT NOT NULL CHECK (prints IN ('every ticket', 'unseen tickets', 'on request')),
  stations   TEXT NOT NULL,                            -- a JSON list of ids; empty: all of its location
  client_ref TEXT UNIQUE                               -- an attempt to add it is done once
) STRICT;

CREATE TABLE printed_until (                           -- what has been looked through for things to print
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  event_seq   INTEGER NOT NULL,                        -- of ticket_event
  activity_id INTEGER NOT NULL
) STRICT;

CREATE TABLE print_job (
  id         INTEGER PRIMARY KEY,
  printer_id INTEGER NOT NULL REFERENCES printer (device_id),
  kind       TEXT NOT NULL CHECK (kind IN ('ticket', 'changed', 'void', 'copy', 'receipt', 'test')),
  ticket_id  INTEGER REFERENCES ticket (id),
  order_id   INTEGER REFERENCES orders (id),
  cause      INTEGER,                                  -- of a ticket: when it came to its station; else the event or act that it tells of; NULL: a person asked for it
  since_at   INTEGER NOT NULL,                         -- when its cause happened
  content    TEXT,                                     -- JSON, as it was then; NULL once it is printed or discarded
  state      TEXT NOT NULL CHECK (state IN ('waiting', 'printed', 'discarded', 'failed')),
  is_wanted  INTEGER NOT NULL CHECK (is_wanted IN (0, 1)), -- a person wants it, however old it is
  attempt    INTEGER NOT NULL,                         -- from 1; after the first it is marked as a copy
  offered_at INTEGER,                                  -- when it was first offered
  fetched_at INTEGER,                                  -- when the printer fetched this attempt
  ended_at   INTEGER,
  problem    TEXT,                                     -- what the printer last said, such as "410 Out of paper"
  client_ref TEXT UNIQUE                               -- a person's wish with the same reference is done once
) STRICT;
CREATE UNIQUE INDEX print_job_by_cause ON print_job (printer_id, ticket_id, kind, cause) WHERE cause IS NOT NULL;
CREATE INDEX print_job_unfinished ON print_job (printer_id, id) WHERE state = 'waiting' OR state = 'failed';
CREATE INDEX print_job_by_end ON print_job (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX print_job_by_order ON print_job (order_id) WHERE order_id IS NOT NULL;

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
CREATE INDEX guest_order_by_browser ON guest_order (browser_sha256) WHERE browser_sha256 IS NOT NULL;

CREATE TABLE activity_5 (                              -- a guest can be the actor
  id         INTEGER PRIMARY KEY,
  at         INTEGER NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('staff', 'device', 'token', 'command', 'guest')),
  actor_id   INTEGER,                                  -- of the staff or the device
  actor      TEXT NOT NULL,                            -- the name as it was then
  what       TEXT NOT NULL,                            -- the kinds are those of store/people/activity.ts
  order_id   INTEGER REFERENCES orders (id),           -- NULL: about something else
  subject    TEXT,                                     -- what it is about, such as "item 12 Francesinha"
  was        TEXT,                                     -- what changed, before and after
  became     TEXT
) STRICT;
INSERT INTO activity_5 (id, at, actor_kind, actor_id, actor, what, order_id, subject, was, became)
  SELECT id, at, actor_kind, actor_id, actor, what, order_id, subject, was, became FROM activity;
DROP TABLE activity;
ALTER TABLE activity_5 RENAME TO activity;
