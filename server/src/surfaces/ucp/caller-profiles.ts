import type { Mode } from '../../contract/context.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { EgressFault } from '../../platform/egress/fault.ts'
import { type CallerProfile, readCallerProfile } from '../../protocols/ucp/caller-profile.ts'
import { createFetchBudget } from './fetch-budget.ts'
import { comeBack, type TurnedAway, turnAway } from './turned-away.ts'

export type CallerProfiles = {
  /** The profile at an address. `freshly`: a copy that is older than the shortest time is not enough. */
  at(url: string, mode: Mode, how?: { freshly: boolean }): Promise<CallerProfile | TurnedAway>
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
const entriesMax = 1_000
const urlLengthMax = 2_048

type Entry = {
  readonly found: Promise<Fetched>
  readonly fetchedMs: number
  /** By when it is fetched again; until its answer is here, everybody waits for that. */
  untilMs: number
}

type Fetched = { readonly result: CallerProfile | TurnedAway; readonly keptMs: number }

/** The profiles of callers, kept for as long as they say. What strangers can make this process fetch and keep is bounded. */
export function createCallerProfiles(options: Options): CallerProfiles {
  const { egress, own, monotonicMs = () => performance.now() } = options
  const entries = new Map<string, Entry>()
  const budget = createFetchBudget({ inAll: 600, ofOrigin: 20 }, monotonicMs)

  async function load(url: string, mode: Mode): Promise<Fetched> {
    const ours = own(url)
    return ours ? readProfile(await ours, keptMinMs) : fetchProfile(egress, url, mode)
  }

  function keep(key: string, found: Promise<Fetched>): Entry {
    const entry: Entry = { found, fetchedMs: monotonicMs(), untilMs: Number.POSITIVE_INFINITY }
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest)
    void found.then(
      ({ keptMs }) => {
        entry.untilMs = monotonicMs() + keptMs
      },
      () => entries.delete(key), // a bug of ours is not kept
    )
    return entry
  }

  return {
    async at(url, mode, { freshly } = { freshly: false }) {
      const address = url.length > urlLengthMax ? null : URL.parse(url)
      if (address === null || address.hash !== '') return wrongAddress()
      // Test mode may reach addresses that live mode must not.
      const key = `${mode} ${url}`
      const known = entries.get(key)
      const nowMs = monotonicMs()
      const isKnown = known !== undefined && nowMs < known.untilMs
      const isFresh = isKnown && (!freshly || nowMs - known.fetchedMs < keptMinMs)
      if (isFresh) return (await known.found).result
      const waitSeconds = budget.take(address.origin)
      if (waitSeconds !== null) return isKnown ? (await known.found).result : comeBack(waitSeconds)
      return (await keep(key, load(url, mode)).found).result
    },
  }
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
    if (status !== 200) return failed(unreachable(`It was answered with status ${status}.`))
    return readProfile(body, keptMsOf(headers['cache-control']))
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    if (error.code === 'blocked_url' || error.code === 'blocked_address') return failed(wrongAddress())
    if (error.code === 'too_large') return failed(malformed(`It is larger than ${bytesMax / 1024} KiB.`))
    return failed(unreachable(`The connection failed: ${error.code}.`))
  }
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

function unreachable(why: string): TurnedAway {
  return turnAway('profile_unreachable', `The profile that UCP-Agent names cannot be read. ${why}`)
}

function malformed(why: string): TurnedAway {
  return turnAway('profile_malformed', `The profile that UCP-Agent names cannot be used. ${why}`)
}
