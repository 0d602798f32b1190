import { memberOf, type Sent } from '../client.ts'
import type { Lane } from './lane.ts'
import type { Lie } from './real.ts'

/** Faults that histories must bring to light: what the API says wrongly, and what the world does that it should not. */
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
  'a rail that takes a cent more': {
    wrap: ({ rail }) => {
      const memoryOf = rail.memoryOf
      rail.memoryOf = (purpose) => {
        const memory = memoryOf(purpose)
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

function inAnswers(change: (body: Record<string, unknown>) => object): Lie {
  return (sent) => (memberOf(sent.body, 'object') === 'purchase_intent' ? changed(sent, change) : sent)
}

function changed(sent: Sent, change: (body: Record<string, unknown>) => object): Sent {
  if (typeof sent.body !== 'object' || sent.body === null) return sent
  const body = { ...sent.body }
  return { ...sent, body: { ...body, ...change(body) } }
}
