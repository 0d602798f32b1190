import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers what its path does not take. */
    isRefusal?: boolean
  }
}

/** As they are listed. */
const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Which methods a path takes; none: there is nothing at it. Knows the routes that are mounted from now on. */
export function watchMethods(app: FastifyInstance): (path: string) => string[] {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isRefusal) return
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const name of [method].flat()) known.methods.add(name)
    paths.set(url, known)
  })
  return (path) => {
    const methods = [...paths.values()].flatMap(({ pattern, methods }) =>
      pattern.test(path) ? [...methods] : [],
    )
    return [...new Set(methods)].sort((one, other) => order.indexOf(one) - order.indexOf(other))
  }
}

/** `/v1/profiles/:profile_id`. The id may be empty, because the router takes that too, and the operation refuses it. */
function patternOf(url: string): RegExp {
  const segments = url
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]*' : RegExp.escape(segment)))
  return new RegExp(`^${segments.join('/')}$`)
}
