import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { Exchange, Route } from './exchange.ts'

/** The route of a request with its parameters, or why there is none. */
type Found =
  | ({ readonly kind: 'route'; readonly route: Route } & Pick<Exchange, 'path' | 'query'>)
  /** The path cannot be decoded, or a part of it is longer than any id. */
  | { readonly kind: 'unreadable' }
  /** No route takes this method here. */
  | { readonly kind: 'unknown' }

type Router = {
  add(route: Route): void
  find(method: string, url: string): Found
  /** The routes of an address, by the methods that they take. */
  at(url: string): ReadonlyMap<string, Route>
}

/** The order in which they are listed. */
const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const unreadable: Found = { kind: 'unreadable' }
const unknown: Found = { kind: 'unknown' }

/** Finds the route of a request by its method and its path. */
export function createRouter(): Router {
  const router = findMyWay({
    maxParamLength: 600,
    // With these options, a path that cannot be read is reported as found without a route.
    onBadUrl: () => undefined,
    onMaxParamLength: () => undefined,
  })

  function find(method: string, url: string): Found {
    const found = router.find(method as HTTPMethod, url) // for a method that it does not know, it has no routes
    if (found === null) return unknown
    const route: Route | null = found.store
    if (route === null) return unreadable
    return { kind: 'route', route, path: found.params, query: found.searchParams }
  }

  return {
    add(route) {
      const path = route.path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
      router.on([...route.methods] as HTTPMethod[], path, () => undefined, route)
    },
    find,
    at(url) {
      const found = order.flatMap((method) => {
        const at = find(method, url)
        return at.kind === 'route' ? [[method, at.route] as const] : []
      })
      return new Map(found)
    },
  }
}
