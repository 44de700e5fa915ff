import Database from 'better-sqlite3'

/** The one number that a query finds in a file, read over a connection of its own; 0 when it finds none. */
export function numberIn(file: string, sql: string, ...parameters: unknown[]): number {
  const db = new Database(file, { readonly: true })
  try {
    return (
      db
        .prepare<unknown[], number>(sql)
        .pluck()
        .get(...parameters) ?? 0
    )
  } finally {
    db.close()
  }
}

/** How many orders a file has. */
export function ordersIn(file: string): number {
  return numberIn(file, 'SELECT count(*) FROM orders')
}
