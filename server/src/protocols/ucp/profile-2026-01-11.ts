import { isObject, type JsonObject, member, membersOf } from '../foreign-document.ts'

const transports = ['rest', 'mcp', 'a2a', 'embedded']

/**
 * A profile of 2026-01-11 in the shape of later releases: there, capabilities are a list with names inside, a service has its transports
 * as members, and payment handlers stand beside `ucp`. What has another shape stays as it is, so that its faults are found.
 */
export function asRegistries(document: JsonObject, ucp: JsonObject): JsonObject {
  const payment = member(document, 'payment')
  const handlers = isObject(payment) ? member(payment, 'handlers') : undefined
  return {
    ...ucp,
    services: servicesOf(member(ucp, 'services')),
    capabilities: byName(member(ucp, 'capabilities')),
    ...(handlers === undefined ? {} : { payment_handlers: byName(handlers) }),
  }
}

function servicesOf(services: unknown): unknown {
  if (!isObject(services)) return services
  return fromEntries(
    membersOf(services).map(([name, service]) => {
      if (!isObject(service)) return [name, service]
      const bound = transports.flatMap((transport) => {
        const binding = member(service, transport)
        return isObject(binding)
          ? [{ version: member(service, 'version'), spec: member(service, 'spec'), ...binding, transport }]
          : []
      })
      return [name, bound]
    }),
  )
}

function byName(list: unknown): unknown {
  if (!Array.isArray(list)) return list
  const named = new Map<string, unknown[]>()
  for (const entry of list.slice(0, 200)) {
    const name: unknown = isObject(entry) ? member(entry, 'name') : undefined
    const key = typeof name === 'string' ? name : ''
    named.set(key, [...(named.get(key) ?? []), entry])
  }
  return fromEntries([...named])
}

/** Without a prototype, so that a name such as `__proto__` is a name like any other. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): JsonObject {
  const made: Record<string, unknown> = Object.create(null)
  for (const [name, value] of entries) made[name] = value
  return made
}
