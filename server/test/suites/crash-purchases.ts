import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import type { CrashPoint } from '../../src/platform/faults/faults.ts'
import { patience } from '../gate/pace.ts'
import { queryStored } from './load/query-stored.ts'
import { refundsOf } from './refunds-of.ts'
import { bodyOf, type Service } from './whole-product.ts'

/** Purchases by what happens to them, and how each ends when no process dies. */
export const purchaseKinds = {
  native: 'succeeded',
  'native rejected': 'failed',
  /** Bought, and then the merchant gives part of it back. */
  'native refunded': 'succeeded',
  shop: 'succeeded',
  'shop rejected': 'failed',
  'shop lost': 'succeeded',
  'shop lost unplaced': 'failed',
  /** The shop took money and knows of no order; then a person says that there is none. */
  'shop charged for nothing': 'failed',
  /** Paid by a token that its merchant charges once a worker has handed it out. */
  'token charged': 'succeeded',
  /** Its merchant does nothing with it until its time is over. */
  'token unused': 'failed',
} as const

export type Purchase = keyof typeof purchaseKinds

/** A submit that was journaled and not sent is closed at the shop and never sent again, so that purchase always fails. */
export function closedAfterCrash(point: CrashPoint): boolean {
  return point === 'place.before'
}

const preparePatienceMs = 40_000
const heirsMax = 3
const heirPatienceMs = 12_000
/** Longer than a lease, and longer than a journaled call can take to arrive. */
const leaseSeconds = 45
/** Longer than a token can be used. */
const tokenSeconds = 16 * 60

type Prepared = {
  id: string
  /** Does what starts the work of the workers. */
  goOn(): Promise<void>
  /** What somebody outside does once another worker has taken over. */
  actsLater?(): Promise<void>
}

type Purchases = {
  /** Brings a purchase to where the point can be reached, with no worker running before or after. */
  prepare(kind: Purchase): Promise<Prepared>
  /** Has other workers end it. Answers how the world's memory of it differs from ours. */
  inherit(purchase: Prepared): Promise<string[]>
}

