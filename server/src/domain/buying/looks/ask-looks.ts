import { createHash } from 'node:crypto'
import type { CallContext, Mode, Reads } from '../../../contract/context.ts'
import { subjectOf, takeRates } from '../../../platform/limits/rates.ts'
import { decideRoute, registryEntriesOfHosts } from '../../discovery/registry/public.ts'
import { shopsOwnId } from '../../discovery/sources/public.ts'
import { askLook, type LookRow, selectLooks } from './looks.sql.ts'
import type { LookAnswer, LookerName, LookRequest } from './port.ts'
import { lookWorkKind } from './work.ts'

/** How long a caller waits for looks in a request. */
const lookWaitMs = 25_000

/** After how many seconds a caller that waited in vain asks again. */
export const lookRetrySeconds = 5

/** How many milliseconds pass between two questions whether an answer is there. */
const probeMs = 200

/** A shop that the registry knows, and the ways in which it can be looked at, the best first. */
export type VisibleSite = {
  readonly id: string
  readonly origin: string
  readonly host: string
  readonly name: string | null
  readonly ways: readonly LookerName[]
  /** How it would be bought from; null: there is no way. */
  readonly channel: LookerName | 'mpp' | null
}

/** Of the sites at these hosts, those that the registry of the mode knows. */
export async function readSites(
  reads: Pick<Reads, 'rows'>,
  mode: Mode,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, VisibleSite>> {
  const entries = await registryEntriesOfHosts(reads, mode, [...new Set(hosts)])
  return new Map(
    [...entries].map(([host, entry]): [string, VisibleSite] => {
      const found = decideRoute({ mode, seller: null, entry }).map(({ channel }) => channel)
      const channels = found.filter((one) => one === 'ucp' || one === 'browser' || one === 'mpp')
      const { id, origin } = entry
      const name = entry.name ?? entry.site_name
      const ways = channels.filter((one) => one !== 'mpp')
      return [host, { id, origin, host: entry.host, name, ways, channel: channels[0] ?? null }]
    }),
  )
}

/** One look, and the answer to it that is good enough; null: there is none yet. */
export type AskedLook = {
  readonly request: LookRequest
  readonly key: Buffer
  readonly known: KnownLook | null
  /** Whether somebody has asked already, and waits. */
  readonly isUnderWay: boolean
}

type KnownLook = { readonly answer: LookAnswer; readonly at: Date }

type Reading = Pick<CallContext, 'tenant' | 'reads' | 'now'>

/** Finds what is known already; it asks nobody. */
export async function findLooks(ctx: Reading, requests: readonly LookRequest[]): Promise<AskedLook[]> {
  if (requests.length === 0) return []
  const asked = requests
    .map(inWordsOfTheShop)
    .map((request) => ({ request, key: keyOf(request), known: null, isUnderWay: false }))
  return await readAnswers(ctx, asked)
}

/** A variant may be named by the id under which a search has shown it. */
function inWordsOfTheShop(request: LookRequest): LookRequest {
  const items = request.items.map((item) => {
    const id = item.variant?.id
    return id === undefined ? item : { ...item, variant: { ...item.variant, id: shopsOwnId(id) } }
  })
  return { ...request, items }
}

/** What it takes to look, and what was refused is refused before anything is written. */
type Asking = Reading & Pick<CallContext, 'tx' | 'newId' | 'hold' | 'settings'>

/**
 * Leaves the looks that have no answer to workers, with the commit of the call: the same look is made once, whoever asks. Throws 429
 * where the tenant has asked for too many.
 */
export async function startLooks(ctx: Asking, looks: readonly AskedLook[]): Promise<void> {
  if (looks.every(({ known }) => known !== null)) return
  ctx.hold('lookWaits')
  const missing = looks.filter(({ known, isUnderWay }) => known === null && !isUnderWay)
  if (missing.length === 0) return
  const { accountId: account_id, mode } = ctx.tenant
  const subject = subjectOf(ctx.tenant)
  await takeRates(
    ctx,
    missing.map(() => ({ limit: 'looks', subject })),
  )
  for (const { request, key } of missing) {
    const host = new URL(request.site).host
    const row = { account_id, mode, id: ctx.newId('look'), key, host, request: JSON.stringify(request) }
    ctx.tx.write(askLook({ ...row, now: ctx.now }))
  }
  ctx.tx.wake(lookWorkKind, { isAwaited: true })
}

/** Waits for answers, holding no connection; what is not answered in time stays as it is. */
export async function awaitLooks(
  ctx: Reading & Pick<CallContext, 'waitFor'>,
  looks: readonly AskedLook[],
): Promise<readonly AskedLook[]> {
  let last = looks
  const probe = async () => {
    last = await readAnswers(ctx, last)
    return last.every(({ known }) => known !== null) ? last : null
  }
  return (await ctx.waitFor(lookWorkKind, lookWaitMs, probe, { isFresh: true, quietMs: probeMs })) ?? last
}

async function readAnswers(ctx: Reading, looks: readonly AskedLook[]): Promise<AskedLook[]> {
  const { accountId: account_id, mode } = ctx.tenant
  const keys = looks.filter(({ known }) => known === null).map(({ key }) => key)
  const rows = await ctx.reads.rows(selectLooks({ account_id, mode, keys }))
  return looks.map((look) => {
    const row = rows.find(({ key }) => key.equals(look.key))
    if (row === undefined || look.known !== null) return look
    return { ...look, known: knownOf(row, ctx.now), isUnderWay: row.answer === null }
  })
}

function knownOf({ answer, answered_at: at, fresh_until }: LookRow, now: Date): KnownLook | null {
  return answer !== null && at !== null && fresh_until !== null && fresh_until > now ? { answer, at } : null
}

/** Equal questions have equal keys. */
function keyOf({ aim, site, items, currency, method, speed, feeAllowance, place }: LookRequest): Buffer {
  const said = [
    aim,
    site,
    items.map(({ url, quantity, variant }) => [
      url,
      quantity,
      variant && [variant.id, variant.sku, variant.selections?.map(({ name, value }) => [name, value])],
    ]),
    currency,
    method,
    speed,
    feeAllowance,
    place && [place.country, place.state, place.city, place.postalCode],
  ]
  return createHash('sha256').update(JSON.stringify(said)).digest()
}
