-- From the shape of version 2 to that of version 3: tax by class, sizes and options on the 86 list, translations, delivery
-- zones, tables, people and screens, and what was done by whom.

CREATE TABLE tax_class (                               -- dishes that are taxed alike (decision C8)
  id       INTEGER PRIMARY KEY,
  title    TEXT NOT NULL,
  position INTEGER                                     -- NULL: left out of the last file
) STRICT;

CREATE TABLE label (                                   -- what the restaurant declares of a dish, such as vegan
  id           INTEGER PRIMARY KEY,
  code         TEXT NOT NULL,
  title        TEXT NOT NULL,
  position     INTEGER,                                -- NULL: left out of the last file
  translations TEXT                                    -- in all such columns: JSON {language: {title, description}}
) STRICT;

ALTER TABLE revision ADD COLUMN settings INTEGER NOT NULL DEFAULT 1;

CREATE TRIGGER setting_is_added AFTER INSERT ON setting BEGIN UPDATE revision SET settings = settings + 1; END;

CREATE TRIGGER setting_is_changed AFTER UPDATE ON setting BEGIN UPDATE revision SET settings = settings + 1; END;

CREATE TRIGGER setting_is_removed AFTER DELETE ON setting BEGIN UPDATE revision SET settings = settings + 1; END;

CREATE TRIGGER token_is_made AFTER INSERT ON api_token BEGIN UPDATE revision SET settings = settings + 1; END;

CREATE TRIGGER token_is_changed AFTER UPDATE OF sha256 ON api_token
  BEGIN UPDATE revision SET settings = settings + 1; END;

CREATE TRIGGER token_is_removed AFTER DELETE ON api_token BEGIN UPDATE revision SET settings = settings + 1; END;

ALTER TABLE allergen ADD COLUMN translations TEXT;

ALTER TABLE modifier_group ADD COLUMN translations TEXT;

ALTER TABLE modifier ADD COLUMN translations TEXT;

ALTER TABLE category ADD COLUMN description TEXT;
ALTER TABLE category ADD COLUMN tax_class_id INTEGER REFERENCES tax_class (id);
ALTER TABLE category ADD COLUMN translations TEXT;

ALTER TABLE item ADD COLUMN number TEXT;
ALTER TABLE item ADD COLUMN tax_class_id INTEGER REFERENCES tax_class (id);
ALTER TABLE item ADD COLUMN minimum_age INTEGER CHECK (minimum_age >= 0);
ALTER TABLE item ADD COLUMN translations TEXT;

ALTER TABLE variation ADD COLUMN translations TEXT;

ALTER TABLE location ADD COLUMN address TEXT;
ALTER TABLE location ADD COLUMN phone TEXT;
ALTER TABLE location ADD COLUMN takeaway_tax_ppm INTEGER;
ALTER TABLE location ADD COLUMN opening_periods TEXT;
ALTER TABLE location ADD COLUMN closed_dates TEXT NOT NULL DEFAULT '[]';
ALTER TABLE location ADD COLUMN minimum_delivery_milli INTEGER;

ALTER TABLE orders ADD COLUMN tax_lines TEXT;
ALTER TABLE orders ADD COLUMN table_id INTEGER;
ALTER TABLE orders ADD COLUMN table_title TEXT;
ALTER TABLE orders ADD COLUMN wanted_at INTEGER;
ALTER TABLE orders ADD COLUMN delivery_address TEXT;
ALTER TABLE orders ADD COLUMN delivery_postcode TEXT;
ALTER TABLE orders ADD COLUMN attempt_id TEXT;
ALTER TABLE orders ADD COLUMN attempt_sha256 BLOB;

ALTER TABLE order_line ADD COLUMN tax_ppm INTEGER;

CREATE UNIQUE INDEX orders_by_attempt ON orders (attempt_id) WHERE attempt_id IS NOT NULL;

