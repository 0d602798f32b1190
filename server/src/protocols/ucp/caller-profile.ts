import { isObject } from '../../schema/schema-node.ts'
import { parseJson } from '../../schema/strict-json.ts'
import type { PublicJwk } from './jwk.ts'
import type { Capabilities, CapabilityEntry } from './negotiate.ts'
import { asRegistries } from './profile-2026-01-11.ts'
import { firstRelease } from './releases.ts'

/** What a business needs of the profile of the platform that calls it. */
export type CallerProfile = {
  readonly version: string
  readonly capabilities: Capabilities
  readonly keys: readonly PublicJwk[]
  /** Where it wants to be told of its orders. */
  readonly orderWebhookUrl: string | null
  /** The ids of payment handlers by their names. */
  readonly handlers: readonly string[]
}

const isDated = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Reads the profile of a platform, and passes over all that is not needed; null: it is none. */
export function readCallerProfile(bytes: Uint8Array): CallerProfile | null {
  const parsed = parseJson(bytes)
  if (!parsed.ok || !isObject(parsed.value)) return null
  const { ucp: given } = parsed.value
  if (!isObject(given) || !isDated(given.version)) return null
  const ucp = given.version === firstRelease ? asRegistries(parsed.value, given) : given
  if (!isDated(ucp.version)) return null
  const capabilities = capabilitiesOf(ucp.capabilities, ucp.version)
  if (!capabilities || !isObject(ucp.services ?? {}) || !isObject(ucp.payment_handlers ?? {})) return null
  const orders = isObject(ucp.capabilities) ? ucp.capabilities[orderCapability] : undefined
  return {
    version: ucp.version,
    capabilities,
    keys: keysOf(parsed.value, ucp.version),
    orderWebhookUrl: webhookOf(orders, ucp.version),
    handlers: Object.keys(isObject(ucp.payment_handlers) ? ucp.payment_handlers : {}),
  }
}

const orderCapability = 'dev.ucp.shopping.order'
/** From this release on, keys are a JWK Set; before, a list of its own. No verifier reads the other one. */
const jwkSetsSince = '2026-08-25'

function capabilitiesOf(given: unknown, release: string): Capabilities | null {
  if (given === undefined) return new Map()
  if (!isObject(given)) return null
  return new Map(
    Object.entries(given).map(([name, entries]) => [
      name,
      (Array.isArray(entries) ? entries : []).flatMap((entry) => readEntry(name, entry, release) ?? []),
    ]),
  )
}

/** The protocol's own capabilities count only in the release of the document. */
function readEntry(name: string, entry: unknown, release: string): CapabilityEntry | null {
  if (!isObject(entry) || !isDated(entry.version)) return null
  if (name.startsWith('dev.ucp.') && entry.version !== release) return null
  return { version: entry.version, extends: parentsOf(entry.extends) }
}

function parentsOf(given: unknown): string[] {
  return [given].flat().filter((one) => typeof one === 'string')
}

/** A key that is none of ours to use affects only the signatures that name it. */
function keysOf(document: Record<string, unknown>, release: string): PublicJwk[] {
  const given = release >= jwkSetsSince ? document.keys : document.signing_keys
  return (Array.isArray(given) ? given : []).flatMap((key: unknown) => (isJwk(key) ? [key] : []))
}

function isJwk(key: unknown): key is PublicJwk {
  if (!isObject(key) || typeof key.kid !== 'string' || typeof key.kty !== 'string') return false
  const isText = (value: unknown) => value === undefined || typeof value === 'string'
  const { key_ops: operations } = key
  return (
    [key.crv, key.x, key.y, key.use, key.alg].every(isText) &&
    (operations === undefined || Array.isArray(operations))
  )
}

function webhookOf(orders: unknown, release: string): string | null {
  const entry = (Array.isArray(orders) ? orders : []).find(
    (one: unknown) => isObject(one) && one.version === release,
  )
  const config = isObject(entry) ? entry.config : undefined
  return isObject(config) && typeof config.webhook_url === 'string' ? config.webhook_url : null
}
