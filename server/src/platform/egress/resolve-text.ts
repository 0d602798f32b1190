import { Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isLoopbackName } from './target.ts'

/** The TXT records of a name, each as one text. Throws the error of DNS when the name has none. */
export type ResolveText = (hostname: string) => Promise<string[]>

/**
 * Asks DNS directly, like `resolveForeignName` and for the same reasons. `servers` replaces the name servers of the system. Nothing is
 * connected to, so there is no address to check.
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
    // A record may arrive in pieces of 255 bytes.
    return (await resolver.resolveTxt(hostname)).map((pieces) => pieces.join(''))
  } finally {
    over.abort()
  }
}

/** The resolver asks servers that refuse again, one after another, for longer than a caller waits. */
const deadlineMs = 4_000
