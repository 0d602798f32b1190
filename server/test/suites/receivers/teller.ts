import { setTimeout as delay } from 'node:timers/promises'
import { openKeys } from '../../../src/cli/operator/keys-at-hand.ts'
import type { Id } from '../../../src/core/id.ts'
import { openParts } from '../../../src/parts.ts'
import { runAs } from '../../../src/platform/calls/run-as.ts'
import { advanceTestClock } from '../../../src/platform/clock/test-clock.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { createHints } from '../../../src/platform/hints/pg-hints.ts'
import { silentLog } from '../../../src/platform/logs/logs.ts'
import { patience } from '../../gate/pace.ts'
import { draftOf } from '../../harness/any-draft.ts'
import { defaultLimits } from '../../harness/default-limits.ts'
import type { Service } from '../whole-product.ts'

/** The events of an order in these suites, in this sequence. */
export const orderTypes = ['order.requested', 'order.confirmed', 'payment.captured'] as const

/** One event as its commit was acknowledged. */
type ToldEvent = { event: string; committedAt: number }

export type CommittedEvent = {
  id: string
  /** The accounts of the merchant that gets the events, and of the buyer whose order it is. */
  account: string
  buyer: string
  type: string
  order: string
  sequence: number
}

/** The buyer of an order, and its merchant. */
type Parties = { merchant: string; buyer: string }

/** Commits events as the product's own processes do, without an order behind each, and moves the clock. */
export type Teller = {
  newOrder(): string
  /** Events of one order, in one transaction, from this sequence on. Again and again until the commit is acknowledged. */
  tell(parties: Parties, order: string, sequence: number, count?: number): Promise<ToldEvent[]>
  /** Every event of these accounts that is in the database. */
  committed(merchants: readonly string[]): Promise<CommittedEvent[]>
  /** What is still to be relayed or attempted now, leaving out these destinations. */
  open(without: readonly string[]): Promise<number>
  advance(seconds: number): Promise<void>
  close(): Promise<void>
}

const patienceMs = 60_000

export async function openTeller(service: Service): Promise<Teller> {
  const config = readConfig(service.environment)
  const databaseUrl = service.ready.database_url
  const hints = await createHints({ directUrl: databaseUrl, log: silentLog() })
  const parts = await openParts({
    databaseUrl,
    role: 'suite',
    keys: await openKeys(config),
    hints,
    settings: {
      publicUrl: service.ready.base_url,
      allowLoopback: true,
      livePayments: false,
      sharesTestDomains: false,
      limits: defaultLimits,
    },
    testClock: true,
    writers: 4,
    readers: 2,
    onDatabaseError: () => undefined, // the statement under way fails with it and is tried again
  })
  const actor = { type: 'system', id: 'suite' } as const

  async function query<Row>(text: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await insist(() => parts.pools.single({ name: '', text, values }))
    return rows as Row[] // the caller names the shape it selects
  }

  return {
    newOrder: () => parts.newId('ord', Date.now()),
    async tell({ merchant, buyer }, order, sequence, count = 1) {
      const tenant = { accountId: buyer as Id<'acct'>, mode: 'test' } as const // opened by this suite
      // A commit whose acknowledgement was lost shows as a sequence that is taken. Its event is then owed, because the database has it.
      const events = Array.from({ length: count }, (_, index) => ({
        id: parts.newId('evt', Date.now()),
        sequence: sequence + index,
      }))
      const told = await insist(() =>
        runAs(parts, { tenant, actor }, async (ctx) => {
          for (const { id, sequence: at } of events) {
            ctx.tx.emit(
              draftOf({
                id,
                type: orderTypes[(at - 1) % orderTypes.length] ?? 'order.requested',
                aggregateId: order,
                sequence: at,
                object: { id: order, sequence: at, note: 'naïve ☕' },
                recipient: {
                  accountId: merchant as Id<'acct'>, // opened by this suite
                  data: { order: { id: order, sequence: at, note: 'naïve ☕' } },
                },
              }),
            )
          }
        }).catch((error: unknown) => {
          if (isTaken(error)) return
          throw error
        }),
      ).then(() => Date.now())
      return events.map(({ id }) => ({ event: id, committedAt: told }))
    },
    committed: (merchants) =>
      query(
        `select id, recipient_account_id as account, account_id as buyer, type, aggregate_id as "order", sequence from events
         where recipient_account_id = any ($1) and type = any ($2)`,
        [merchants, orderTypes],
      ),
    async open(without) {
      const rows = await query<{ open: number }>(
        `select (select count(*) from outbox)::int + (select count(*) from follower_backlog)::int + (
           select count(*) from deliveries v
           join webhook_destinations d on d.account_id = v.account_id and d.mode = v.mode and d.id = v.destination_id
           where v.due_at <= prokura_now() and d.status = 'enabled' and v.destination_id <> all ($1)
         )::int as open`,
        [without],
      )
      return rows[0]?.open ?? 0
    },
    async advance(seconds) {
      await insist(() => advanceTestClock(databaseUrl, seconds))
    },
    async close() {
      await hints.close()
      await parts.close()
    },
  }
}

/** A database that is being restarted refuses for a while. */
export async function insist<T>(work: () => Promise<T>): Promise<T> {
  const wait = patience(patienceMs)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (wait.isOver()) throw error
      await delay(100)
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
