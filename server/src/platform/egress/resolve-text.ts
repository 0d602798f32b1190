import { Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isLoopbackName } from './target.ts'

/** The TXT records at a name, each as one text. Throws what DNS answered when it has none. */
export type ResolveText = (hostname: string) => Promise<string[]>

/**
 * Asks DNS directly, like `resolveForeignName` and for the same reasons. `servers` replaces the name servers of the system. Nothing is
 * connected to, so there is no address to be checked.
 */
export async function resolveForeignText(hostname: string, servers?: string[]): Promise<string[]> {
  // Reserved for this machine, which publishes nothing.
  if (isLoopbackName(hostname)) return []
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const over = new AbortController()
  const late = delay(deadlineMs, undefined, { signal: over.signal }).then(() => resolver.cancel())
  late.catch(() => undefined)
  try {
    // A record may come in pieces of 255 bytes.
    return (await resolver.resolveTxt(hostname)).map((pieces) => pieces.join(''))
  } finally {
    over.abort()
  }
}

/** Servers that refuse are asked again by the resolver, one after another, for longer than anybody waits. */
const deadlineMs = 4_000
