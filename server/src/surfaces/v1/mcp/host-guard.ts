import type { IncomingHttpHeaders } from 'node:http'

/**
 * Against DNS rebinding: a page that made a browser call us names its own host or origin. Besides loopback, the host of `publicUrl` is the
 * only one that may be named. Programs that are no browsers name no origin.
 */
export function hostGuard(publicUrl: string): (headers: IncomingHttpHeaders) => boolean {
  const allowed: ReadonlySet<string | undefined> = new Set([
    new URL(publicUrl).hostname,
    'localhost',
    '127.0.0.1',
    '[::1]',
  ])
  // guard pages-of-others: a page of somebody else has no tools called by the browser that shows it
  return ({ host, origin }) =>
    allowed.has(hostnameIn(`http://${host ?? ''}`)) && (!origin || allowed.has(hostnameIn(origin)))
}

function hostnameIn(url: string): string | undefined {
  return URL.parse(url)?.hostname
}
