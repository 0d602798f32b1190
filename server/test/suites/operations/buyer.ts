import { setTimeout as delay } from 'node:timers/promises'
import type { ReadyLine } from '../../../src/cli/up/start-up.ts'
import { patience } from '../../gate/pace.ts'
import { person } from '../../harness/person.ts'
import { hearWitnesses, type Testimony, type ToldPurchase } from '../../harness/witness.ts'
import { memberOf } from '../client.ts'

type Answer = { status: number; body: unknown; text: string }

/** The address of a service, and the keys that it knows. */
type Place = Pick<ReadyLine, 'base_url' | 'keys' | 'sandbox'>

const second = 1000

/** Somebody who buys at a service, over its public interface alone. */
export type Buyer = {
  /** A profile with a card; unattended: a policy lets it buy without approval. */
  profile(options: { unattended: boolean }): Promise<string>
  /** Asks for a purchase under a key; answers its id. */
  ask(options: { profile: string; name: string; kind: 'native' | 'shop' }): Promise<string>
  approve(id: string): Promise<void>
  read(id: string): Promise<ToldPurchase | null>
  /** Waits until all purchases are over. Answers those that are not. */
  settle(ids: readonly string[], patienceMs: number): Promise<string[]>
  witnesses(): Promise<Testimony>
}

const over = ['succeeded', 'failed', 'cancelled', 'declined']

export function buyerAt(place: Place): Buyer {
  const { keys, sandbox, base_url: base } = place
  const urls = {
    native: sandbox.item_url,
    shop: 'https://shop-1.example/thing?scenario=none',
  }

  /** A failure of the service is no answer. */
  async function call(method: string, path: string, body?: object, name?: string): Promise<Answer> {
    const answer = await send(method, path, body, name)
    if (answer.status >= 500) throw new Error(`answered ${answer.status}: ${answer.text}`)
    return answer
  }

  async function send(method: string, path: string, body?: object, name?: string): Promise<Answer> {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${keys.secret_test}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(name ? { 'idempotency-key': name } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: JSON.parse(text), text }
  }

  async function make(path: string, body: object, name?: string): Promise<string> {
    const { status, body: made, text } = await call('POST', path, body, name)
    const id = memberOf(made, 'id')
    if (status >= 300 || typeof id !== 'string') throw new Error(`${path} answered ${status} ${text}`)
    return id
  }

  const buyer: Buyer = {
    async profile({ unattended }) {
      const id = await make('/v1/profiles', person)
      await make(`/v1/profiles/${id}/payment_methods`, card)
      if (unattended) await make('/v1/policies', { ...allowAll, scope: { profile_ids: [id] } })
      return id
    },
    ask: ({ profile, name, kind }) =>
      make(
        '/v1/purchase_intents',
        {
          profile_id: profile,
          items: [
            {
              url: urls[kind],
              quantity: 1,
              expected_amount: sandbox.item_price,
              expected_currency: sandbox.item_currency,
            },
          ],
        },
        name,
      ),
    async approve(id) {
      await make(`/v1/purchase_intents/${id}/approve`, { approve: true }, `approve-${id}`)
    },
    async read(id) {
      const { status, body, text } = await call('GET', `/v1/purchase_intents/${id}`)
      if (status === 404) return null
      // Too many reads in a second: a client comes back when it is told to.
      if (status === 429) return delay(second).then(() => buyer.read(id))
      if (status !== 200) throw new Error(`${id} answered ${status} ${text}`)
      return body as ToldPurchase // the contract's own shape
    },
    async settle(ids, patienceMs) {
      const wait = patience(patienceMs)
      let open = [...ids]
      for (;;) {
        const told = await Promise.all(open.map((id) => buyer.read(id)))
        open = open.filter((_, index) => !over.includes(told[index]?.status ?? ''))
        if (open.length === 0 || wait.isOver()) return open
        await delay(100)
      }
    },
    witnesses: () =>
      hearWitnesses({
        processor: sandbox.processor_log_url,
        shops: sandbox.shops_log_url,
        merchant: sandbox.merchant_log_url,
      }),
  }
  return buyer
}

/** Purchases that go on until told to stop: what was acknowledged, and when. */
type SteadyBuying = {
  acknowledged(): readonly string[]
  until(count: number): Promise<void>
  stop(): Promise<readonly string[]>
}

export function buySteadily(
  buyer: Buyer,
  options: { profile: string; lanes: number; prefix: string },
): SteadyBuying {
  const acknowledged: string[] = []
  let isStopping = false
  let number = 0
  async function lane(): Promise<void> {
    while (!isStopping) {
      const mine = number++
      const kind = mine % 2 === 0 ? 'native' : 'shop'
      acknowledged.push(
        await buyer.ask({ profile: options.profile, name: `${options.prefix}-${mine}`, kind }),
      )
      // As fast as people, not as fast as possible: the suite checks that nothing is lost, not how fast it is.
      await delay(80)
    }
  }
  const lanes = Promise.all(Array.from({ length: options.lanes }, lane))
  lanes.catch(() => undefined)
  return {
    acknowledged: () => acknowledged,
    async until(count) {
      const reached = async () => {
        while (acknowledged.length < count) await delay(20)
      }
      await Promise.race([reached(), lanes])
    },
    async stop() {
      isStopping = true
      await lanes
      return acknowledged
    },
  }
}

const card = {
  type: 'card',
  card: {
    kind: 'existing',
    vault_token_id: 'visa_auto_approved',
    agentic_credentials_enrollment_requested: true,
    agentic_terms_acknowledged: true,
  },
}

const allowAll = {
  name: 'Unattended',
  currency: 'USD',
  limits: { per_transaction_max: 10_000, intervals: [{ interval: 'day', max_amount: 100_000_000 }] },
  approval: { mode: 'never' },
}
