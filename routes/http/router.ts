import findMyWay from 'find-my-way'
import type { Access, App, Caller, Guard, Handler, Parameters } from './handler.ts'
import type { Head } from './head.ts'
import type { RefusalCode, RefusalFormat } from './refusal.ts'
import type { Exchange, Reply } from './reply.ts'

/** A path as find-my-way spells it, or a function that recognises one and returns its parameters. */
type Path = string | ((app: App, path: string) => Parameters | undefined)

/** One line of the table of routes. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  path: Path
  access: Access<Caller>
  /** Decides who is calling, then handles the call. */
  handle(app: App, exchange: Exchange, head: Head, parameters: Parameters): ReturnType<Handler>
  /** The refusal when it throws. */
  failure: RefusalCode
}

/** Routes below the same prefix. */
export interface Group {
  prefix: string
  /** How clients of these routes read a refusal. */
  refusals: RefusalFormat
  /** Checked before the access of each route. */
  guard?: Guard
  routes: Route[]
}

/** Makes a line of the table. The handler gets the caller that the access found. */
export function route<C extends Caller>(
  method: Route['method'],
  path: Path,
  access: Access<C>,
  handler: Handler<C>,
  failure: RefusalCode = 'SERVER_ERROR',
): Route {
  return {
    method,
    path,
    access,
    failure,
    handle(app, exchange, head, parameters): Reply | Promise<Reply | undefined> {
      const caller = access(app, exchange, head)
      if (caller.kind === 'refusal') return caller
      if (caller.kind === 'denied') return caller.reply
      return handler(app, { exchange, head, parameters, caller })
    },
  }
}

/** What a request line leads to. */
export interface Found {
  route: Route
  refusals: RefusalFormat
  guard: Guard | undefined
  parameters: Parameters
}

const methods = ['GET', 'HEAD', 'POST', 'DELETE'] as const

/** Finds routes by method and path. HEAD works wherever GET does. */
export function router(app: App, groups: Group[]) {
  // A path must be spelt as it is in the table: no decoding, no second slash, no slash at the end.
  const table = findMyWay({ caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 16 * 1024 })
  const recognised: { group: Group; route: Route; recognise: Exclude<Path, string> }[] = []
  for (const group of groups) {
    for (const route of group.routes) {
      const { path } = route
      if (typeof path !== 'string') recognised.push({ group, route, recognise: path })
      else for (const method of methodsOf(route)) table.on(method, `${group.prefix}${path}`, () => {}, { group, route })
    }
  }

  function find(method: string, path: string): Found | undefined {
    const known = methods.find(each => each === method)
    if (!known) return undefined
    // No path in the table has an escape, a backslash or an empty segment.
    const isPlain = !path.includes('%') && !path.includes('\\') && !path.includes('//')
    const found = isPlain ? table.find(known, path) : null
    if (found) {
      const { group, route } = found.store as { group: Group; route: Route }
      return { route, refusals: group.refusals, guard: group.guard, parameters: found.params }
    }
    for (const { group, route, recognise } of recognised) {
      if (!methodsOf(route).includes(known) || !path.startsWith(`${group.prefix}/`)) continue
      const parameters = recognise(app, path.slice(group.prefix.length))
      if (parameters) return { route, refusals: group.refusals, guard: group.guard, parameters }
    }
    return undefined
  }

  return {
    find,
    /** How a path that has no route is refused: as the routes are whose prefix it shares. */
    refusalsAt(path: string): RefusalFormat {
      const near = groups.filter(({ prefix }) => path.startsWith(`${prefix}/`))
      return near.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.refusals ?? 'json'
    },
    /** Those of the pages and the API; printers have one more. */
    methods: [...methods.filter(method => method !== 'DELETE'), 'OPTIONS'],
    /** The methods that a path has and how it is refused; undefined when there is no such path. */
    methodsAt(path: string): { allowed: string[]; refusals: RefusalFormat } | undefined {
      const allowed = methods.filter(method => find(method, path))
      const [first] = allowed
      const found = first && find(first, path)
      return found && { allowed: [...allowed, 'OPTIONS'], refusals: found.refusals }
    },
  }
}

export type Router = ReturnType<typeof router>

function methodsOf({ method }: Route): readonly (typeof methods)[number][] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}
