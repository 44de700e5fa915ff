-- The complete shape of a Servery file. A fresh file runs this once; an older one runs store/migrations/.
-- Amounts: *_minor are minor units of the order's currency, *_milli thousandths of the major unit (decision C2).
-- Rates: *_ppm are millionths (8.25 % is 82500). Instants: *_at are UTC milliseconds. Flags are 0 or 1.

-- Settings and access ------------------------------------------------------------------------------------------

CREATE TABLE setting (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE backup (                                  -- those that the server makes (decision 052)
  id         INTEGER PRIMARY KEY,
  how        TEXT NOT NULL CHECK (how IN ('nightly', 'by hand')),
  name       TEXT NOT NULL,                            -- of its file in the folder of the backups
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,                                  -- NULL: under way, or the server ended meanwhile
  bytes      INTEGER,
  failure    TEXT,                                     -- JSON: why it was not made; NULL: it was
  removed_at INTEGER                                   -- when its file was deleted to make room
) STRICT;

CREATE TABLE api_token (
  id             INTEGER PRIMARY KEY CHECK (id = 1),   -- at most one token
  sha256         BLOB NOT NULL CHECK (length(sha256) = 32),
  created_at     INTEGER NOT NULL,
  last_used_at   INTEGER,
  last_used_from TEXT
) STRICT;

-- Catalogue: what the restaurant file describes -----------------------------------------------------------------
-- The author of the file chooses the ids. What a later file leaves out is unpublished or detached, never deleted: orders refer
-- to it.

CREATE TABLE revision (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  catalogue INTEGER NOT NULL,                          -- increases with every change of the catalogue, so that readers notice it
  webhooks  INTEGER NOT NULL,                          -- the same for the endpoints, secrets and selected events
  settings  INTEGER NOT NULL DEFAULT 1                 -- the same for the settings and the API token; triggers keep it
) STRICT;
INSERT INTO revision VALUES (1, 1, 1, 1);
CREATE TRIGGER setting_is_added AFTER INSERT ON setting BEGIN UPDATE revision SET settings = settings + 1; END;
CREATE TRIGGER setting_is_changed AFTER UPDATE ON setting BEGIN UPDATE revision SET settings = settings + 1; END;
CREATE TRIGGER setting_is_removed AFTER DELETE ON setting BEGIN UPDATE revision SET settings = settings + 1; END;
CREATE TRIGGER token_is_made AFTER INSERT ON api_token BEGIN UPDATE revision SET settings = settings + 1; END;
CREATE TRIGGER token_is_changed AFTER UPDATE OF sha256 ON api_token
  BEGIN UPDATE revision SET settings = settings + 1; END;
CREATE TRIGGER token_is_removed AFTER DELETE ON api_token BEGIN UPDATE revision SET settings = settings + 1; END;

CREATE TABLE tax_class (                               -- dishes with the same tax (decision C8)
  id       INTEGER PRIMARY KEY,
  title    TEXT NOT NULL,
  position INTEGER                                     -- NULL: left out of the last file
) STRICT;

CREATE TABLE label (                                   -- what the restaurant declares about a dish, such as vegan
  id           INTEGER PRIMARY KEY,
  code         TEXT NOT NULL,
  title        TEXT NOT NULL,
  position     INTEGER,                                -- NULL: left out of the last file
  translations TEXT                                    -- in all such columns: JSON {language: {title, description}}
) STRICT;

CREATE TABLE allergen (
  id       INTEGER PRIMARY KEY,
  title    TEXT NOT NULL,
  position INTEGER,                                    -- NULL: left out of the last file
  translations TEXT
) STRICT;

CREATE TABLE modifier_group (
  id             INTEGER PRIMARY KEY,
  title          TEXT NOT NULL,
  selection_type TEXT NOT NULL CHECK (selection_type IN ('single', 'multiple')),
  min_select     INTEGER NOT NULL CHECK (min_select >= 0),   -- at least 1 means required (decision D4)
  max_select     INTEGER NOT NULL CHECK (max_select >= 0),   -- 0: no limit
  free_quantity  INTEGER NOT NULL CHECK (free_quantity >= 0),
  position       INTEGER,                              -- NULL: left out of the last file
  translations   TEXT
) STRICT;

CREATE TABLE modifier (
  id           INTEGER PRIMARY KEY,
  group_id     INTEGER REFERENCES modifier_group (id), -- NULL: no longer belongs to a group
  title        TEXT NOT NULL,
  price_milli  INTEGER NOT NULL CHECK (price_milli >= 0),
  is_default   INTEGER NOT NULL,
  max_quantity INTEGER CHECK (max_quantity >= 1),      -- NULL: no limit of its own
  published    INTEGER NOT NULL,
  position     INTEGER NOT NULL,
  translations TEXT
) STRICT;

CREATE TABLE category (
  id           INTEGER PRIMARY KEY,
  title        TEXT NOT NULL,
  published    INTEGER NOT NULL,
  position     INTEGER NOT NULL,
  description  TEXT,
  tax_class_id INTEGER REFERENCES tax_class (id),      -- for its dishes without one of their own
  translations TEXT
) STRICT;

CREATE TABLE item (
  id                INTEGER PRIMARY KEY,
  category_id       INTEGER NOT NULL REFERENCES category (id),
  title             TEXT NOT NULL,
  description       TEXT,
  price_milli       INTEGER NOT NULL CHECK (price_milli >= 0),
  published         INTEGER NOT NULL,
  image             TEXT,                              -- relative to SITE_ROOT
  prep_time_minutes INTEGER,
  calories          INTEGER,
  spice_level       INTEGER CHECK (spice_level BETWEEN 0 AND 5),
  is_alcohol        INTEGER NOT NULL,
  position          INTEGER NOT NULL,
  number            TEXT,                              -- its number on the printed menu, such as F3
  tax_class_id      INTEGER REFERENCES tax_class (id), -- NULL: as the category
  minimum_age       INTEGER CHECK (minimum_age >= 0),
  translations      TEXT
) STRICT;

CREATE TABLE variation (
  id          INTEGER PRIMARY KEY,
  item_id     INTEGER REFERENCES item (id),            -- NULL: no longer belongs to an item
  title       TEXT NOT NULL,
  price_milli INTEGER NOT NULL CHECK (price_milli >= 0),
  is_default  INTEGER NOT NULL,
  published   INTEGER NOT NULL,
  position    INTEGER NOT NULL,
  translations TEXT
) STRICT;

CREATE TABLE modifier_variation_price (                -- what a modifier costs on a line with this size
  modifier_id  INTEGER NOT NULL REFERENCES modifier (id),
  variation_id INTEGER NOT NULL REFERENCES variation (id),
  price_milli  INTEGER NOT NULL CHECK (price_milli >= 0),
  PRIMARY KEY (modifier_id, variation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE item_modifier_group (
  item_id    INTEGER NOT NULL REFERENCES item (id),
  group_id   INTEGER NOT NULL REFERENCES modifier_group (id),
  min_select INTEGER,                                  -- NULL: as the group says
  max_select INTEGER,
  position   INTEGER NOT NULL,
  PRIMARY KEY (item_id, group_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE item_allergen (
  item_id     INTEGER NOT NULL REFERENCES item (id),
  allergen_id INTEGER NOT NULL REFERENCES allergen (id),
  presence    TEXT NOT NULL CHECK (presence IN ('contains', 'may_contain')),
  position    INTEGER NOT NULL,
  PRIMARY KEY (item_id, allergen_id)
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

CREATE TABLE location (
  id                       INTEGER PRIMARY KEY,
  code                     TEXT NOT NULL,
  title                    TEXT NOT NULL,
  published                INTEGER NOT NULL,
  currency                 TEXT NOT NULL,
  timezone                 TEXT NOT NULL,
  service_modes            TEXT NOT NULL,              -- JSON array
  opening_hours            TEXT NOT NULL,              -- JSON object, only the days that are open; of periods, their span
  tax_ppm                  INTEGER,
  prices_include_tax       INTEGER NOT NULL,
  service_charge_ppm       INTEGER NOT NULL,
  service_charge_modes     TEXT NOT NULL,              -- JSON array
  service_charge_taxable   INTEGER NOT NULL,
  delivery_fee_milli       INTEGER NOT NULL,
  free_delivery_from_milli INTEGER,
  delivery_fee_taxable     INTEGER NOT NULL,
  day_starts_at            TEXT NOT NULL,              -- HH:MM
  position                 INTEGER NOT NULL,
  address                  TEXT,
  phone                    TEXT,
  takeaway_tax_ppm         INTEGER,                    -- NULL: as tax_ppm (decision C8)
  opening_periods          TEXT,                       -- JSON {day: [{open, close}]}; NULL: opening_hours says it all
  closed_dates             TEXT NOT NULL DEFAULT '[]', -- JSON [{from, until, title}], both inclusive
  minimum_delivery_milli   INTEGER
) STRICT;

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

CREATE TABLE location_item (                           -- exceptions only
  location_id INTEGER NOT NULL REFERENCES location (id),
  item_id     INTEGER NOT NULL REFERENCES item (id),
  enabled     INTEGER NOT NULL,
  price_milli INTEGER CHECK (price_milli >= 0),        -- NULL inherits, 0 is a price
  PRIMARY KEY (location_id, item_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE location_variation (
  location_id  INTEGER NOT NULL REFERENCES location (id),
  variation_id INTEGER NOT NULL REFERENCES variation (id),
  price_milli  INTEGER CHECK (price_milli >= 0),
  PRIMARY KEY (location_id, variation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE promotion (
  id                 INTEGER PRIMARY KEY,
  location_id        INTEGER NOT NULL REFERENCES location (id),
  title              TEXT NOT NULL,
  active             INTEGER NOT NULL,
  channel            TEXT,
  service_mode       TEXT,
  weekdays           TEXT NOT NULL,                    -- JSON array, empty: every day
  from_time          TEXT,                             -- HH:MM
  until_time         TEXT,                             -- exclusive; earlier than from_time: past midnight
  valid_from         TEXT,                             -- YYYY-MM-DD, inclusive
  valid_until        TEXT,
  min_subtotal_milli INTEGER,
  percent_ppm        INTEGER,
  amount_milli       INTEGER,
  position           INTEGER NOT NULL,
  CHECK ((percent_ppm IS NULL) <> (amount_milli IS NULL))
) STRICT;

-- The kitchen (decision E2): its stations, and which dish goes to which of them. Tickets refer to stations, so a station that a
-- later file leaves out is only closed. Nothing refers to rules and recipes, so an import replaces them.

CREATE TABLE station (
  id          INTEGER PRIMARY KEY,
  location_id INTEGER NOT NULL REFERENCES location (id),
  title       TEXT NOT NULL,
  is_default  INTEGER NOT NULL,
  active      INTEGER NOT NULL,
  position    INTEGER NOT NULL
) STRICT;

CREATE TABLE routing_rule (
  id           INTEGER PRIMARY KEY,
  location_id  INTEGER NOT NULL REFERENCES location (id),
  priority     INTEGER NOT NULL,
  item_id      INTEGER REFERENCES item (id),           -- NULL in any of the four: no condition
  category_id  INTEGER REFERENCES category (id),
  channel      TEXT,
  service_mode TEXT,
  stations     TEXT NOT NULL,                          -- JSON array of ids, empty: not for the kitchen
  position     INTEGER NOT NULL
) STRICT;

-- Stock (decision E3). *_milli are thousandths of the unit; *_micro are millionths, so that a quantity of a dish times
-- its recipe needs no rounding.

CREATE TABLE stock_item (
  id            INTEGER PRIMARY KEY,
  location_id   INTEGER NOT NULL REFERENCES location (id),
  title         TEXT NOT NULL,
  unit          TEXT NOT NULL,
  low_at_milli  INTEGER,
  on_hand_micro INTEGER NOT NULL DEFAULT 0,            -- always the sum of its movements; below 0: count again
  position      INTEGER                                -- NULL: left out of the last file
) STRICT;

CREATE TABLE recipe_line (
  stock_id  INTEGER NOT NULL REFERENCES stock_item (id),
  kind      TEXT NOT NULL CHECK (kind IN ('item', 'variation', 'modifier')),
  target_id INTEGER NOT NULL,                          -- of that kind
  qty_milli INTEGER NOT NULL CHECK (qty_milli > 0),
  position  INTEGER NOT NULL,
  PRIMARY KEY (stock_id, kind, target_id)
) STRICT, WITHOUT ROWID;

-- Catalogues as they were before an import or an edit, so that it can be undone; the newest are kept.
CREATE TABLE catalogue_version (
  id       INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  actor    TEXT NOT NULL,                              -- who changed it then, by name
  what     TEXT NOT NULL,                              -- what that change was
  document TEXT NOT NULL                               -- the restaurant file before it
) STRICT;

-- Live state: the 86 list and paused locations ------------------------------------------------------------------

CREATE TABLE unavailable (                             -- the 86 list (decisions D1 and D9)
  kind        TEXT NOT NULL CHECK (kind IN ('item', 'variation', 'modifier')),
  target_id   INTEGER NOT NULL,                        -- of that kind
  location_id INTEGER NOT NULL,                        -- 0: everywhere
  since_at    INTEGER NOT NULL,
  until_at    INTEGER,                                 -- NULL: until a person lifts it
  actor       TEXT,                                    -- who did it, by name; NULL: before that was recorded
  PRIMARY KEY (kind, target_id, location_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE pause (                                   -- locations that take no orders for now (decision D10)
  location_id INTEGER PRIMARY KEY REFERENCES location (id),
  since_at    INTEGER NOT NULL,
  until_at    INTEGER,                                 -- NULL: until a person lifts it
  actor       TEXT NOT NULL
) STRICT;

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

-- Printers ------------------------------------------------------------------------------------------------------

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

-- Guests' pages -------------------------------------------------------------------------------------------------

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

-- Who works here: people and screens, and what was done by whom --------------------------------------------------

CREATE TABLE staff (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  role       TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'staff')),
  created_at INTEGER NOT NULL,
  ended_at   INTEGER,                                  -- NULL: works here; the name stays in what they did (decision G6)
  password   TEXT,                                     -- both as hashed by store/people/password.ts (decision 047)
  pin        TEXT
) STRICT;
CREATE UNIQUE INDEX staff_by_name ON staff (name) WHERE ended_at IS NULL;

CREATE TABLE device (
  id           INTEGER PRIMARY KEY,
  title        TEXT NOT NULL,
  role         TEXT NOT NULL CHECK (role IN ('till', 'kitchen', 'board', 'kiosk', 'printer')),
  location_id  INTEGER NOT NULL REFERENCES location (id),
  created_at   INTEGER NOT NULL,
  last_seen_at INTEGER,
  ended_at     INTEGER,
  station_id   INTEGER REFERENCES station (id),        -- NULL: all stations
  sha256       BLOB CHECK (length(sha256) = 32)        -- of the secret that it was paired with (decision 048)
) STRICT;
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

-- Append-only: every act of a person or a command on orders, the 86 list, stock, the menu, settings and access (decision
-- G6), and a guest's cancellation, written in the act's own transaction. Never contains a guest's name or texts.
CREATE TABLE activity (
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
CREATE INDEX activity_by_order ON activity (order_id) WHERE order_id IS NOT NULL;
CREATE TRIGGER activity_is_never_changed BEFORE UPDATE ON activity
  BEGIN SELECT raise(ABORT, 'the activity log is append-only'); END;
CREATE TRIGGER activity_is_never_shortened BEFORE DELETE ON activity
  BEGIN SELECT raise(ABORT, 'the activity log is append-only'); END;
-- INSERT OR REPLACE deletes without asking the trigger above.
CREATE TRIGGER activity_is_never_replaced BEFORE INSERT ON activity
  WHEN EXISTS (SELECT 1 FROM activity WHERE id = new.id)
  BEGIN SELECT raise(ABORT, 'the activity log is append-only'); END;

-- Orders, each with a snapshot of what it was priced with (decision C7) -------------------------------------------

CREATE TABLE orders (
  id                     INTEGER PRIMARY KEY,
  number                 INTEGER NOT NULL,             -- 1 to 999999, then 1 again: ORD-000001
  location_id            INTEGER NOT NULL REFERENCES location (id),
  source                 TEXT NOT NULL,                -- api, storefront, qr, admin, pos
  channel                TEXT NOT NULL,
  service_mode           TEXT,                         -- as sent
  mode                   TEXT,                         -- the effective one (decision C4)
  status                 TEXT NOT NULL,
  fulfillment_status     TEXT,
  currency               TEXT NOT NULL,
  exponent               INTEGER NOT NULL,
  subtotal_minor         INTEGER NOT NULL,
  discount_minor         INTEGER NOT NULL,
  service_charge_minor   INTEGER NOT NULL,
  delivery_fee_minor     INTEGER NOT NULL,
  tax_minor              INTEGER NOT NULL,
  grand_total_minor      INTEGER NOT NULL,
  tax_ppm                INTEGER,
  prices_include_tax     INTEGER NOT NULL,
  service_charge_ppm     INTEGER NOT NULL,
  service_charge_taxable INTEGER NOT NULL,
  delivery_fee_taxable   INTEGER NOT NULL,
  promotion              TEXT,                         -- JSON {id, title, discount: {percentPpm | amount}}
  notes                  TEXT,
  customer_name          TEXT,
  customer_phone         TEXT,
  customer_email         TEXT,
  placed_at              INTEGER NOT NULL,
  business_date          TEXT NOT NULL,                -- YYYY-MM-DD at the location (decision E5)
  stock_taken            INTEGER NOT NULL DEFAULT 0,   -- 1: its stock was taken, which happens once (decision E3)
  manual_discount        TEXT,                         -- JSON {reason, percentPpm | amount}, part of discount_minor
  cancel_reason          TEXT,
  tax_lines              TEXT,                         -- JSON [{ratePpm, base, tax}] (C8); NULL: one rate, that of tax_ppm
  table_id               INTEGER,
  table_title            TEXT,                         -- its title at that time
  wanted_at              INTEGER,                      -- when the guest wants it; NULL: as soon as possible (decision G8)
  delivery_address       TEXT,
  delivery_postcode      TEXT,
  attempt_id             TEXT,                         -- of our own pages; the same twice is the same order (decision G3)
  attempt_sha256         BLOB,                         -- of what was ordered with it
  called_at              INTEGER,                      -- when its number was last called on the pick-up board
  fulfillment_since      INTEGER                       -- since when it has its fulfillment_status; NULL: since it was placed
) STRICT;
CREATE INDEX orders_by_number ON orders (number);
CREATE INDEX orders_by_day ON orders (business_date);
CREATE UNIQUE INDEX orders_by_attempt ON orders (attempt_id) WHERE attempt_id IS NOT NULL;
-- Few of them, so that the lists of open, unpaid and late orders do not read all others.
CREATE INDEX orders_open ON orders (id) WHERE status IN ('placed', 'confirmed');
CREATE INDEX orders_at_pass ON orders (location_id, fulfillment_since)
  WHERE fulfillment_status = 'ready' OR fulfillment_status = 'out_for_delivery';
CREATE INDEX orders_handed_over ON orders (location_id, fulfillment_since) WHERE fulfillment_status = 'fulfilled';

CREATE TABLE order_line (
  id              INTEGER PRIMARY KEY,
  order_id        INTEGER NOT NULL REFERENCES orders (id),
  item_id         INTEGER NOT NULL,
  variation_id    INTEGER,
  name            TEXT NOT NULL,
  qty_milli       INTEGER NOT NULL,
  unit_minor      INTEGER NOT NULL,
  modifiers_minor INTEGER NOT NULL,                    -- charged modifiers of one unit
  total_minor     INTEGER NOT NULL,
  notes           TEXT,
  modifiers       TEXT,                                -- JSON [{id, title, group, qty, free, price}], NULL: none
  removed_at      INTEGER,                             -- NULL: it is part of the order
  tax_ppm         INTEGER                              -- the rate of the line (C8); NULL: that of the order
) STRICT;
CREATE INDEX order_line_by_order ON order_line (order_id);

-- Webhooks: which systems get the events of orders (section 6) -------------------------------------------------

CREATE TABLE webhook_endpoint (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,        -- never used again: the log names removed endpoints
  url        TEXT NOT NULL UNIQUE,
  paused     INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE webhook_secret (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,        -- the highest is the newest
  secret     TEXT NOT NULL,                            -- as typed: signing needs it, so a hash is not enough
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
  facts         TEXT NOT NULL,                         -- JSON: the event as store/outbox/order-event.ts has it
  created_at    INTEGER NOT NULL,
  dispatched_at INTEGER                                -- NULL: no attempt was started; the same for every endpoint
) STRICT;

CREATE TABLE webhook_attempt (                         -- the outbox while it waits, the delivery log afterwards
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
  response_headers TEXT,                               -- the first ones: JSON [name, value, name, value]
  UNIQUE (event_id, endpoint_id)
) STRICT;
CREATE INDEX webhook_attempt_pending ON webhook_attempt (endpoint_id) WHERE state = 'pending';

-- After the order -----------------------------------------------------------------------------------------------

-- Tables that orders write to spell their checks with OR: for a longer IN list, SQLite builds a table with every row.

CREATE TABLE ticket (
  id         INTEGER PRIMARY KEY,
  order_id   INTEGER NOT NULL REFERENCES orders (id),
  station_id INTEGER NOT NULL REFERENCES station (id),
  batch      INTEGER NOT NULL,                         -- 1: with the order, then one more for each later addition
  state      TEXT NOT NULL CHECK (state = 'held' OR state = 'open' OR state = 'done' OR state = 'void'),
  opened_at  INTEGER NOT NULL,                         -- when it came to the station; while it is held, when it was made
  closed_at  INTEGER,
  fire_at    INTEGER,                                  -- when a held ticket fires by itself; NULL: when staff fire it
  seen_at    INTEGER,                                  -- when a screen first showed it, or it was printed; NULL: not yet
  acknowledged_at INTEGER,                             -- when the kitchen acknowledged its allergies and notes
  held_for   TEXT CHECK (held_for = 'payment' OR held_for = 'confirmation'), -- what fires a held ticket besides its time
  notice_at  INTEGER                                   -- when a line was last voided; NULL once the kitchen has taken note
) STRICT;
CREATE INDEX ticket_by_order ON ticket (order_id);
CREATE INDEX ticket_in_sight ON ticket (state, closed_at) WHERE state <> 'done';
CREATE INDEX ticket_to_fire ON ticket (fire_at) WHERE state = 'held';
CREATE INDEX ticket_by_station ON ticket (station_id, state, closed_at);
CREATE INDEX ticket_with_notice ON ticket (notice_at) WHERE notice_at IS NOT NULL;

CREATE TABLE ticket_item (
  ticket_id INTEGER NOT NULL REFERENCES ticket (id),
  line_id   INTEGER NOT NULL REFERENCES order_line (id),
  state     TEXT NOT NULL CHECK (state = 'open' OR state = 'done' OR state = 'void'),
  PRIMARY KEY (ticket_id, line_id)
) STRICT, WITHOUT ROWID;

-- Append-only: what the kitchen saw and did, in order. A screen that knows a sequence asks for the events after it.
CREATE TABLE ticket_event (
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
CREATE INDEX ticket_event_by_ticket ON ticket_event (ticket_id);
CREATE UNIQUE INDEX ticket_event_by_client_ref ON ticket_event (client_ref) WHERE client_ref IS NOT NULL;
CREATE TRIGGER ticket_event_is_never_changed BEFORE UPDATE ON ticket_event
  BEGIN SELECT raise(ABORT, 'what the kitchen saw is append-only'); END;
CREATE TRIGGER ticket_event_is_never_shortened BEFORE DELETE ON ticket_event
  BEGIN SELECT raise(ABORT, 'what the kitchen saw is append-only'); END;

CREATE TABLE stock_movement (
  id        INTEGER PRIMARY KEY,
  stock_id  INTEGER NOT NULL REFERENCES stock_item (id),
  kind      TEXT NOT NULL CHECK (kind = 'set' OR kind = 'add' OR kind = 'waste' OR kind = 'sold' OR kind = 'returned'),
  qty_micro INTEGER NOT NULL,                          -- what it adds to the stock; negative: what it takes
  order_id  INTEGER REFERENCES orders (id),            -- NULL: a person's act
  note      TEXT,
  at        INTEGER NOT NULL,
  actor     TEXT,                                      -- who did it, by name; NULL: an order, an import, or before version 4
  client_ref TEXT                                      -- a movement with the same reference is recorded once
) STRICT;
CREATE UNIQUE INDEX stock_movement_by_client_ref ON stock_movement (stock_id, client_ref) WHERE client_ref IS NOT NULL;
CREATE INDEX stock_movement_by_order ON stock_movement (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX stock_movement_by_time ON stock_movement (at);

-- Append-only (decision E4). The balance of an order, what is still to be paid, is the sum of its entries.
CREATE TABLE ledger (
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
CREATE UNIQUE INDEX ledger_voided_once ON ledger (order_id, voids) WHERE voids IS NOT NULL;
CREATE UNIQUE INDEX ledger_by_client_ref ON ledger (order_id, client_ref) WHERE client_ref IS NOT NULL;
-- The charge is of the same day as its order, so it needs no entry here, which makes new orders faster.
CREATE INDEX ledger_by_day ON ledger (business_date) WHERE entry > 1;
CREATE TRIGGER ledger_is_never_changed BEFORE UPDATE ON ledger
  BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_is_never_shortened BEFORE DELETE ON ledger
  BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
-- INSERT OR REPLACE deletes without asking the trigger above.
CREATE TRIGGER ledger_is_never_replaced BEFORE INSERT ON ledger
  WHEN EXISTS (SELECT 1 FROM ledger WHERE order_id = new.order_id
                  AND (entry = new.entry OR voids = new.voids OR client_ref = new.client_ref))
  BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;

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
