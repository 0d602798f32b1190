import {
  cleanText,
  type Faults,
  isObject,
  isSafeUrl,
  type JsonObject,
  member,
  membersOf,
  type Path,
} from '../foreign-document.ts'
import { firstRelease } from './releases.ts'

/** The side that publishes it: a business sells, a platform buys. */
export type ProfileRole = 'business' | 'platform'

export type ProfileService = {
  readonly name: string
  readonly version: string
  readonly transport: 'rest' | 'mcp' | 'a2a' | 'embedded'
  readonly endpoint: string | null
}

export type ProfileCapability = {
  readonly name: string
  readonly version: string
  readonly extends: readonly string[]
  readonly config: JsonObject | null
}

export type ProfilePaymentHandler = {
  readonly name: string
  readonly id: string
  readonly version: string
  /** The types of instruments that it takes; empty: it does not say, which means all. */
  readonly instruments: readonly string[]
  /** As the handler defines it. */
  readonly config: JsonObject
}

/** What the readers of the parts share. */
export type ProfileContext = {
  readonly faults: Faults
  readonly role: ProfileRole
  readonly version: string
  readonly allowLoopback: boolean
}

export const versionPattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const namePattern = /^[a-z][a-z0-9]*(\.[a-z][a-z0-9_-]*)+$/
/** From this release on, businesses name the schema of a capability. */
const release2026_08 = '2026-08-25'
const entriesMax = 20
const transports = ['rest', 'mcp', 'a2a', 'embedded'] as const

/** What the entries of a profile say, without those that a reader must drop. Null where a part is missing without which it means nothing. */
export function readEntries(
  ucp: JsonObject,
  context: ProfileContext,
): {
  services: ProfileService[]
  capabilities: ProfileCapability[]
  paymentHandlers: ProfilePaymentHandler[]
} | null {
  const lists = readRegistries(ucp, context)
  if (lists === null) return null
  return {
    services: lists.services.flatMap((entry) => readService(entry, context) ?? []),
    capabilities: withParents(
      lists.capabilities.flatMap((entry) => readCapability(entry, context) ?? []),
      context.faults,
    ),
    paymentHandlers: lists.handlers.flatMap((entry) => readHandler(entry, context) ?? []),
  }
}

/** An entry of a registry: its name, and where it stands. */
type Entry = { readonly name: string; readonly value: JsonObject; readonly at: Path }
type Registries = { services: Entry[]; capabilities: Entry[]; handlers: Entry[] }

/** Null where a part is missing without which the profile means nothing. */
function readRegistries(ucp: JsonObject, context: ProfileContext): Registries | null {
  const services = readRegistry(ucp, 'services', context, true)
  const capabilities = readRegistry(ucp, 'capabilities', context, false)
  const handlers = readRegistry(ucp, 'payment_handlers', context, context.version !== firstRelease)
  return services && capabilities && handlers ? { services, capabilities, handlers } : null
}

function readRegistry(
  ucp: JsonObject,
  part: string,
  { faults }: ProfileContext,
  isRequired: boolean,
): Entry[] | null {
  const registry = member(ucp, part)
  const at = ['ucp', part]
  if (registry === undefined && !isRequired) return []
  if (!isObject(registry)) {
    const message =
      registry === undefined ? `The object \`${part}\` is missing.` : `\`${part}\` is not an object.`
    faults.error(
      at,
      message,
      `Write \`${part}\` as an object: each name, such as dev.ucp.shopping, with a list of entries. It may be empty.`,
    )
    return null
  }
  return membersOf(registry).flatMap(([name, list]): Entry[] => {
    if (!namePattern.test(name) || name.length > 255) {
      faults.error(
        [...at, name],
        'The name is not a reversed domain name.',
        'Use a name such as dev.ucp.shopping.checkout or com.example.pay.',
      )
      return []
    }
    if (!Array.isArray(list)) {
      faults.error(
        [...at, name],
        'The value is not a list of entries.',
        'Write a list, also for a single entry.',
      )
      return []
    }
    return list.slice(0, entriesMax).flatMap((value: unknown, index): Entry[] => {
      if (isObject(value)) return [{ name, value, at: [...at, name, index] }]
      faults.error(
        [...at, name, index],
        'The entry is not an object.',
        'Write an object with at least a version.',
      )
      return []
    })
  })
}

