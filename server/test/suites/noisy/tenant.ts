import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../../gate/pace.ts'
import { memberOf, type Sent } from '../client.ts'
import { moved } from '../progress.ts'
import { bodyOf, newProfile, type Service } from '../whole-product.ts'

export const deedKinds = ['purchase', 'quote', 'read'] as const
export type DeedKind = (typeof deedKinds)[number]

/** One call of a tenant that takes no part in the noise. */
export type Deed = { kind: DeedKind; beganMs: number; ms: number; fault: string | null }

/** A tenant that buys, asks for quotes and reads at a slow and steady pace, without waiting for earlier calls. */
export type Tenant = {
  /** Everything that ended so far. */
  deeds: readonly Deed[]
  /** The start times of calls that are under way. */
  openSince(): number[]
  stop(): Promise<void>
}

const everyMs: Readonly<Record<DeedKind, number>> = { purchase: 500, quote: 250, read: 60 }
/** No client waits longer than this. A longer wait is a fault. */
const endMs = 30_000

export async function openTenant(service: Service, seed: number): Promise<() => Tenant> {
  const key = service.person
  const profile = await newProfile(service)
  const post = (path: string, body: object) =>
    service.client().rest({ method: 'POST', path, key, body: JSON.stringify(body) })
  const currency = service.ready.sandbox.item_currency
  bodyOf(
    await post('/v1/policies', {
      name: 'Unattended',
      currency,
      scope: { profile_ids: [profile] },
      limits: { per_transaction_max: 10_000, intervals: [{ interval: 'day', max_amount: 1_000_000_000 }] },
      approval: { mode: 'never' },
    }),
    201,
  )
  const url = service.ready.sandbox.item_url
  const listed = await service.get('/v1/merchant/catalog_items?limit=200')
  const items = memberOf(listed, 'data') as { id: string; url: string }[] // the contract's own shape
  const item = items.find((one) => one.url === url)?.id ?? ''
  let number = 0
  const asked = (path: string, body: object) =>
    service.client().rest({
      method: 'POST',
      path,
      key,
      headers: { 'idempotency-key': `quiet-${seed}-${number++}` },
      body: JSON.stringify(body),
    })

  const acts: Record<DeedKind, () => Promise<void>> = {
    async purchase() {
      const created = await asked('/v1/purchase_intents', {
        profile_id: profile,
        items: [
          {
            url,
            quantity: 1,
            expected_amount: service.ready.sandbox.item_price,
            expected_currency: currency,
          },
        ],
        preferences: { fulfillment: { method: 'ship', max_fee_amount: 800 } },
      })
      const id = String(bodyOf(created, 201).id)
      await untilSucceeded(service, id)
    },
    async quote() {
      const sent = await asked('/v1/quotes', { catalog_item_id: item })
      if (bodyOf(sent, 201).status !== 'quoted') throw new Error(`a quote was answered ${sent.text}`)
    },
    async read() {
      const path = number++ % 2 === 0 ? `/v1/profiles/${profile}` : '/v1/profiles?limit=20'
      expectOk(await service.client().rest({ method: 'GET', path, key }))
    },
  }
  return () => liveSteadily(acts)
}

function expectOk({ status, text }: Sent): void {
  if (status !== 200) throw new Error(`a read was answered ${status} ${text.slice(0, 200)}`)
}

async function untilSucceeded(service: Service, id: string): Promise<void> {
  const wait = patience(endMs)
  for (;;) {
    const read = await service
      .client()
      .rest({ method: 'GET', path: `/v1/purchase_intents/${id}`, key: service.person })
    const status = memberOf(read.body, 'status')
    if (status === 'succeeded') return
    if (status === 'failed' || read.status >= 400)
      throw new Error(`a purchase ended ${read.text.slice(0, 300)}`)
    if (wait.isOver()) throw new Error(`a purchase is still ${status}`)
    await delay(25)
  }
}

function liveSteadily(acts: Record<DeedKind, () => Promise<void>>): Tenant {
  const deeds: Deed[] = []
  const open = new Map<Promise<void>, number>()

  function begin(kind: DeedKind): void {
    const beganMs = performance.now()
    const act = acts[kind]()
      .then(
        () => null,
        (error: unknown) => String(error),
      )
      .then((fault) => {
        deeds.push({ kind, beganMs, ms: performance.now() - beganMs, fault })
        open.delete(act)
        moved()
      })
    open.set(act, beganMs)
  }

  const timers = deedKinds.map((kind) => setInterval(() => begin(kind), everyMs[kind]))
  return {
    deeds,
    openSince: () => [...open.values()],
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(open.keys())
    },
  }
}
