import { differences, readLedgers } from '../../harness/live-ledger.ts'
import { judgeJournal } from '../load/judge-journal.ts'
import { endEvidence, keepEvidence } from '../load/keep-evidence.ts'
import { queryStored } from '../load/query-stored.ts'
import { readStored } from '../load/read-stored.ts'
import { readJournal } from '../load/synced-journal.ts'
import type { Tally } from '../suite.ts'
import type { LiveStage } from './live-stage.ts'

/**
 * What Stripe's simulator and the merchants remember of a run of live mode, against the database, and what the driver was told against it:
 * as `judgeRun` does for the test mode's rail.
 */
export async function judgeLive(stage: LiveStage, tally: Tally): Promise<void> {
  const { service, order, stripe, sellers, folder, seed } = stage
  const url = service.ready.database_url
  const sql = <Row>(text: string) => queryStored(url, text) as Promise<Row[]> // the caller names the shape
  const ledgers = await readLedgers({ sandbox: { stripeUrl: stripe.url }, sql })
  const bought = await sql<{ order_row_id: string }>(
    `select order_row_id from carts where mode = 'live' and status = 'succeeded'`,
  )
  const orders = new Set(bought.map((cart) => cart.order_row_id))
  const stored = await readStored(url, seed)
  const verdicts = [
    ...judgeJournal(readJournal(order.journal), { ...stored, quotes: [], orders: [] }),
    ...(await service.invariants()).invariants,
    {
      id: 'M2-stripe',
      // Dollars are the same here and there.
      violations: differences(ledgers, (amount) => amount),
    },
    {
      id: 'W3-stripe',
      violations: [
        ...[...orders.difference(sellers.confirmed)].map(
          (id) => `${id} was bought, and no merchant confirmed it`,
        ),
        ...[...sellers.confirmed.difference(orders)].map((id) => `${id} was confirmed and not bought`),
      ],
    },
  ]
  for (const { id, violations } of verdicts) {
    if (violations.length === 0) tally.pass()
    for (const violation of violations) tally.fail(`${id} ${violation}`)
  }
  tally.figure('carts of live mode', `${ledgers.rows.length}, ${orders.size} bought`)
  tally.figure('payments at Stripe', ledgers.payments.length)
  if (orders.size === 0) tally.fail('nothing was bought in live mode')
  const broken = verdicts.flatMap(({ violations }) => violations)
  if (broken.length > 0) await keepEvidence({ folder, url }, broken)
  endEvidence(folder, tally)
}
