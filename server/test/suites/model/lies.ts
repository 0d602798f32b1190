import { memberOf, type Sent } from '../client.ts'
import type { Lane, LaneRequest } from './lane.ts'
import { codeOf, type Lie } from './real.ts'

/** Faults that histories must find: wrong answers of the API, and wrong acts of the world. */
export const lies: Readonly<Record<string, { lie?: Lie; wrap?: (lane: Lane) => void }>> = {
  'a cap one cent too high': {
    lie: inAnswers(({ max_allowed_amount: cap }) => ({ max_allowed_amount: Number(cap) + 1 })),
  },
  'a cancel that says it was refused': {
    lie: (sent, { path }) =>
      path.endsWith('/cancel') && sent.status === 200
        ? { ...sent, status: 409, body: { detail: { code: 'not_cancellable' } } }
        : sent,
  },
  'a stranger that is called a simulated shop': {
    lie: inAnswers(({ carts }) => ({
      carts: Array.isArray(carts)
        ? carts.map((cart) => (cart.channel === 'ucp' ? { ...cart, channel: 'simulated' } : cart))
        : carts,
    })),
  },
  'a charge at a page that nobody hears of': {
    wrap: ({ rail }) => {
      const { charge } = rail
      rail.charge = (input) => (input.key.startsWith('page:') ? { reference: 'none' } : charge(input))
    },
  },
  "a stranger's order that is cancelled after all": {
    lie: (sent, { path }) =>
      path.startsWith('/v1/orders/') && codeOf(sent) === 'not_supported_by_merchant'
        ? { ...sent, status: 200, body: {} }
        : sent,
  },
  'an answer that was paid for, and is another': {
    lie: (sent, { path }) =>
      path.endsWith('/result') ? changed(sent, ({ sha256 }) => ({ sha256: `0${sha256}` })) : sent,
  },
  'a sequence that is one behind': {
    lie: inAnswers(({ sequence }) => ({ sequence: Number(sequence) - 1 })),
  },
  'a summary that says nothing was charged': {
    lie: inAnswers(({ summary }) => ({
      summary: String(summary).replace(/[€$][\d,.]+ charged/, 'nothing charged'),
    })),
  },
  'a retry that is never offered': {
    lie: inAnswers(({ carts }) => ({
      carts: Array.isArray(carts) ? carts.map((cart) => ({ ...cart, can_retry: false })) : carts,
    })),
  },
  'an event that is missing': {
    lie: (sent, { path }) =>
      path.includes('/events?after')
        ? changed(sent, ({ data }) => ({ data: Array.isArray(data) ? data.slice(1) : data }))
        : sent,
  },
  'a merchant that is never another': { wrap: dropWrites(isIdentity, '/v1/merchant') },
  'a stock that is never written': { wrap: dropWrites(isStock, '/v1/merchant/catalog_items/') },
  'a stock that does not fall': { wrap: keepStock },
  'a refund of a cent less': {
    wrap: ({ rail }) => {
      const memoryOf = rail.memoryOf
      rail.memoryOf = async (purpose) => {
        const memory = await memoryOf(purpose)
        return { ...memory, refunded: memory.refunded - (memory.refunded > 0 ? 1 : 0) }
      }
    },
  },
  'a roll that makes another agent and does not say so': {
    wrap: (lane) => {
      const { rollKey } = lane
      lane.rollKey = async (account, keyId, overlapMs) => {
        const made = await rollKey(account, keyId, overlapMs)
        const { agentId } = await lane.app.newKey(account, 'test', 'read_only')
        await lane.sql('update api_keys set agent_id = $1 where id = $2', [agentId, made.id])
        return made
      }
    },
  },
  'an old secret that lives on': {
    wrap: (lane) => {
      const { rollKey } = lane
      lane.rollKey = async (account, keyId, overlapMs) => {
        const made = await rollKey(account, keyId, overlapMs)
        await lane.sql('update api_keys set revoked_at = null, expires_at = null where id = $1', [keyId])
        return made
      }
    },
  },
  'a rail that takes a cent more': {
    wrap: ({ rail }) => {
      const memoryOf = rail.memoryOf
      rail.memoryOf = async (purpose) => {
        const memory = await memoryOf(purpose)
        return { ...memory, captured: memory.captured + (memory.captured > 0 ? 1 : 0) }
      }
    },
  },
  'a worker that leaves a day too late': {
    wrap: (lane) => {
      const { work, clock } = lane
      lane.work = async () => {
        const now = clock.now()
        await clock.set(new Date(now.getTime() - 86_400_000))
        const done = await work()
        await clock.set(now)
        return done
      }
    },
  },
}

type Written = NonNullable<LaneRequest['body']>

function isIdentity(body: Written): boolean {
  return !('name' in body) && ['mcc', 'country', 'domain'].some((field) => field in body)
}

function isStock(body: Written): boolean {
  return JSON.stringify(body).includes('"quantity"')
}

/** After each answer of a merchant its shelf is as full as before. */
function keepStock(lane: Lane): void {
  const { send } = lane
  lane.send = async (request) => {
    const { path, key } = request
    if (!path.endsWith('/responses')) return await send(request)
    const { body } = await send({ method: 'GET', path: '/v1/merchant/catalog_items', key })
    const sent = await send(request)
    const [item] = listOf(memberOf(body, 'data'))
    const [variant] = listOf(memberOf(item, 'variants'))
    if (variant !== undefined) {
      const variants = [{ id: memberOf(variant, 'id'), quantity: memberOf(variant, 'quantity') }]
      await send({ path: `/v1/merchant/catalog_items/${memberOf(item, 'id')}`, key, body: { variants } })
    }
    return sent
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A write to it is answered as a success, and forgotten. */
function dropWrites(isDropped: (body: Written) => boolean, under: string): (lane: Lane) => void {
  return (lane) => {
    const { send } = lane
    lane.send = async (request) => {
      const { path, body = {} } = request
      const isIt = path.startsWith(under) && isDropped(body)
      return isIt ? { status: 200, headers: {}, body: {}, text: '{}' } : await send(request)
    }
  }
}

function inAnswers(change: (body: Record<string, unknown>) => object): Lie {
  return (sent) => (memberOf(sent.body, 'object') === 'purchase_intent' ? changed(sent, change) : sent)
}

function changed(sent: Sent, change: (body: Record<string, unknown>) => object): Sent {
  if (typeof sent.body !== 'object' || sent.body === null) return sent
  const body = { ...sent.body }
  return { ...sent, body: { ...body, ...change(body) } }
}
