import type { Mode } from '../../../contract/context.ts'
import { after } from '../../../core/backoff.ts'
import { shareKeyOf } from '../../../platform/limits/share-key.ts'
import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import { tenantKey } from '../../../platform/work/turns.ts'
import type { StepContext, WorkKind } from '../../../platform/work/work.ts'
import { decideRoute, registryEntriesOfHosts } from '../../discovery/registry/public.ts'
import { type ClaimedLook, claimLooks, settleLook } from './looks.sql.ts'
import type { LookAnswer, Looked, LookerName, LookRequest, ShopLooker } from './port.ts'

/** How long shops have to answer. Nobody waits so long in a request; what comes later is there for the next one. */
const longestLookMs = 60_000
/** The same where each step is filled in for a buyer who is made up. */
const longestDemoMs = 120_000

/** Longer than the longest look, so that no lease has to be renewed. Two looks would do no harm. */
const leaseSeconds = 150

/** How many looks a process makes at once, and how many of these at one host for one tenant. */
const atOnce = { inAll: 12, perHost: 3 }

/** After how many seconds a look is tried again for which there was no room here. */
const crowdedSeconds = 1

/** For how many seconds that is done: whoever has asked has long gone. */
const crowdedSecondsMax = 600

/** For how many seconds an answer is good enough: prices change, and a shop that does not answer may do so soon. */
const seenSeconds = 600
const awaySeconds = 10

type Looker = { readonly name: LookerName; readonly modes: readonly Mode[]; readonly look: ShopLooker }

const leases = leaseStatements('looks', { endLease: true })

/** Looks at shops for those who wait. A look can be made twice without harm. */
export function createLookWork(lookers: readonly Looker[]): WorkKind<ClaimedLook> {
  const busy = new Map<string, number>()
  return {
    kind: lookWorkKind,
    leaseSeconds,
    concurrency: atOnce.inAll,
    claim: claimLooks,
    ...leases,
    async step(ctx, row) {
      // What one tenant looks at keeps no other from looking at the same shop.
      const there = `${tenantKey(row)} ${row.host}`
      const underWay = busy.get(there) ?? 0
      if (underWay >= atOnce.perHost) {
        await ctx.single(leases.release(row, crowdedSeconds))
        return
      }
      busy.set(there, underWay + 1)
      try {
        const answer = await lookAt(ctx, row, lookers)
        // A process that stops leaves the look to another one.
        if (ctx.signal.aborted) await ctx.single(leases.release(row))
        else if (answer.kind === 'no_room') await ctx.single(withoutRoom(row, ctx.now))
        else await ctx.single(settleLook({ ...heldOf(row), ...written(answer) }))
      } finally {
        const left = (busy.get(there) ?? 1) - 1
        if (left > 0) busy.set(there, left)
        else busy.delete(there)
      }
    },
  }
}

/** As in `ctx.tx.wake(kind)`. */
export const lookWorkKind = 'looks'

/** It stays unanswered, and is made as soon as there is room. An answer that nobody gets to see ends it at last. */
function withoutRoom(row: ClaimedLook, now: Date) {
  if (now < after(row.created_at, crowdedSecondsMax)) return leases.release(row, crowdedSeconds)
  return settleLook({ ...heldOf(row), answer: JSON.stringify({ kind: 'unavailable' }), fresh_seconds: 0 })
}

/** By the ways that the registry knows at this moment, the best first. */
async function lookAt(
  { reads, signal, tenant }: Pick<StepContext, 'reads' | 'signal' | 'tenant'>,
  { mode, host, request }: ClaimedLook,
  lookers: readonly Looker[],
): Promise<LookAnswer | { readonly kind: 'no_room' }> {
  const endsAtMs = performance.now() + (request.aim === 'demo' ? longestDemoMs : longestLookMs)
  const entry = (await registryEntriesOfHosts(reads, mode, [host])).get(host) ?? null
  const ways = decideRoute({ mode, seller: null, entry }).map(({ channel }) => channel)
  const fitting = ways.flatMap(
    (way) => lookers.find((one) => one.name === way && one.modes.includes(mode)) ?? [],
  )
  let unpayable: LookAnswer | null = null
  for (const { name, look } of fitting) {
    const timeoutMs = Math.max(1, Math.floor(endsAtMs - performance.now()))
    const looking = look(asAtSite(request, entry?.origin), {
      mode,
      share: shareKeyOf(tenant),
      moreHosts: entry?.more_hosts ?? [],
      timeoutMs,
      signal,
    })
    const looked = await untilStopped(looking, signal)
    if (looked.kind === 'unavailable' || looked.kind === 'no_room') return unpayable ?? looked
    if (looked.kind === 'elsewhere') continue
    const answer = { ...looked, channel: name }
    if (looked.sight.isPayable) return answer
    // Another way may be one to buy by.
    unpayable ??= answer
  }
  return unpayable ?? { kind: 'unsupported' }
}

/** A process that stops waits for no shop. What it has begun there ends by itself. */
async function untilStopped(looking: Promise<Looked>, signal: AbortSignal): Promise<Looked> {
  const stopped = Promise.withResolvers<Looked>()
  const stop = () => stopped.resolve({ kind: 'unavailable' })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([looking, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    // After that nobody hears how it ended.
    looking.catch(() => undefined)
  }
}

/** The origin that the registry names now. */
function asAtSite(request: LookRequest, origin: string | undefined): LookRequest {
  return origin === undefined ? request : { ...request, site: origin }
}

function heldOf({ account_id, mode, id, lease_token }: ClaimedLook) {
  return { account_id, mode, id, lease_token }
}

function written(answer: LookAnswer) {
  return {
    answer: JSON.stringify(answer),
    fresh_seconds: answer.kind === 'unavailable' ? awaySeconds : seenSeconds,
  }
}
