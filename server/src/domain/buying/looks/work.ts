import type { Mode } from '../../../contract/context.ts'
import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { StepContext, WorkKind } from '../../../platform/work/work.ts'
import { decideRoute, registryEntriesOfHosts } from '../../discovery/registry/public.ts'
import { type ClaimedLook, claimLooks, settleLook } from './looks.sql.ts'
import type { LookAnswer, Looked, LookerName, LookRequest, ShopLooker } from './port.ts'

/** How long shops have to answer. Nobody waits so long in a request; what comes later is there for the next one. */
const longestLookMs = 60_000

/** Longer than the longest look, so that no lease has to be renewed. Two looks would do no harm. */
const leaseSeconds = 90

/** How many looks a process makes at once, and how many of these at one host. */
const atOnce = { inAll: 12, perHost: 3 }

/** After how many seconds a look at a host that has enough of them is tried again. */
const crowdedSeconds = 1

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
      const underWay = busy.get(row.host) ?? 0
      if (underWay >= atOnce.perHost) {
        await ctx.single(leases.release(row, crowdedSeconds))
        return
      }
      busy.set(row.host, underWay + 1)
      try {
        const answer = await lookAt(ctx, row, lookers)
        // A process that stops leaves the look to another one.
        if (ctx.signal.aborted) await ctx.single(leases.release(row))
        else await ctx.single(settleLook({ ...heldOf(row), ...written(answer) }))
      } finally {
        const left = (busy.get(row.host) ?? 1) - 1
        if (left > 0) busy.set(row.host, left)
        else busy.delete(row.host)
      }
    },
  }
}

/** As in `ctx.tx.wake(kind)`. */
export const lookWorkKind = 'looks'

/** By the ways that the registry knows at this moment, the best first. */
async function lookAt(
  { reads, signal }: Pick<StepContext, 'reads' | 'signal'>,
  { mode, host, request }: ClaimedLook,
  lookers: readonly Looker[],
): Promise<LookAnswer> {
  const endsAtMs = performance.now() + longestLookMs
  const entry = (await registryEntriesOfHosts(reads, mode, [host])).get(host) ?? null
  const ways = decideRoute({ mode, seller: null, entry }).map(({ channel }) => channel)
  const fitting = ways.flatMap(
    (way) => lookers.find((one) => one.name === way && one.modes.includes(mode)) ?? [],
  )
  let unpayable: LookAnswer | null = null
  for (const { name, look } of fitting) {
    const timeoutMs = Math.max(1, Math.floor(endsAtMs - performance.now()))
    const looking = look(asAtSite(request, entry?.origin), { mode, timeoutMs, signal })
    const looked = await untilStopped(looking, signal)
    if (looked.kind === 'unavailable') return unpayable ?? looked
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
