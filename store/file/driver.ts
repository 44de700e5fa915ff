import Database from 'better-sqlite3'

// Node.js 24.19 made the class that the driver's objects are built on end the process when one of them is collected, unless the
// driver was compiled for an older Node.js 24, as its prebuilt binaries are. Servery prepares its statements once, so
// keeping all of them costs nothing. Without this, a driver that was compiled here would crash at the first collection.
const kept = new Set<object>()

type Native = Record<'prepare' | 'exec' | 'backup', (this: object, ...args: unknown[]) => unknown>

function keepStatements(): void {
  const probe = new Database(':memory:')
  const [native] = Object.getOwnPropertySymbols(probe).map(symbol => Reflect.get(probe, symbol) as object)
  kept.add(native ?? probe)
  const methods = Object.getPrototypeOf(native) as Native
  for (const name of ['prepare', 'exec', 'backup'] as const) {
    const method = methods[name]
    methods[name] = function (...args) {
      const made = method.apply(this, args)
      kept.add(this)
      if (typeof made === 'object' && made !== null) kept.add(made)
      return made
    }
  }
}
keepStatements()

export type Db = Database.Database

export default Database
