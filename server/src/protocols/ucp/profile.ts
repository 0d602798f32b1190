import {
  cleanText,
  type DocumentFault,
  Faults,
  isObject,
  isSafeUrl,
  type JsonObject,
  member,
  membersOf,
} from '../foreign-document.ts'
import { asRegistries } from './profile-2026-01-11.ts'
import {
  type ProfileCapability,
  type ProfileContext,
  type ProfilePaymentHandler,
  type ProfileRole,
  type ProfileService,
  readEntries,
  versionPattern,
} from './profile-entries.ts'
import { type ProfileKey, readKeys } from './profile-keys.ts'
import { firstRelease } from './releases.ts'

/** What a profile says that can be used: entries with errors are left out. */
export type Profile = {
  readonly version: string
  /** Older releases, each with the address of its own profile. */
  readonly supportedVersions: readonly { readonly version: string; readonly url: string }[]
  readonly services: readonly ProfileService[]
  readonly capabilities: readonly ProfileCapability[]
  readonly paymentHandlers: readonly ProfilePaymentHandler[]
  readonly keys: readonly ProfileKey[]
}

export type ProfileReading = { readonly profile: Profile | null; readonly faults: readonly DocumentFault[] }

const supportedMax = 20

type ReadOptions = {
  readonly role: ProfileRole
  /** The document was found under this version in `supported_versions` of another one. */
  readonly leafOf?: string
  /** Endpoints may be plain http on this machine. */
  readonly allowLoopback?: boolean
}

/**
 * Reads a UCP profile by the rules of its own release, and says what is wrong with it. Unknown members are ignored. It never throws,
 * whatever the document is.
 */
export function readProfile(
  document: unknown,
  { role, leafOf, allowLoopback = false }: ReadOptions,
): ProfileReading {
  const faults = new Faults()
  const ucp = isObject(document) ? member(document, 'ucp') : undefined
  if (!isObject(document) || !isObject(ucp)) {
    faults.error(
      [],
      'This is not a UCP profile: it has no object `ucp`.',
      'Put version, services, capabilities and payment_handlers into an object `ucp`.',
    )
    return { profile: null, faults: faults.found }
  }
  const version = readVersion(ucp, leafOf, faults)
  if (version === null) return { profile: null, faults: faults.found }
  const context = { faults, role, version, allowLoopback }
  const shape = version === firstRelease ? asRegistries(document, ucp) : ucp
  const entries = readEntries(shape, context)
  if (entries === null) return { profile: null, faults: faults.found }
  const profile = {
    version,
    supportedVersions: readSupportedVersions(ucp, { ...context, isLeaf: leafOf !== undefined }),
    ...entries,
    keys: readKeys(document, context),
  }
  return { profile, faults: faults.found }
}

function readVersion(ucp: JsonObject, leafOf: string | undefined, faults: Faults): string | null {
  const version = cleanText(member(ucp, 'version'), 10)
  if (version === null || !versionPattern.test(version)) {
    faults.error(
      ['ucp', 'version'],
      'The version is missing, or is not a date such as 2026-08-25.',
      'Name the release of UCP that this profile follows, as YYYY-MM-DD.',
    )
    return null
  }
  if (leafOf !== undefined && version !== leafOf) {
    faults.error(
      ['ucp', 'version'],
      `This profile was linked as version ${shown10(leafOf)}, and says ${version}. Platforms must not use it.`,
      'Serve the profile of the version under which supported_versions links to it.',
    )
    return null
  }
  return version
}

function shown10(version: string): string {
  return version.slice(0, 10)
}

function readSupportedVersions(
  ucp: JsonObject,
  { faults, role, version, allowLoopback, isLeaf }: ProfileContext & { isLeaf: boolean },
): Profile['supportedVersions'] {
  const given = member(ucp, 'supported_versions')
  const at = ['ucp', 'supported_versions']
  if (given === undefined) return []
  if (isLeaf || role === 'platform') {
    const whose = isLeaf ? 'A profile of an older version' : 'A profile of a platform'
    faults.warn(at, `${whose} has no supported_versions; they are ignored.`, 'Remove them here.')
    return []
  }
  if (!isObject(given)) {
    faults.warn(
      at,
      'supported_versions is not an object.',
      'Write an object: each older version with the address of its profile.',
    )
    return []
  }
  return membersOf(given, supportedMax).flatMap(([older, url]) => {
    const text = cleanText(url, 2000)
    if (
      versionPattern.test(older) &&
      older !== version &&
      text !== null &&
      isSafeUrl(text, { allowLoopback })
    )
      return [{ version: older, url: text }]
    faults.error(
      [...at, older],
      'It is not another version with the https address of its profile.',
      'Name each older version once, as YYYY-MM-DD, with the https address of a whole profile of that version.',
    )
    return []
  })
}