/** The version of an entry; null if it must not be used. Entries of UCP itself have the version of the profile. */
function versionOf({ name, value, at }: Entry, { faults, version: of }: ProfileContext): string | null {
  const version = cleanText(member(value, 'version'), 10)
  if (version === null || !versionPattern.test(version)) {
    faults.error(
      [...at, 'version'],
      'The version is missing, or is not a date.',
      'Name the version as YYYY-MM-DD.',
    )
    return null
  }
  if (isOfUcp(name) && version !== of) {
    faults.error(
      [...at, 'version'],
      `This entry has version ${version} in a profile of ${of}, so every reader drops it.`,
      `Write ${of} here, and put entries of ${version} into a profile of their own, linked in supported_versions.`,
    )
    return null
  }
  return version
}

function isOfUcp(name: string): boolean {
  return name === 'dev.ucp' || name.startsWith('dev.ucp.')
}

/** Whether the addresses of an entry prove that its name is its author's. Without a schema, a schema is not needed. */
function isBound(
  { name, value, at }: Entry,
  needs: { schema: boolean; spec: boolean },
  { faults }: ProfileContext,
): boolean {
  const schema = member(value, 'schema')
  const spec = member(value, 'spec')
  if (spec === undefined ? needs.spec : !isHttps(spec)) {
    faults.error(
      [...at, 'spec'],
      'The address of the specification is missing, or is not https.',
      'Name the https address of the specification.',
    )
    if (needs.spec) return false
  }
  if (schema === undefined) {
    if (!needs.schema) return true
    faults.error(
      [...at, 'schema'],
      'The address of the schema is missing.',
      'Name the https address of the JSON Schema.',
    )
    return false
  }
  if (!isHttps(schema)) {
    faults.error([...at, 'schema'], 'The address of the schema is not https.', 'Serve the schema over https.')
    return false
  }
  const owner = new URL(schema).hostname.split('.').reverse().join('.')
  if (name === owner || name.startsWith(`${owner}.`)) return true
  faults.error(
    [...at, 'schema'],
    `The schema is served by ${new URL(schema).hostname.slice(0, 253)}, which does not own the name ${name}. Every reader treats the entry as absent.`,
    'Serve the schema from the domain that the name begins with, reversed.',
  )
  return false
}

function isHttps(value: unknown): value is string {
  const text = cleanText(value, 2000)
  return text !== null && isSafeUrl(text, { allowLoopback: false })
}

function readService(entry: Entry, context: ProfileContext): ProfileService | null {
  const { name, value, at } = entry
  const { faults, role } = context
  const version = versionOf(entry, context)
  const named = member(value, 'transport')
  const transport = transports.find((known) => known === named)
  if (transport === undefined) {
    faults.error(
      [...at, 'transport'],
      'The transport is none of rest, mcp, a2a and embedded.',
      'Name one of them; a service that has two transports has two entries.',
    )
    return null
  }
  const isPlatform = role === 'platform'
  const needs = {
    spec: isPlatform && context.version !== firstRelease,
    schema: isPlatform && transport !== 'a2a',
  }
  const needsEndpoint = !isPlatform && transport !== 'embedded'
  const endpoint = readEndpoint(entry, context, needsEndpoint)
  if (version === null || !isBound(entry, needs, context) || (endpoint === null && needsEndpoint)) return null
  return { name, version, transport, endpoint }
}

