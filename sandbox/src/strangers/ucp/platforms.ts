import { isObject } from '../../fields.ts'
import { getText } from '../../http-client.ts'

/** Who calls, as its profile says. */
export type Platform = {
  url: string
  version: string
  capabilities: readonly string[]
  /** Where it wants to hear of orders. */
  webhookUrl: string | null
  keys: readonly unknown[]
  fetchedAt: number
}

export type Platforms = {
  /** `fresh`: not what is remembered, unless it is new. */
  find(url: string, fresh?: boolean): Promise<Platform | 'unreachable' | 'malformed'>
}

const keptMs = 60_000
const freshMs = 1_000
const timeoutMs = 4_000

/** The profiles of platforms, kept for a minute. */
export function openPlatforms(): Platforms {
  const known = new Map<string, Platform>()
  return {
    async find(url, fresh = false) {
      const before = known.get(url)
      const age = Date.now() - (before?.fetchedAt ?? 0)
      if (before !== undefined && age < (fresh ? freshMs : keptMs)) return before
      const platform = await fetchPlatform(url)
      if (typeof platform === 'object') {
        if (known.size >= 1_000) known.clear()
        known.set(url, platform)
      }
      return platform
    },
  }
}

/** Where the shop sends and asks: over TLS, or to a program on this machine. */
export function isReachable(url: unknown): url is string {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && /^(127\.0\.0\.1|localhost)$/.test(hostname))
}

async function fetchPlatform(url: string): Promise<Platform | 'unreachable' | 'malformed'> {
  let text: string
  try {
    const answer = await getText({ url, timeoutMs })
    if (answer.status !== 200) return 'unreachable'
    text = answer.text
  } catch {
    return 'unreachable'
  }
  return readPlatform(url, text) ?? 'malformed'
}

function readPlatform(url: string, text: string): Platform | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(document) || !isObject(document.ucp) || typeof document.ucp.version !== 'string')
    return undefined
  const { version, capabilities } = document.ucp
  const isList = Array.isArray(capabilities)
  const named: [string, unknown][] = isList
    ? capabilities.filter(isObject).map((one) => [String(one.name), [one]])
    : Object.entries(isObject(capabilities) ? capabilities : {})
  const order = named.find(([name]) => name === 'dev.ucp.shopping.order')?.[1]
  const entry: unknown = Array.isArray(order) ? order[0] : undefined
  const config = isObject(entry) && isObject(entry.config) ? entry.config : {}
  const keys = version >= '2026-08-25' ? document.keys : (document.signing_keys ?? document.keys)
  return {
    url,
    version,
    capabilities: named.map(([name]) => name),
    webhookUrl: isReachable(config.webhook_url) ? config.webhook_url : null,
    keys: Array.isArray(keys) ? keys : [],
    fetchedAt: Date.now(),
  }
}
