import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Statement } from '../../src/contract/statement.ts'
import type { Pools } from '../../src/platform/database/pool.ts'
import { type Buying, startBuying } from '../harness/buying.ts'
import { answerOrder, openNativeShop } from '../harness/native-shops.ts'
import { contradictions, hearWitnesses } from '../harness/witness.ts'

/** Steps of many purchases whose transactions run as one, each purchase as it would end alone. */
let buying: Buying
/** How often each statement was sent in transactions. */
const sent = new Map<string, number>()

beforeAll(async () => {
  buying = await startBuying({ wrapPools: counted, grouped: { runningMax: 0 } })
})
afterAll(() => buying?.stop())

function counted(pools: Pools): Pools {
  return {
    ...pools,
    async connect(tenant) {
      const { query, release } = await pools.connect(tenant)
      return {
        query: <Row>(statement: Statement<Row>) => {
          sent.set(statement.name, (sent.get(statement.name) ?? 0) + 1)
          return query(statement)
        },
        release,
      }
    },
  }
}

const timesOf = (name: string) => sent.get(name) ?? 0

test('purchases of several buyers at shops and merchants end as they would alone, in fewer transactions, within one policy', async () => {
  const shops = await Promise.all([1, 2].map(() => openNativeShop(buying)))
  const buyers = await Promise.all([1, 2, 3].map(() => buying.newBuyer()))
  const policy = await buying.app.post('/v1/policies', {
    name: 'Ten a day',
    currency: 'USD',
    limits: { intervals: [{ interval: 'day', max_amount: 1_000_000, max_count: 500 }] },
    approval: { mode: 'always' },
  })
  expect(policy.status).toBe(201)
  const bought = await Promise.all(
    Array.from({ length: 36 }, async (_, index) => {
      const [buyer, shop] = [buyers[index % 3], shops[index % 2]]
      if (!buyer || !shop) throw new Error('too few of them')
      // Every third is refused by its shop, every third waits for a merchant.
      const urls = [
        shop.url,
        'https://shop.example/thing',
        'https://shop.example/thing?scenario=out_of_stock',
      ]
      const kind = index % 3 === 0 ? 0 : index % 4 === 1 ? 2 : 1
      const purchase = await buying.buy(buyer, [{ url: String(urls[kind]) }])
      if (kind !== 0) return { kind, ended: await buying.ended(buyer, purchase.id) }
      const { carts } = await buying.until(buyer, purchase.id, (now) => Boolean(now.carts[0]?.order))
      await answerOrder(buying, shop, String(carts[0]?.order), 'confirmed')
      return { kind, ended: await buying.ended(buyer, purchase.id) }
    }),
  )
  expect(new Set(bought.map(({ kind }) => kind))).toEqual(new Set([0, 1, 2]))
  for (const { kind, ended } of bought) expect(ended.status).toBe(kind === 2 ? 'failed' : 'succeeded')
  const succeeded = bought.filter(({ kind }) => kind !== 2)
  for (const { ended } of bought) {
    const charged = (await buying.moneyOf(ended.id)).filter(
      (line) => line.includes('capture') || line.includes('charge'),
    )
    expect(charged.length, ended.id).toBe(succeeded.some((one) => one.ended === ended) ? 1 : 0)
  }
  // Each begins and is settled: it would take a statement for each of these.
  expect(timesOf('lock_purchase_for_many')).toBeGreaterThan(0)
  expect(
    timesOf('append_events_for_many') + [...sent.keys()].filter((name) => name.startsWith('fused_')).length,
  ).toBeGreaterThan(0)
  // Alone each is locked three times and a half. How many find company depends on how busy the machine is.
  expect(timesOf('lock_purchase')).toBeLessThan(bought.length * 3)
  // A cart that has failed may release its money afterwards, where the rail was slow to say what it holds.
  await buying.settled()
  const { sandbox } = buying
  const testimony = await hearWitnesses({
    processor: `${sandbox.processorUrl}/log`,
    shops: `${sandbox.shopsUrl}/log`,
    merchant: `${sandbox.merchantUrl}/log`,
  })
  const problems = contradictions(bought.map(({ ended }) => ended) as never, testimony, (name) =>
    bought.some(({ ended }) => name.startsWith(ended.id)),
  )
  const found = problems.filter((problem) => !problem.includes('its merchant has'))
  expect(found.join('\n')).toBe('')
  await buying.audit()
})
