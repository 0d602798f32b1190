import { expect } from 'vitest'
import type { PutOff } from '../../src/core/put-off.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { startBuying } from './buying.ts'
import type { FaultRule } from './sandbox.ts'

export const minute = 60
export const polling = { interval: 20 }

/** Purchases at a payment rail that turns calls away: it did nothing, and says so. Its log is the witness. */
export async function startRailAway() {
  const buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
  const buyer = await buying.newBuyer()
  const seller = await buying.app.newAccount('Seller')
  const sellerKey = seller.keys.secret_test
  const shopUrl = 'https://away.example/thing'
  await post('/v1/merchant', { name: 'Native Shop', domain: 'away.example', currency: 'USD' })
  await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  const item = await post('/v1/merchant/catalog_items', {
    title: 'Thing',
    url: shopUrl,
    variants: [{ sku: 'T-1', price: 1000 }],
  })
  await post(`/v1/merchant/catalog_items/${item.id}/publish`, {})

  async function post(path: string, body: object, key = sellerKey) {
    const answer = await buying.app.post(path, body, { key })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }

  async function ordered(): Promise<{ id: string; order: string }> {
    const { id } = await buying.buy(buyer, [{ url: shopUrl }])
    const { carts } = await buying.until(buyer, id, (intent) => Boolean(intent.carts[0]?.order))
    return { id, order: String(carts[0]?.order) }
  }

  function confirm(order: string) {
    const answer = { outcome: 'confirmed', confirmation_reference: `C-${order}` }
    return post(`/v1/merchant/orders/${order}/responses`, answer)
  }

  /** Moves both clocks: the database's, by which rows are due, and this process's, by which the rail is left alone. */
  async function pass(seconds: number): Promise<void> {
    buying.passInProcess(seconds)
    expect(await advanceTestClock(buying.app.databaseUrl, seconds)).toBeInstanceOf(Date)
  }

  /** The processor turns away every call that matches, until `railIsBack`. */
  async function railIsAway(fault: string, match: FaultRule['match'] = {}): Promise<void> {
    const times = 1_000_000
    await buying.sandbox.fault({ match, fault, times })
    if (match.operation === undefined)
      await buying.sandbox.fault({ match: { ...match, operation: 'query' }, fault, times })
  }

  /** The processor works again, and every call that was put off is due. */
  async function railIsBack(): Promise<void> {
    await buying.sandbox.clearFaults()
    await pass(16 * minute)
  }

  function effectsOf(id: string) {
    return buying.sql<{ step: string; state: string; tries: number; key: string; put_off: PutOff | null }>(
      `select step, state, tries, key, put_off from effects where intent_id = $1 order by sent_at, step`,
      [id],
    )
  }

  /** Waits until the call of this step has been turned away. */
  async function putOff(id: string, step: string): Promise<PutOff> {
    const row = async () => (await effectsOf(id)).find((effect) => effect.step === step)?.put_off ?? null
    await expect.poll(row, polling).not.toBeNull()
    const found = await row()
    if (!found) throw new Error(`${step} was not turned away`)
    return found
  }

  async function circuitGauge(): Promise<number | undefined> {
    const { values } = await buying.metrics.railCircuit.get()
    return values.find(({ labels }) => labels.rail === 'sandbox')?.value
  }

  /** The acts of the processor for this purchase, and the number of calls that it turned away. */
  async function testimonyOf(id: string): Promise<{ done: string[]; away: number }> {
    const log = await buying.moneyOf(id)
    return {
      done: log.filter((line) => !line.includes('turned_away')),
      away: log.filter((line) => line.includes('turned_away')).length,
    }
  }

  /** Waits until a worker has looked at the purchase's cart and put it back. */
  async function looked(id: string): Promise<void> {
    const due = `select 1 from carts where intent_id = $1 and (due_at <= prokura_now() or lease_until is not null)
      union all select 1 from purchase_intents where id = $1 and (due_at <= prokura_now() or lease_until is not null)`
    await expect.poll(() => buying.sql(due, [id]), polling).toEqual([])
  }

  return {
    buying,
    buyer,
    sellerKey,
    shopUrl,
    post,
    ordered,
    confirm,
    pass,
    railIsAway,
    railIsBack,
    effectsOf,
    putOff,
    circuitGauge,
    testimonyOf,
    looked,
  }
}
