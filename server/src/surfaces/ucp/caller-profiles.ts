import { isIP } from 'node:net'
import type { Mode } from '../../contract/context.ts'
import { isLoopbackAddress } from '../../platform/egress/address.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { EgressFault } from '../../platform/egress/fault.ts'
import { isLoopbackName } from '../../platform/egress/target.ts'
import { type CallerProfile, readCallerProfile } from '../../protocols/ucp/caller-profile.ts'
import { isObject } from '../../schema/schema-node.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { createFetchBudget, type Fetching } from './fetch-budget.ts'
import { createKeptProfiles, type Entry, type Fetched } from './kept-profiles.ts'
import { comeBack, type TurnedAway, turnAway } from './turned-away.ts'

export type CallerProfiles = {
  /** The profile at an address, for a client that names it. */
  at(url: string, mode: Mode, by: AskedBy): Promise<CallerProfile | TurnedAway>
  /** A signature was verified by the profile: it is worth keeping. */
  trust(url: string, mode: Mode): void
}

type AskedBy = {
  /** The address of the client, as it is counted: what is fetched for it is of its budget. */
  readonly client: string
  /** A copy that is older than the shortest time is not enough. */
  readonly freshly?: boolean
}

type Options = {
  egress: Pick<Egress, 'request'>
  /** Our own profile, which is not fetched; null: the address is not ours. */
  own: (url: string) => Promise<Uint8Array> | null
  monotonicMs?: () => number
}

const fetchTimeoutMs = 2_000
const bytesMax = 128 * 1024
/** However short its sender says that a profile may be kept, and however long. */
const keptMinMs = 60_000
const keptMaxMs = 3_600_000
/** A caller that mends its profile waits no longer. */
const failureKeptMs = 10_000
const urlLengthMax = 2_048

const budgets = {
  ofAddress: { inAll: 120, refused: 30 },
  clean: { inAll: 600, ofOrigin: 60 },
  others: { inAll: 300, ofOrigin: 20 },
} as const

/** The profiles of callers, kept for as long as they say. What strangers can make this process fetch and keep is bounded. */
export function createCallerProfiles(options: Options): CallerProfiles {
  const { egress, own, monotonicMs = () => performance.now() } = options
  const kept = createKeptProfiles({ inAll: 1_000, ofAddress: 250 })
  const budget = createFetchBudget(budgets, monotonicMs)

  function begin(name: string, entry: Entry, ended: (isRefused: boolean) => void): Promise<Fetched> {
    // One that worked until now keeps its place while it is fetched again.
    kept.put(name, entry, kept.worthOf(name) ?? 'refused')
    return entry.found.then(
      (fetched) => {
        entry.untilMs = monotonicMs() + fetched.keptMs
        const isRefused = 'kind' in fetched.result
        const worth = kept.worthOf(name)
        if (worth !== null)
          kept.judge(name, entry, isRefused ? 'refused' : worth === 'refused' ? 'read' : worth)
        ended(isRefused && !fetched.isFree)
        return fetched
      },
      (error) => {
        kept.forget(name, entry) // a bug of ours is not kept
        ended(false)
        throw error
      },
    )
  }

  return {
    async at(url, mode, { client, freshly = false }) {
      const address = url.length > urlLengthMax ? null : URL.parse(url)
      if (address === null || address.hash !== '') return wrongAddress()
      // Test mode may reach addresses that live mode must not.
      const name = nameOf(url, mode)
      const known = kept.get(name)
      const nowMs = monotonicMs()
      const isKnown = known !== null && nowMs < known.untilMs
      const isFresh = isKnown && (!freshly || nowMs - known.fetchedMs < keptMinMs)
      if (isFresh) return (await known.found).result
      // What worked when it was fetched last is fetched again once in the shortest time, whoever names it: no budget stops it.
      const isTrusted = known !== null && kept.worthOf(name) !== 'refused'
      const ours = own(url)
      const taken = isTrusted || ours ? unbounded : budget.take(client, address.origin)
      if (typeof taken === 'number') return isKnown ? (await known.found).result : comeBack(taken)
      const entry = {
        found: ours ? ours.then((bytes) => readProfile(bytes, keptMinMs)) : fetchProfile(egress, url, mode),
        fetchedMs: nowMs,
        untilMs: Number.POSITIVE_INFINITY,
        address: client,
      }
      return (await begin(name, entry, taken.end)).result
    },
    trust(url, mode) {
      const name = nameOf(url, mode)
      const entry = kept.get(name)
      if (entry !== null && kept.worthOf(name) === 'read') kept.judge(name, entry, 'verified')
    },
  }
}

const unbounded: Fetching = { kind: 'taken', end: () => undefined }

function nameOf(url: string, mode: Mode): string {
  return `${mode} ${url}`
}

async function fetchProfile(egress: Options['egress'], url: string, mode: Mode): Promise<Fetched> {
  try {
    const { status, headers, body } = await egress.request({
      url,
      method: 'GET',
      headers: { accept: 'application/json' },
      mode,
      timeoutMs: fetchTimeoutMs,
      maxResponseBytes: bytesMax,
      lane: 'profile',
    })
    if (status !== 200 || (isOfThisMachine(url) && !namesProfile(body))) return failed(unreachable())
    return readProfile(body, keptMsOf(headers['cache-control']))
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return refusedBy(error, url, mode)
  }
}

/**
 * What a URL alone shows is said. All else is said alike: who names an address learns nothing about what listens there, or about which
 * ports of this machine are ours.
 */
function refusedBy({ code }: EgressFault, url: string, mode: Mode): Fetched {
  const isNear = isOfThisMachine(url)
  const isOfUrl =
    code === 'blocked_url' ||
    (code === 'blocked_address' && isIP(hostOf(url)) !== 0 && !(isNear && mode === 'test'))
  if (isOfUrl) return { ...failed(wrongAddress()), isFree: true }
  if (code === 'too_large' && !isNear) return failed(malformed(`It is larger than ${bytesMax / 1024} KiB.`))
  return failed(unreachable())
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''
}

function isOfThisMachine(url: string): boolean {
  const host = hostOf(url)
  return isLoopbackName(host) || isLoopbackAddress(host)
}

/** Whether a document means to be a profile, whatever is wrong with it. */
function namesProfile(body: Uint8Array): boolean {
  const parsed = parseJson(body)
  return parsed.ok && isObject(parsed.value) && 'ucp' in parsed.value
}

function readProfile(bytes: Uint8Array, keptMs: number): Fetched {
  const profile = readCallerProfile(bytes)
  return profile ? { result: profile, keptMs } : failed(malformed('It is no UCP profile.'))
}

function failed(result: TurnedAway): Fetched {
  return { result, keptMs: failureKeptMs }
}

function keptMsOf(cacheControl: string | readonly string[] | undefined): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/.exec(String(cacheControl ?? ''))?.[1]
  return Math.min(Math.max(Number(seconds ?? 0) * 1000, keptMinMs), keptMaxMs)
}

function wrongAddress(): TurnedAway {
  return turnAway('invalid_profile_url', 'UCP-Agent must name your profile by a public https URL.')
}

function unreachable(): TurnedAway {
  const what = `It must answer with status 200 within ${fetchTimeoutMs / 1000} seconds, and be a UCP profile of at most ${bytesMax / 1024} KiB.`
  return turnAway('profile_unreachable', `The profile that UCP-Agent names cannot be read. ${what}`)
}

function malformed(why: string): TurnedAway {
  return turnAway('profile_malformed', `The profile that UCP-Agent names cannot be used. ${why}`)
}
