import type { StripeEvent } from '../memory.ts'
import { noSuch } from '../stripe-error.ts'
import { type Asked, type Operations, page } from '../work.ts'
import { renderEvent } from './render-event.ts'

/** For how long Stripe lists an event. */
const listedMs = 30 * 86_400_000

export const eventOperations: Operations = [
  {
    method: 'GET',
    path: '/v1/events',
    operation: 'list_events',
    work(asked) {
      for (const place of ['starting_after', 'ending_before'])
        if (!isListed(asked, asked.form.text(place))) throw noSuch('event', place)
      const types = [...asked.form.list('types'), asked.form.text('type')].filter((one) => one !== null)
      const found = ownEvents(asked).filter(({ type }) => types.length === 0 || types.includes(type))
      return { body: page(asked, found, (one) => renderEvent(one, asked)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/events/:id',
    operation: 'read_event',
    work(asked) {
      const found = ownEvents(asked).find(({ id }) => id === asked.call.params.id)
      if (found === undefined) throw noSuch('event', 'id', 404)
      return { body: renderEvent(found, asked) }
    },
  },
]

/** One that is too old is none. */
function isListed(asked: Asked, named: string | null): boolean {
  return named === null || ownEvents(asked).some(({ id }) => id === named)
}

function ownEvents({ memory, account, nowMs }: Asked): StripeEvent[] {
  return [...memory.events.values()].filter(
    ({ owner, created_ms }) => owner === account.profile && created_ms > nowMs - listedMs,
  )
}