export function startPurchases(service: Service, profile: string): Purchases {
  const { sandbox, database_url: url } = service.ready
  const urls: Record<Purchase, string> = {
    native: sandbox.items.ok,
    'native rejected': sandbox.items.rejected,
    'native refunded': sandbox.items.ok,
    shop: 'https://shop.example/thing',
    'shop rejected': 'https://shop.example/thing?scenario=rejected',
    'shop lost': 'https://shop.example/thing?scenario=lost_answer_placed',
    'shop lost unplaced': 'https://shop.example/thing?scenario=lost_answer_not_placed',
    'shop charged for nothing': 'https://shop.example/thing',
    'token charged': sandbox.items.ok,
    'token unused': sandbox.items.ok,
  }

  async function post(path: string, body: object, status: number): Promise<Record<string, unknown>> {
    const request = { method: 'POST', path, key: service.person, body: JSON.stringify(body) }
    return bodyOf(await service.client().rest(request), status)
  }

  async function create(kind: Purchase): Promise<string> {
    const item = {
      url: urls[kind],
      quantity: 1,
      expected_amount: sandbox.item_price,
      expected_currency: sandbox.item_currency,
    }
    const method = kind.startsWith('token') ? { execution_method: 'payment_token' } : {}
    const wish = { profile_id: profile, items: [item], ...method }
    const { id } = await post('/v1/purchase_intents', wish, 201)
    return String(id)
  }

  const approve = async (id: string) =>
    void (await post(`/v1/purchase_intents/${id}/approve`, { approve: true }, 200))

  /** Somebody else charges the credential in the shop's name while the submit is held up, and the shop is then refused. */
  async function chargeForNothing(id: string): Promise<Prepared> {
    const resumed = join(tmpdir(), `prokura-pause-${randomUUID()}`)
    const env = { PROKURA_FAULTS: 'on', PROKURA_PAUSE_AT: 'place.before', PROKURA_PAUSE_FILE: resumed }
    const worker = await service.runRole('worker', env)
    await approve(id)
    const [effect] = await untilStored<{ cart_id: string; reference: string }>(
      `select e.cart_id, a.reference from effects e
       join authorizations a on a.account_id = e.account_id and a.mode = e.mode and a.cart_id = e.cart_id
       where e.intent_id = $1 and e.step = 'place' and e.state = 'sent'`,
      id,
    )
    const charge = {
      amount: sandbox.item_price,
      currency: sandbox.item_currency,
      merchant: 'shop.example',
      reference: `${id}/${effect?.cart_id}`,
    }
    const processor = sandbox.processor_log_url.replace(/\/log$/, '')
    const charged = await fetch(`${processor}/v1/credentials/${effect?.reference}/charges`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(charge),
    })
    if (charged.status !== 201) throw new Error(`the credential was not charged: ${await charged.text()}`)
    await writeFile(resumed, '')
    const [unknown] = await untilStored<{ cart_id: string }>(
      `select id as cart_id from carts where intent_id = $1 and status = 'failed' and not outcome_known`,
      id,
    )
    worker.kill('SIGTERM')
    await worker.ended
    await rm(resumed)
    const answer = { cart_id: unknown?.cart_id, outcome: 'not_placed' }
    return { id, goOn: async () => void (await post(`/v1/purchase_intents/${id}/reconcile`, answer, 200)) }
  }

  /** The answer comes without a worker as well, only later. */
  async function askForToken(id: string): Promise<void> {
    await approve(id)
    const body = {
      merchant: { domain: new URL(sandbox.items.ok).hostname },
      amount: sandbox.item_price,
      currency: sandbox.item_currency,
      binding: { checkout_id: 'chk_1' },
    }
    await post(`/v1/purchase_intents/${id}/payment_tokens`, body, 201)
  }

  const untilHandedOut = (id: string) =>
    untilStored<{ reference: string; merchant: string; cart_id: string }>(
      `select a.reference, c.merchant_domain as merchant, c.id as cart_id from carts c
       join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
       where c.intent_id = $1 and c.past_no_return`,
      id,
    )

  async function letItExpire(id: string): Promise<void> {
    await askForToken(id)
    await untilHandedOut(id)
    await advanceTestClock(url, tokenSeconds)
  }

  /** As its merchant, at the processor alone: nobody says anything to the purchase. */
  async function chargeToken(id: string): Promise<void> {
    // Where it never is, the purchase ends otherwise than it must, which is reported with its rows.
    const [out] = await untilHandedOut(id).catch(() => [])
    if (!out) return
    const processor = sandbox.processor_log_url.replace(/\/log$/, '')
    const call = async (path: string, key: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key }
      const answer = await fetch(`${processor}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (answer.status !== 201) throw new Error(`${path} was answered ${await answer.text()}`)
      return (await answer.json()) as { id: string }
    }
    const amount = sandbox.item_price
    const terms = { amount, currency: sandbox.item_currency, merchant: out.merchant }
    const held = await call(`/v1/credentials/${out.reference}/authorizations`, `of:${id}`, {
      ...terms,
      reference: `${id}/${out.cart_id}`,
    })
    await call(`/v1/authorizations/${held.id}/captures`, `capture:${id}`, { amount })
  }

  /** Bought while a worker ran that is not killed. */
  async function refundLater(id: string): Promise<Prepared> {
    const worker = await service.runRole('worker')
    await approve(id)
    const [bought] = await untilStored<{ order_row_id: string }>(
      `select order_row_id from carts where intent_id = $1 and status = 'succeeded' and due_at is null`,
      id,
    )
    worker.kill('SIGTERM')
    await worker.ended
    const path = `/v1/merchant/orders/${bought?.order_row_id}/refunds`
    return { id, goOn: async () => void (await post(path, { amount: 100, reason: 'A scratch' }, 201)) }
  }

  async function untilRefunded(id: string): Promise<string[]> {
    const wait = patience(heirPatienceMs)
    for (;;) {
      const open = await refundsOf(service, id)
      if (open.length === 0 || wait.isOver()) return open
      await delay(100)
    }
  }

  async function untilStored<Row extends object>(text: string, id: string): Promise<Row[]> {
    const wait = patience(preparePatienceMs)
    for (;;) {
      const rows = await queryStored<Row>(url, text, [id])
      if (rows.length > 0) return rows
      if (wait.isOver()) throw new Error(`${id} never reached the state that it had to reach`)
      await delay(50)
    }
  }

  return {
    async prepare(kind) {
      const id = await create(kind)
      if (kind === 'native refunded') return await refundLater(id)
      if (kind === 'token charged')
        return { id, goOn: () => askForToken(id), actsLater: () => chargeToken(id) }
      if (kind === 'token unused') return { id, goOn: () => letItExpire(id) }
      return kind === 'shop charged for nothing'
        ? await chargeForNothing(id)
        : { id, goOn: () => approve(id) }
    },
    async inherit({ id, actsLater }) {
      let open: string[] = []
      for (let heirs = 0; heirs < heirsMax; heirs++) {
        // A dead worker holds its leases until they end. The clock is moved past their end while no worker is left that could be working.
        await advanceTestClock(url, leaseSeconds)
        const heir = await service.startRole('worker')
        if (heirs === 0) await actsLater?.()
        open = [...(await service.agree([id], heirPatienceMs)), ...(await untilRefunded(id))]
        await heir.stop(8000)
        if (open.length === 0) return []
      }
      return open
    },
  }
}
