import { eachOf } from '../suite.ts'
import { quiet, type Show, tellEach } from './show.ts'
import type { Endpoint } from './stage.ts'

/** A change that events come before or after, and not at the same moment. */
const apartSeconds = 3

/**
 * Healthy endpoints of both audiences stop getting events: some are disabled, some subscribe to nothing any more, some to less. Whole
 * orders are sent meanwhile, and again when everything is as before.
 */
export async function playChanges(show: Show): Promise<void> {
  const { stage, teller } = show
  const [off, nothing, less] = [0, 1, 2].map((at) =>
    (['merchant', 'buyer'] as const).flatMap((audience) => someOf(show, audience, at)),
  )
  const changes: [Endpoint[] | undefined, (one: Endpoint) => readonly string[] | null][] = [
    [off, () => null],
    [nothing, () => []],
    [less, () => ['order.requested']],
  ]
  const each = (change: (endpoint: Endpoint, types: readonly string[] | null) => Promise<void>) =>
    eachOf(changes, 3, async ([some = [], typesOf]) => {
      for (const endpoint of some) await change(endpoint, typesOf(endpoint))
    })
  await teller.advance(apartSeconds)
  await each((endpoint, types) => stage.subscribe(endpoint, types))
  await teller.advance(apartSeconds)
  await tellEach(show, 3)
  await quiet(show)
  await teller.advance(apartSeconds)
  await each((endpoint) => stage.subscribe(endpoint, endpoint.types))
  await teller.advance(apartSeconds)
  await tellEach(show, 3)
  await quiet(show)
}

/** One in three of an audience's healthy endpoints that subscribe to whole orders, up to four. */
function someOf({ stage }: Show, audience: Endpoint['audience'], at: number): Endpoint[] {
  const all = audience === 'merchant' ? stage.merchants : stage.buyers
  const healthy = stage
    .of('healthy')
    .filter((one) => one.audience === audience && all.includes(one.merchant) && one.types.length !== 2)
  return healthy.filter((_, index) => index % 3 === at).slice(0, 4)
}
