import Database from 'better-sqlite3'

/** The number that a query finds in a file, read over a separate connection; 0 if it finds none. */
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

/** The number of orders in a file. */
export function ordersIn(file: string): number {
  return numberIn(file, 'SELECT count(*) FROM orders')
}
