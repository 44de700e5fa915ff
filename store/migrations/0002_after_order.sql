-- From the shape of version 1 to that of version 2: what happens after an order was placed.

-- The kitchen (decision E2): its stations, and which dish goes to which of them. Tickets point at stations, so one that a
-- later file leaves out is only closed; nothing points at rules and recipes, so those are written anew.

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

-- Stock (decision E3). *_milli are thousandths of the unit; *_micro millionths, which is what a quantity of a dish times
-- its recipe comes to without rounding.

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

ALTER TABLE orders ADD COLUMN stock_taken INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN manual_discount TEXT;
ALTER TABLE orders ADD COLUMN cancel_reason TEXT;
ALTER TABLE order_line ADD COLUMN removed_at INTEGER;
CREATE INDEX orders_by_day ON orders (business_date);

CREATE TABLE ticket (
  id         INTEGER PRIMARY KEY,
  order_id   INTEGER NOT NULL REFERENCES orders (id),
  station_id INTEGER NOT NULL REFERENCES station (id),
  batch      INTEGER NOT NULL,                         -- 1: with the order, then one more for each later addition
  state      TEXT NOT NULL CHECK (state IN ('open', 'done', 'void')),
  opened_at  INTEGER NOT NULL,
  closed_at  INTEGER
) STRICT;
CREATE INDEX ticket_by_order ON ticket (order_id);
CREATE INDEX ticket_in_sight ON ticket (state, closed_at) WHERE state <> 'done';

CREATE TABLE ticket_item (
  ticket_id INTEGER NOT NULL REFERENCES ticket (id),
  line_id   INTEGER NOT NULL REFERENCES order_line (id),
  state     TEXT NOT NULL CHECK (state IN ('open', 'done', 'void')),
  PRIMARY KEY (ticket_id, line_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE stock_movement (
  id        INTEGER PRIMARY KEY,
  stock_id  INTEGER NOT NULL REFERENCES stock_item (id),
  kind      TEXT NOT NULL CHECK (kind IN ('set', 'add', 'waste', 'sold', 'returned')),
  qty_micro INTEGER NOT NULL,                          -- what it adds to the stock, below 0 what it takes
  order_id  INTEGER REFERENCES orders (id),            -- NULL: a person's act
  note      TEXT,
  at        INTEGER NOT NULL
) STRICT;
CREATE INDEX stock_movement_by_order ON stock_movement (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX stock_movement_by_time ON stock_movement (at);

-- Append-only (decision E4). The balance of an order, what is still to be paid, is the sum of its entries.
CREATE TABLE ledger (
  order_id      INTEGER NOT NULL REFERENCES orders (id),
  entry         INTEGER NOT NULL CHECK (entry >= 1),
  kind          TEXT NOT NULL,
  amount_minor  INTEGER NOT NULL,
  method        TEXT CHECK (method IN ('cash', 'card', 'transfer', 'other')),
  voids         INTEGER,                               -- payment_void: the entry that it undoes
  client_ref    TEXT,                                  -- what makes a second press harmless
  note          TEXT,
  at            INTEGER NOT NULL,
  business_date TEXT NOT NULL,
  PRIMARY KEY (order_id, entry),
  FOREIGN KEY (order_id, voids) REFERENCES ledger (order_id, entry),
  CHECK ((kind = 'charge') = (entry = 1)),             -- exactly one, the first
  CHECK ((kind = 'payment_void') = (voids IS NOT NULL)),
  CHECK ((kind IN ('payment', 'payment_void', 'refund')) = (method IS NOT NULL)),
  CHECK (CASE WHEN kind IN ('charge', 'payment_void', 'refund') THEN amount_minor >= 0
              WHEN kind IN ('charge_void', 'payment', 'credit') THEN amount_minor <= 0
              ELSE kind = 'adjustment' END)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX ledger_voided_once ON ledger (order_id, voids) WHERE voids IS NOT NULL;
CREATE UNIQUE INDEX ledger_by_client_ref ON ledger (order_id, client_ref) WHERE client_ref IS NOT NULL;
-- The charge is of the same day as its order, so it needs no entry here, and a new order pays nothing for this.
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

-- Orders from before were charged nowhere yet, and took no stock: there was none.
INSERT INTO ledger (order_id, entry, kind, amount_minor, at, business_date)
SELECT id, 1, 'charge', grand_total_minor, placed_at, business_date FROM orders;
UPDATE orders SET stock_taken = 1;