function readEndpoint(
  { value, at }: Entry,
  { faults, allowLoopback }: ProfileContext,
  isRequired: boolean,
): string | null {
  const endpoint = member(value, 'endpoint')
  if (endpoint === undefined && !isRequired) return null
  const text = cleanText(endpoint, 2000)
  if (text === null) {
    faults.error(
      [...at, 'endpoint'],
      'The endpoint is missing, or is not a text.',
      'Name the https address at which this transport is served.',
    )
    return null
  }
  if (!isSafeUrl(text, { allowLoopback })) {
    faults.error(
      [...at, 'endpoint'],
      'The endpoint is not an https address.',
      'Serve it over https, and name its whole address without a user name.',
    )
    return null
  }
  if (!/[?#]/.test(text) && !text.endsWith('/')) return text
  faults.warn(
    [...at, 'endpoint'],
    'The endpoint ends with a slash, or has a query: paths are appended to it.',
    'Remove the slash, the query and the fragment.',
  )
  return text.replace(/[?#].*$/s, '').replace(/\/+$/, '')
}

const orderCapability = 'dev.ucp.shopping.order'

function readCapability(entry: Entry, context: ProfileContext): ProfileCapability | null {
  const { name, value, at } = entry
  const { faults, role } = context
  const version = versionOf(entry, context)
  const isPlatform = role === 'platform'
  const needs = { spec: isPlatform, schema: isPlatform || context.version >= release2026_08 }
  const config = member(value, 'config')
  if (config !== undefined && !isObject(config))
    faults.warn(
      [...at, 'config'],
      'The configuration is not an object and is ignored.',
      'Write an object, or leave it out.',
    )
  const known = isObject(config) ? config : null
  if (isPlatform && name === orderCapability && !isHttps(known && member(known, 'webhook_url')))
    faults.error(
      [...at, 'config', 'webhook_url'],
      'The address for order webhooks is missing, or is not https.',
      'Name the https address that businesses send order webhooks to.',
    )
  if (version === null || !isBound(entry, needs, context)) return null
  return { name, version, extends: parentsOf(entry, faults), config: known }
}

function parentsOf({ value, at }: Entry, faults: Faults): string[] {
  const given = member(value, 'extends')
  if (given === undefined) return []
  const list: unknown[] = Array.isArray(given) ? given.slice(0, entriesMax) : [given]
  const parents = list.filter(
    (one): one is string => typeof one === 'string' && one.length <= 255 && namePattern.test(one),
  )
  if (parents.length < list.length || list.length === 0)
    faults.warn(
      [...at, 'extends'],
      'A parent is not the name of a capability.',
      'Name capabilities, such as dev.ucp.shopping.checkout, or leave it out.',
    )
  return parents
}

/** An extension without any of its parents means nothing: a reader drops it, which may take the parent of another. */
function withParents(capabilities: readonly ProfileCapability[], faults: Faults): ProfileCapability[] {
  let left = [...capabilities]
  for (;;) {
    const names = new Set(left.map(({ name }) => name))
    const kept = left.filter(
      (one) => one.extends.length === 0 || one.extends.some((parent) => names.has(parent)),
    )
    if (kept.length === left.length) return kept
    for (const { name } of left.filter((one) => !kept.includes(one)))
      faults.warn(
        ['ucp', 'capabilities', name],
        'It extends capabilities that this profile does not have, so readers drop it.',
        'Declare one of the capabilities that it extends.',
      )
    left = kept
  }
}

function readHandler(entry: Entry, context: ProfileContext): ProfilePaymentHandler | null {
  const { name, value, at } = entry
  const { faults, role } = context
  const version = versionOf(entry, context)
  const isPlatform = role === 'platform'
  const id = cleanText(member(value, 'id'), 255)
  if (id === null)
    faults.error([...at, 'id'], 'The id is missing.', 'Give each handler of the profile an id of its own.')
  const isOwned = isBound(entry, { spec: isPlatform, schema: isPlatform }, context)
  if (version === null || id === null || !isOwned) return null
  const config = member(value, 'config')
  return {
    name,
    id,
    version,
    instruments: instrumentsOf(entry, faults),
    config: isObject(config) ? config : {},
  }
}

function instrumentsOf({ value, at }: Entry, faults: Faults): string[] {
  const given = member(value, 'available_instruments')
  if (given === undefined) return []
  const list: unknown[] = Array.isArray(given) ? given.slice(0, entriesMax) : []
  const types = list.flatMap((one) => (isObject(one) ? (cleanText(member(one, 'type'), 100) ?? []) : []))
  if (types.length < list.length || list.length === 0)
    faults.warn(
      [...at, 'available_instruments'],
      'It is not a list of instruments that each have a type.',
      'Write a list of objects such as {"type": "card"}, or leave it out.',
    )
  return [...new Set(types)]
}