CREATE TABLE modifier_variation_price (                -- what a modifier costs on a line with this size
  modifier_id  INTEGER NOT NULL REFERENCES modifier (id),
  variation_id INTEGER NOT NULL REFERENCES variation (id),
  price_milli  INTEGER NOT NULL CHECK (price_milli >= 0),
  PRIMARY KEY (modifier_id, variation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE modifier_allergen (
  modifier_id INTEGER NOT NULL REFERENCES modifier (id),
  allergen_id INTEGER NOT NULL REFERENCES allergen (id),
  presence    TEXT NOT NULL CHECK (presence IN ('contains', 'may_contain')),
  position    INTEGER NOT NULL,
  PRIMARY KEY (modifier_id, allergen_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE item_label (
  item_id  INTEGER NOT NULL REFERENCES item (id),
  label_id INTEGER NOT NULL REFERENCES label (id),
  position INTEGER NOT NULL,
  PRIMARY KEY (item_id, label_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE location_tax_rate (                       -- decision C8
  location_id  INTEGER NOT NULL REFERENCES location (id),
  tax_class_id INTEGER NOT NULL REFERENCES tax_class (id),
  rate_ppm     INTEGER NOT NULL,
  takeaway_ppm INTEGER,                                -- NULL: as rate_ppm
  PRIMARY KEY (location_id, tax_class_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE delivery_zone (
  id            INTEGER PRIMARY KEY,
  location_id   INTEGER NOT NULL REFERENCES location (id),
  title         TEXT NOT NULL,
  postcodes     TEXT NOT NULL,                         -- JSON array
  fee_milli     INTEGER NOT NULL CHECK (fee_milli >= 0),
  minimum_milli INTEGER CHECK (minimum_milli >= 0),
  position      INTEGER NOT NULL
) STRICT;

CREATE TABLE dining_table (
  id          INTEGER PRIMARY KEY,
  location_id INTEGER NOT NULL REFERENCES location (id),
  title       TEXT NOT NULL,
  position    INTEGER                                  -- NULL: left out of the last file
) STRICT;

CREATE TABLE catalogue_version (
  id       INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  actor    TEXT NOT NULL,                              -- who changed it then, by name
  what     TEXT NOT NULL,                              -- what that change was
  document TEXT NOT NULL                               -- the restaurant file before it
) STRICT;

-- Sizes and options can be on the 86 list, too.
CREATE TABLE unavailable_3 (                             -- the 86 list (decisions D1 and D9)
  kind        TEXT NOT NULL CHECK (kind IN ('item', 'variation', 'modifier')),
  target_id   INTEGER NOT NULL,                        -- of that kind
  location_id INTEGER NOT NULL,                        -- 0: everywhere
  since_at    INTEGER NOT NULL,
  until_at    INTEGER,                                 -- NULL: until a person lifts it
  actor       TEXT,                                    -- who did it, by name; NULL: before that was written down
  PRIMARY KEY (kind, target_id, location_id)
) STRICT, WITHOUT ROWID;
INSERT INTO unavailable_3 SELECT 'item', item_id, location_id, since_at, until_at, NULL FROM unavailable;
DROP TABLE unavailable;
ALTER TABLE unavailable_3 RENAME TO unavailable;

CREATE TABLE pause (                                   -- locations that take no orders for now (decision D10)
  location_id INTEGER PRIMARY KEY REFERENCES location (id),
  since_at    INTEGER NOT NULL,
  until_at    INTEGER,                                 -- NULL: until a person lifts it
  actor       TEXT NOT NULL
) STRICT;

CREATE TABLE staff (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  role       TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'staff')),
  created_at INTEGER NOT NULL,
  ended_at   INTEGER                                   -- NULL: works here; the name stays in what they did (decision G6)
) STRICT;
CREATE UNIQUE INDEX staff_by_name ON staff (name) WHERE ended_at IS NULL;

CREATE TABLE device (
  id           INTEGER PRIMARY KEY,
  title        TEXT NOT NULL,
  role         TEXT NOT NULL CHECK (role IN ('till', 'kitchen', 'board', 'kiosk', 'printer')),
  location_id  INTEGER NOT NULL REFERENCES location (id),
  created_at   INTEGER NOT NULL,
  last_seen_at INTEGER,
  ended_at     INTEGER
) STRICT;

CREATE TABLE activity (
  id         INTEGER PRIMARY KEY,
  at         INTEGER NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('staff', 'device', 'token', 'command')),
  actor_id   INTEGER,                                  -- of the staff or the device
  actor      TEXT NOT NULL,                            -- the name as it was then
  what       TEXT NOT NULL,                            -- the kinds are those of store/people/activity.ts
  order_id   INTEGER REFERENCES orders (id),           -- NULL: about something else
  subject    TEXT,                                     -- what else it is about, such as "item 12 Francesinha"
  was        TEXT,                                     -- what changed, before and after
  became     TEXT
) STRICT;
CREATE INDEX activity_by_order ON activity (order_id) WHERE order_id IS NOT NULL;
CREATE TRIGGER activity_is_never_changed BEFORE UPDATE ON activity
  BEGIN SELECT raise(ABORT, 'the activity log is append-only'); END;
CREATE TRIGGER activity_is_never_shortened BEFORE DELETE ON activity
  BEGIN SELECT raise(ABORT, 'the activity log is append-only'); END;
-- INSERT OR REPLACE deletes without asking the trigger above.
CREATE TRIGGER activity_is_never_replaced BEFORE INSERT ON activity
  WHEN EXISTS (SELECT 1 FROM activity WHERE id = new.id)
  BEGIN SELECT raise(ABORT, 'the activity log is append-only'); END;

-- Tickets can be held.
CREATE TABLE ticket_3 (
  id         INTEGER PRIMARY KEY,
  order_id   INTEGER NOT NULL REFERENCES orders (id),
  station_id INTEGER NOT NULL REFERENCES station (id),
  batch      INTEGER NOT NULL,                         -- 1: with the order, then one more for each later addition
  state      TEXT NOT NULL CHECK (state IN ('held', 'open', 'done', 'void')),
  opened_at  INTEGER NOT NULL,                         -- when it came to the station; while it is held, when it was made
  closed_at  INTEGER,
  fire_at    INTEGER                                   -- of a held one, when it comes by itself; NULL: when a person says so
) STRICT;
INSERT INTO ticket_3 SELECT id, order_id, station_id, batch, state, opened_at, closed_at, NULL FROM ticket;
DROP TABLE ticket;
ALTER TABLE ticket_3 RENAME TO ticket;
CREATE INDEX ticket_by_order ON ticket (order_id);
CREATE INDEX ticket_in_sight ON ticket (state, closed_at) WHERE state <> 'done';
CREATE INDEX ticket_to_fire ON ticket (fire_at) WHERE state = 'held';

CREATE TABLE ticket_event (
  seq        INTEGER PRIMARY KEY,
  ticket_id  INTEGER NOT NULL REFERENCES ticket (id),
  line_id    INTEGER REFERENCES order_line (id),       -- NULL: the whole ticket
  what       TEXT NOT NULL CHECK (what IN ('opened', 'added', 'held', 'fired', 'done', 'recalled', 'void', 'seen')),
  at         INTEGER NOT NULL,
  actor_kind TEXT,                                     -- as in activity; NULL: the order itself or its time
  actor_id   INTEGER,
  actor      TEXT
) STRICT;
CREATE INDEX ticket_event_by_ticket ON ticket_event (ticket_id);
CREATE TRIGGER ticket_event_is_never_changed BEFORE UPDATE ON ticket_event
  BEGIN SELECT raise(ABORT, 'what the kitchen saw is append-only'); END;
CREATE TRIGGER ticket_event_is_never_shortened BEFORE DELETE ON ticket_event
  BEGIN SELECT raise(ABORT, 'what the kitchen saw is append-only'); END;
