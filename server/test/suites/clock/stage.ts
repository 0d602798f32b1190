import type { TestAccount } from '../../harness/app.ts'
import { memberOf, type Sent } from '../client.ts'
import type { Lane } from '../model/lane.ts'
import { bodyOf, cardBody, codeOf, openSeller, type Seller } from '../model/real.ts'
import { type Behaviour, type Scenario, urlOf } from '../model/scenarios.ts'

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** One kind of deadline: the state a millisecond before it, and the state from its exact time on. */
export type Edge = (stage: Stage) => Promise<void>

/** An account of its own in a lane whose clock an edge moves as it likes. */
export type Stage = {
  lane: Lane
  account: TestAccount
  key: string
  seller: Seller
  profileId: string
  /** When the edge began. */
  start: number
  /** Sets the clock to this many milliseconds after the start. */
  at(ms: number): Promise<void>
  send(path: string, body?: object, more?: { key?: string; idempotencyKey?: string }): Promise<Sent>
  read(path: string, key?: string): Promise<Sent>
  /** A purchase of one item for 10.00, at a scenario or a URL. */
  create(where: Scenario | string, more?: Record<string, unknown>): Promise<string>
  /** The same, approved. */
  buy(where: Scenario | string, more?: Record<string, unknown>): Promise<string>
  approve(id: string): Promise<Sent>
  statusOf(id: string): Promise<string>
  /** The first cart of a purchase. */
  cartOf(id: string): Promise<Record<string, unknown>>
  work(): Promise<number>
  same(what: string, given: unknown, wanted: unknown): void
}

export type Judge = (isKept: boolean, what: () => string) => void

const shared = new WeakMap<Lane, Promise<Seller>>()

export async function openStage(lane: Lane, name: string, start: Date, judge: Judge): Promise<Stage> {
  await lane.clock.set(start)
  const seller = await (shared.get(lane) ?? remember(lane))
  const account = await lane.newAccount(name)
  const key = account.keys.secret_test
  const send: Stage['send'] = (path, body = {}, { key: as = key, idempotencyKey = null } = {}) =>
    lane.send({ path, key: as, body, idempotencyKey })
  const read: Stage['read'] = (path, as = key) => lane.send({ method: 'GET', path, key: as })
  const address = { address_type: 'both', line1: '1 Rue', city: 'Paris', postal_code: '75001', country: 'FR' }
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'FR' }
  const profile = bodyOf(await send('/v1/profiles', { ...person, addresses: [address] }), [201])
  const profileId = String(profile.id)
  bodyOf(await send(`/v1/profiles/${profileId}/payment_methods`, cardBody('visa_auto_approved', true)), [201])

  const create: Stage['create'] = async (where, more = {}) => {
    const behaviour: Behaviour = { first: where as Scenario, later: 'ok' } // a URL is told from a scenario below
    const url = where.startsWith('https:') ? where : urlOf('a.example', behaviour)
    const items = [{ url, quantity: 1, expected_amount: 1000, expected_currency: 'EUR' }]
    const sent = await send('/v1/purchase_intents', { profile_id: profileId, items, ...more })
    return String(bodyOf(sent, [201]).id)
  }
  const approve: Stage['approve'] = (id) => send(`/v1/purchase_intents/${id}/approve`, { approve: true })
  const shown = async (id: string) => bodyOf(await read(`/v1/purchase_intents/${id}`), [200])

  return {
    lane,
    account,
    key,
    seller,
    profileId,
    start: start.getTime(),
    at: (ms) => lane.clock.set(new Date(start.getTime() + ms)),
    send,
    read,
    create,
    approve,
    async buy(where, more) {
      const id = await create(where, more)
      bodyOf(await approve(id), [200])
      return id
    },
    statusOf: async (id) => String((await shown(id)).status),
    async cartOf(id) {
      const { carts } = await shown(id)
      const [cart] = Array.isArray(carts) ? carts : []
      return { ...cart }
    },
    work: () => lane.work(),
    same: (what, given, wanted) =>
      judge(
        JSON.stringify(given) === JSON.stringify(wanted),
        () => `${name}: ${what}: ${JSON.stringify(given)}, wanted ${JSON.stringify(wanted)}`,
      ),
  }
}

function remember(lane: Lane): Promise<Seller> {
  const opened = openSeller(lane, 'n0')
  shared.set(lane, opened)
  return opened
}

/** A status, or the code of a refusal. */
export function saidBy(sent: Sent): string {
  return codeOf(sent) ?? String(sent.status)
}

export function fieldOf(sent: Sent, name: string): unknown {
  return memberOf(sent.body, name)
}
