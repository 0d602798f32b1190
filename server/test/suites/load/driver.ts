import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Driver } from './ask.ts'
import { pursuePurchase } from './pursue-purchase.ts'
import { pursueQuote } from './pursue-quote.ts'
import { pursueReprice } from './pursue-reprice.ts'
import { pursueReturn } from './pursue-return.ts'
import { pursueSale, pursueToken } from './pursue-sale.ts'
import { pursueSeveral } from './pursue-several.ts'
import { openSyncedJournal } from './synced-journal.ts'
import { type LoadOrder, type Wish, wishOf } from './wish.ts'

/**
 * Makes wishes at a steady pace and repeats each until it is answered. A program of its own: its first line of input is the order, a
 * second line (or the end of its input) stops it, and its output says how far it is. Every answer that it got is in its journal.
 */

/** More at once would measure the driver. */
const openMax = 400

async function main(): Promise<void> {
  const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const order: LoadOrder = JSON.parse((await input.next()).value ?? '')
  let isStopping = false
  const stopped = input.next().then(() => {
    isStopping = true
  })
  const journal = await openSyncedJournal(order.journal)
  const counts = { wished: 0, open: 0, skipped: 0, acknowledged: 0, unanswered: 0, paid: 0, recovered: 0 }
  const driver: Driver = { order, journal, counts, isStopping: () => isStopping, stopped }
  const report = () => console.log(JSON.stringify(counts))
  const reporting = setInterval(report, 100)
  const running = new Set<Promise<void>>()
  const startedMs = performance.now()
  for (let number = 0; !isStopping; number++) {
    const waitMs = startedMs + (number * 1000) / order.perSecond - performance.now()
    if (waitMs > 0) await Promise.race([delay(waitMs), stopped])
    if (isStopping) break
    if (counts.open >= openMax) {
      counts.skipped += 1
      continue
    }
    counts.wished += 1
    counts.open += 1
    const wish = wishOf(order, number)
    const run = pursuers[wish.kind](driver, wish).finally(() => {
      counts.open -= 1
      running.delete(run)
    })
    running.add(run)
  }
  await Promise.all(running)
  clearInterval(reporting)
  await journal.close()
  console.log(JSON.stringify({ ...counts, over: true }))
  process.exit(0)
}

const pursuers: Readonly<Record<Wish['kind'], (driver: Driver, wish: Wish) => Promise<void>>> = {
  purchase: pursuePurchase,
  // Bought like any other item, at a price of its own.
  promoted: pursuePurchase,
  quote: pursueQuote,
  return: pursueReturn,
  reprice: pursueReprice,
  several: pursueSeveral,
  sale: pursueSale,
  token: pursueToken,
  // What strangers do differently is not the driver's business.
  stranger: pursuePurchase,
  page: pursuePurchase,
}

await main()
