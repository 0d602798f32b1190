import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../../gate/pace.ts'
import { eachOf, type Tally } from '../suite.ts'
import type { Service } from '../whole-product.ts'
import type { MemoryWatch } from './memory.ts'
import type { Stage } from './stage.ts'
import type { Teller } from './teller.ts'

/** One event whose commit was acknowledged. */
type Told = { event: string; merchant: string; order: string; sequence: number; committedAt: number }

/** One run: both sides, and the events so far. */
export type Show = {
  service: Service
  stage: Stage
  teller: Teller
  tally: Tally
  memory: MemoryWatch
  told: Told[]
  failingFrom: number
  /** The numbers that choose where the self-check plants, from the first on. */
  seeds: { first: number; count: number }
}

const patienceMs = 120_000
const eventsOfAnOrder = 3

/** Sends one merchant the next events of its current order, or of a new one when that is over. */
async function tellNext(show: Show, merchantIndex: number, count: number): Promise<Told[]> {
  const { stage, teller, told } = show
  const index = merchantIndex % stage.merchants.length
  const merchant = stage.merchants[index]?.id ?? ''
  const buyer = stage.buyers[index]?.id ?? ''
  const last = told.findLast((one) => one.merchant === merchant)
  const goesOn = last !== undefined && last.sequence + count <= eventsOfAnOrder
  const order = goesOn ? last.order : teller.newOrder()
  const first = goesOn ? last.sequence + 1 : 1
  const events = await teller.tell({ merchant, buyer }, order, first, count)
  const more = events.map(({ event, committedAt }, index) => ({
    event,
    merchant,
    order,
    sequence: first + index,
    committedAt,
  }))
  told.push(...more)
  return more
}

export async function tellEach(show: Show, count: number): Promise<void> {
  const all = show.stage.merchants.map((_, index) => index)
  await eachOf(all, 4, async (index) => void (await tellNext(show, index, count)))
}

/** One event after another, to one merchant after another, at an even pace: the speed of the product must not decide the load. */
export async function paced(show: Show, ticks: number, everyMs: number): Promise<Set<string>> {
  const startedMs = performance.now()
  const events = new Set<string>()
  let telling: Promise<unknown> = Promise.resolve()
  for (let tick = 0; tick < ticks; tick++) {
    const waitMs = startedMs + tick * everyMs - performance.now()
    if (waitMs > 0) await delay(waitMs)
    telling = telling.then(async () => {
      for (const { event } of await tellNext(show, tick, 1)) events.add(event)
    })
  }
  await telling
  return events
}

/** Endpoints that hold an attempt until it is given up. This suite does not wait for them. */
export function stuckOf(stage: Stage): string[] {
  const stuck = stage.of('hang', 'late').filter(({ fate }) => fate === 'never')
  return stuck.map(({ destination }) => destination)
}

/** Waits until nothing is left to relay or to attempt at this time of the clock, without endpoints that hold attempts, or those given. */
export async function quiet(show: Show, without: readonly string[] = stuckOf(show.stage)): Promise<void> {
  await until(show, 'everything due is attempted', async () => (await show.teller.open(without)) === 0)
}

export async function until({ tally }: Show, what: string, is: () => Promise<boolean>): Promise<void> {
  const wait = patience(patienceMs)
  while (!(await is())) {
    if (wait.isOver()) {
      tally.fail(`waited ${patienceMs / 1000} s in vain until ${what}`)
      return
    }
    await delay(100)
  }
}
