import type { ActingContext, CallContext, Tenant } from '../../contract/context.ts'
import { rateLimited } from '../../contract/limit-refusals.ts'
import { type Limits, limitsTable, type RateName } from '../../contract/limits.ts'
import type { Statement } from '../../contract/statement.ts'
import { type RateStatements, ratesIn } from './rates.sql.ts'

/** One rate, and the subject that it is counted for, which may have a part of it alone: one in so many. */
export type Asked = {
  readonly limit: RateName
  readonly subject: string
  readonly oneIn?: number
  /** What a refusal says that was counted, where it is not what the limit says. */
  readonly scope?: 'ip'
}

const rates = ratesIn('rate_counters')

type Acting = Pick<ActingContext, 'tenant' | 'now' | 'settings' | 'tx'>
type Ask = <Row>(statement: Statement<Row>) => Promise<Row[]>

const sweptAtOnce = 20

/** A subject within a tenant: the tenant itself, or an object of it. */
export function subjectOf({ accountId, mode }: Tenant, id?: string): string {
  return [accountId, mode, ...(id === undefined ? [] : [id])].join(' ')
}

/**
 * Counts one more in each of the rates, in the call's own transaction: a call that is rolled back was not counted, and a repeat with the
 * same idempotency key counts nothing. Throws 429 where one of them is used up. Name them in the same order everywhere, the most general
 * first: each stays locked until the transaction ends. It costs a round trip, so it is for rare operations.
 */
export async function takeRates(ctx: Acting, asked: readonly Asked[]): Promise<void> {
  await takeFrom((statement) => ctx.tx.rows(statement), ctx, asked)
  ctx.tx.write(rates.sweep({ now: ctx.now, limit: sweptAtOnce }))
}

/** The same in a transaction of its own: it counts even if the call fails, and nobody waits for the call's end. */
export async function takeRateNow(
  ctx: Pick<Acting, 'now' | 'settings'> & { commitNow: Ask },
  asked: Asked,
): Promise<void> {
  await Promise.all([
    takeFrom(ctx.commitNow, ctx, [asked]),
    ctx.commitNow(rates.sweep({ now: ctx.now, limit: sweptAtOnce })),
  ])
}

/**
 * What one caller may ask of a group of operations: strangers by address, the shortest time first; with keys by account and mode. Pages
 * have what the account has, apart: a key that stands in a page can be copied, and what is spent with it is not the account's.
 */
export type RequestRates = {
  readonly anonymous: readonly RateName[]
  readonly live: RateName
  readonly test: RateName
}

type Asking = Pick<
  CallContext,
  'tenant' | 'keyId' | 'actsForAccount' | 'address' | 'now' | 'settings' | 'random' | 'commitNow'
>

/**
 * Counts a request that changes nothing in transactions of its own, before it is answered. All processes count together, so it costs a
 * round trip; expired counts are swept by one request in sixteen.
 */
export async function takeRequestRates(ctx: Asking, asked: RequestRates): Promise<void> {
  // One after the other: what one refuses counts in none that follows.
  for (const one of askedBy(ctx, asked)) await takeFrom(ctx.commitNow, ctx, [one])
  const isSweeping = (ctx.random(1)[0] ?? 0) % 16 === 0
  if (isSweeping) await ctx.commitNow(rates.sweep({ now: ctx.now, limit: sweptAtOnce * 16 }))
}

/** How many addresses it takes to spend what one page key has, and how many keys to spend what all of an account have. */
const pageShares = { address: 5, key: 2 } as const

function askedBy({ tenant, keyId, actsForAccount, address }: Asking, rates: RequestRates): readonly Asked[] {
  const limit = rates[tenant.mode]
  // guard pages-apart: a copied page key spends nothing of the rate of its account
  if (actsForAccount) return [{ limit, subject: subjectOf(tenant) }]
  if (keyId === null) return rates.anonymous.map((limit) => ({ limit, subject: address }))
  return [
    { limit, subject: `${subjectOf(tenant, keyId)} ${address}`, oneIn: pageShares.address, scope: 'ip' },
    { limit, subject: subjectOf(tenant, keyId), oneIn: pageShares.key },
    { limit, subject: `${subjectOf(tenant)} pages` },
  ]
}

/** Counts one more in each, in order; throws 429 where one is used up. `statements`: where a role counts in a table of its own. */
export async function takeFrom(
  ask: Ask,
  { now, settings }: { readonly now: Date; readonly settings: { readonly limits: Limits } },
  asked: readonly Asked[],
  statements: RateStatements = rates,
): Promise<void> {
  const counted = asked.map(({ limit: name, subject, oneIn = 1, scope = limitsTable[name].scope }) => ({
    scope,
    counter: {
      name,
      subject,
      now,
      seconds: limitsTable[name].windowSeconds,
      limit: Math.ceil(settings.limits[name] / oneIn),
    },
  }))
  // Sent together, and run in order.
  const taken = await Promise.all(counted.map(({ counter }) => ask(statements.take(counter))))
  const refused = counted[taken.findIndex((rows) => rows.length === 0)]
  if (!refused) return
  const { scope, counter } = refused
  const [row] = await ask(statements.roomAt(counter))
  const roomAt = row?.room_at ?? now
  throw rateLimited({
    scope,
    limit: counter.limit,
    windowSeconds: counter.seconds,
    retryAfterSeconds: (roomAt.getTime() - now.getTime()) / 1000,
  })
}
