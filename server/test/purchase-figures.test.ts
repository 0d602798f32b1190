import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invariants } from '../src/composition.ts'
import { brokenInvariants } from './harness/broken-invariants.ts'
import { startOwnServer } from './harness/database.ts'
import { type PurchaseByHand, startPurchaseByHand } from './harness/purchase-by-hand.ts'
import { nameOf, type Sent } from './harness/recorded-pools.ts'
import { openWrittenLog, type Written, type WrittenLog } from './harness/written-log.ts'

/** The most that a whole native purchase may take, all processes together: see docs/performance.md. */
const budgets: Figures = {
  statements: 63,
  transactions: 20,
  rows: 76,
  logBytes: 52_000,
  storedBytes: 33_600,
}

type Figures = {
  statements: number
  transactions: number
  rows: number
  logBytes: number
  storedBytes: number
}

/** Ids, times and random numbers have texts of different lengths. */
const bytesTolerance = 0.05

const snapshot = fileURLToPath(new URL('./purchase-figures.snap', import.meta.url))

let server: Awaited<ReturnType<typeof startOwnServer>>
let byHand: PurchaseByHand
let log: WrittenLog

beforeAll(async () => {
  // Nothing but the purchase writes: the counts are exact.
  server = await startOwnServer({ autovacuum: 'off' })
  byHand = await startPurchaseByHand(server)
  log = await openWrittenLog(byHand.app.databaseUrl)
})
afterAll(async () => {
  await log?.close()
  await byHand?.stop()
  await server?.stop()
})

type StageFigures = { name: string; sent: Sent[]; written: Written }

test('a whole native purchase sends exactly the statements, and writes exactly the rows, that it is known to', async () => {
  // The first purchases warm up: connections are opened, keys are known, and followers are seen to be up to date.
  for (const _ of ['first', 'second']) for (const { run } of byHand.stages()) await run()
  const storedBefore = await log.stored()
  const marks = [await log.mark()]
  const sent: Sent[][] = []
  const stages = byHand.stages()
  for (const { run } of stages) {
    sent.push(ofThePurchase(await byHand.record(run)))
    marks.push(await log.mark())
  }
  const written = await log.between(marks)
  const storedBytes = (await log.stored()) - storedBefore
  await expectDone()

  const figures = stages.map(({ name }, index): StageFigures => {
    const [sentThen, writtenThen] = [sent[index], written[index]]
    if (!sentThen || !writtenThen) throw new Error(`nothing was recorded of ${name}`)
    return { name, sent: sentThen, written: writtenThen }
  })
  const total = totalOf(figures, storedBytes)
  await expect(keepingKnownBytes(textOf(figures, total))).toMatchFileSnapshot(snapshot)
  for (const name of Object.keys(budgets) as (keyof Figures)[]) {
    expect(total[name], name).toBeGreaterThan(0)
    expect(total[name], name).toBeLessThanOrEqual(budgets[name])
  }
})

/** All three purchases succeeded, and nothing of them is left to do. */
async function expectDone(): Promise<void> {
  const { app } = byHand
  const [state] = await app.sql(
    `select (select array_agg(distinct status::text) from purchase_intents) as intents,
       (select array_agg(distinct status::text) from deliveries) as deliveries, (select count(*)::int from deliveries) as delivered,
       (select count(*)::int from outbox) as unrelayed, (select count(*)::int from carts where due_at is not null) as due`,
  )
  expect(state).toEqual({
    intents: ['succeeded'],
    deliveries: ['succeeded'],
    delivered: 6,
    unrelayed: 0,
    due: 0,
  })
  expect(await brokenInvariants(app, invariants)).toEqual([])
}

/** Looks for work that find none belong to no purchase: each process makes them as time goes by. So do the leases of shards. */
function ofThePurchase(sent: readonly Sent[]): Sent[] {
  return sent.filter(({ statement: { name }, rows }) => {
    const isLook = /^(?:claim_|relay_select_(?:pending|due)$)/.test(name)
    return !(isLook && rows === 0) && !/^relay_(?:renew|acquire)_shards$/.test(name)
  })
}

function countsOf(sent: readonly Sent[]) {
  return {
    // The begin and the end of a transaction are sent and answered like any other statement.
    statements: sent.length,
    transactions: sent.filter(({ isAlone, statement }) => isAlone || statement.name === 'tx_begin').length,
    trips: new Set(sent.map(({ trip }) => trip)).size,
  }
}

function totalOf(
  stages: readonly StageFigures[],
  storedBytes: number,
): Figures & { trips: number } & Written {
  const counts = stages.map(({ sent }) => countsOf(sent))
  const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0)
  const of = (kind: keyof Written) => sum(stages.map(({ written }) => written[kind]))
  return {
    statements: sum(counts.map(({ statements }) => statements)),
    transactions: sum(counts.map(({ transactions }) => transactions)),
    trips: sum(counts.map(({ trips }) => trips)),
    rows: of('inserted') + of('updated') + of('deleted'),
    inserted: of('inserted'),
    updated: of('updated'),
    deleted: of('deleted'),
    locked: of('locked'),
    logBytes: of('logBytes'),
    storedBytes,
  }
}

function textOf(stages: readonly StageFigures[], total: ReturnType<typeof totalOf>): string {
  const lines = stages.flatMap(({ name, sent, written }) => [
    `${name}: ${countsText(countsOf(sent))}; ${writtenText(written)}`,
    ...tripLines(sent).map((line) => `  ${line}`),
  ])
  return [
    `the whole purchase: ${countsText(total)}; ${writtenText(total)}, stored ${total.storedBytes} bytes`,
    ...lines,
    '',
  ].join('\n')
}

function countsText({ statements, transactions, trips }: ReturnType<typeof countsOf>): string {
  return `${statements} statements, ${transactions} transactions, ${trips} round trips`
}

function writtenText({ inserted, updated, deleted, locked, logBytes }: Written): string {
  return `${inserted} rows inserted, ${updated} updated, ${deleted} deleted, ${locked} locked; log ${logBytes} bytes`
}

/** One line a round trip. */
function tripLines(sent: readonly Sent[]): string[] {
  return [...Map.groupBy(sent, ({ trip }) => trip).values()].map((trip) =>
    trip.map(({ statement }) => nameOf(statement)).join(', '),
  )
}

/** The figures of bytes that differ only within the tolerance from those of the snapshot are those of the snapshot. */
function keepingKnownBytes(text: string): string {
  if (!existsSync(snapshot)) return text
  const known = [...readFileSync(snapshot, 'utf8').matchAll(/(\d+) bytes/g)].map(([, bytes]) => Number(bytes))
  let place = 0
  return text.replace(/(\d+) bytes/g, (found, bytes: string) => {
    const before = known[place++]
    const isKnown = before !== undefined && Math.abs(Number(bytes) - before) <= before * bytesTolerance
    return isKnown ? `${before} bytes` : found
  })
}
