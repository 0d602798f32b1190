import { lookup, Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isLoopbackName } from './target.ts'

/** The addresses of a name, in the order in which they are to be tried. */
export type Resolve = (hostname: string) => Promise<string[]>

/**
 * Resolves a name that a tenant chose. It asks DNS directly and not the operating system: getaddrinfo occupies one of four threads that
 * files and crypto share, so four names whose servers never answer would stall the process. It would also use our hosts file and search
 * domains, which a tenant must not reach. `servers` replaces the name servers of the system.
 */
export async function resolveForeignName(hostname: string, servers?: string[]): Promise<string[]> {
  if (isLoopbackName(hostname)) return ['127.0.0.1', '::1']
  // One resolver per name follows a changed resolv.conf and can be cancelled alone.
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const v6 = resolver.resolve6(hostname).catch(none)
  try {
    const v4 = await resolver.resolve4(hostname).catch(remember)
    if (Array.isArray(v4) && v4.length > 0) {
      // RFC 8305: an answer that has arrived waits only briefly for the other family, which some servers drop silently.
      return [...v4, ...(await Promise.race([v6, delay(50, [])]))]
    }
    const addresses = await v6
    if (addresses.length === 0 && !Array.isArray(v4)) throw v4
    return addresses
  } finally {
    resolver.cancel()
  }
}

/** Resolves a name from our own configuration as the operating system does, including names of container networks. */
export async function resolveConfiguredName(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, order: 'verbatim' })
  return found.map((entry) => entry.address)
}

function none(): string[] {
  return []
}

function remember(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error('name resolution failed', { cause })
}
