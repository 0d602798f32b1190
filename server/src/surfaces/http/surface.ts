import { type Operation, standsOn } from '../../contract/operation.ts'
import type { Dispatch } from '../../platform/calls/dispatch.ts'
import type { RequestLine } from './request-line.ts'
import type { HttpServer } from './server.ts'

/** What a surface mounts its routes on. */
export type Http = Pick<HttpServer, 'route' | 'edge'>

/** What every surface gets. Anything else that it needs, such as the way to identify its callers, is given when it is made. */
export type SurfaceContext = {
  /** The operations that name this surface. */
  readonly operations: readonly Operation[]
  readonly dispatch: Dispatch
  /** Where the API is reached from outside. */
  readonly publicUrl: string
  /** Called with one line for each request. */
  readonly onRequest: (line: RequestLine) => void
  readonly onBug: (error: unknown) => void
  /** Aborts when the server drains. */
  readonly draining: AbortSignal
}

/** Identifies callers and speaks one dialect: a folder of its own, and one line in the list of `app.ts`. */
export type Surface = {
  /** The name that operations use in their `surfaces`. */
  readonly name: string
  mount(http: Http, context: SurfaceContext): void
}

/** Mounts the surfaces. Throws where two have one name, or where an operation names a surface that does not exist. */
export function mountSurfaces(
  http: Http,
  surfaces: readonly Surface[],
  { operations, ...context }: SurfaceContext,
): void {
  const names = new Set<string>()
  for (const { name } of surfaces) {
    if (names.has(name)) throw new Error(`there are two surfaces ${name}`)
    names.add(name)
  }
  for (const operation of operations) {
    const missing = operation.surfaces.find((name) => !names.has(name))
    if (missing !== undefined) throw new Error(`${operation.id} stands on ${missing}, which is no surface`)
  }
  for (const surface of surfaces) {
    const own = operations.filter((operation) => standsOn(operation, surface.name))
    surface.mount(http, { ...context, operations: own })
  }
}
