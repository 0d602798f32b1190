import { expect, test } from 'vitest'
import { operations } from '../src/composition.ts'
import { startTestApp } from './harness/app.ts'
import { tourOperations } from './harness/operation-tour.ts'
import { nameOf, type Recorder, recordPools, type Sent } from './harness/recorded-pools.ts'
import { payoutsStandIn } from './harness/stand-ins.ts'

/** How many round trips an operation may take at most, where more would be felt: see docs/performance.md. */
const budgets: Readonly<Record<string, number>> = {
  v1_create_purchase_intent: 2,
  v1_approve_purchase_intent: 3,
  'v1_approve_purchase_intent, under a policy': 3,
  'v1_create_purchase_intent, bought unattended under a policy': 2,
  // While a person is asked, one more for the page on which they answer.
  v1_get_purchase_intent: 2,
  'v1_get_purchase_intent, approved': 1,
  'v1_get_purchase_intent, waiting for what there is already': 2,
  v1_get_profile: 1,
  v1_get_order: 1,
  v1_get_merchant_order: 1,
  v1_get_policy: 1,
}

test('every operation sends exactly the statements it is known to send, in as few round trips', async () => {
  let recorder: Recorder | undefined
  const app = await startTestApp({
    payoutAccounts: payoutsStandIn,
    wrapPools: (pools) => {
      recorder = recordPools(pools)
      return recorder.pools
    },
  })
  const recorded = new Map<string, string[]>()
  // The first tour warms up: connections are opened and nothing is prepared yet.
  for (const pass of ['warm-up', 'recorded']) {
    await tourOperations(app, async ({ operation, how, call }) => {
      let answer: Awaited<ReturnType<typeof call>> | undefined
      const sent = await recorder?.record(async () => {
        answer = await call()
      })
      if (!answer || !sent) throw new Error(`${operation} was not called`)
      const name = how ? `${operation}, ${how}` : operation
      expect(
        answer.status < 300 || (how?.startsWith('refused') && [404, 409].includes(answer.status)),
        `${name}: ${answer.status} ${JSON.stringify(answer.body)}`,
      ).toBe(true)
      if (pass === 'recorded') recorded.set(name, tripsOf(sent))
      return answer
    })
  }
  await app.stop()

  const visited = new Set([...recorded.keys()].map((name) => name.split(',')[0]))
  expect(operations.map(({ id }) => id).filter((id) => !visited.has(id))).toEqual([])
  for (const [name, most] of Object.entries(budgets)) {
    expect(recorded.get(name)?.length, name).toBeLessThanOrEqual(most)
  }
  const text = [...recorded].map(([name, trips]) =>
    [`${name}: ${trips.length}`, ...trips.map((trip) => `  ${trip}`)].join('\n'),
  )
  await expect(`${text.join('\n')}\n`).toMatchFileSnapshot('statements.snap')
})

/** One line a round trip. Who waits asks the same again until there is an answer; that counts once. */
function tripsOf(sent: readonly Sent[]): string[] {
  const trips: string[] = []
  for (const trip of new Set(sent.map((one) => one.trip))) {
    const names = sent.filter((one) => one.trip === trip).map(({ statement }) => nameOf(statement))
    const line = names.join(', ')
    // One request in sixteen sweeps expired counts besides, in a round trip of its own.
    if (trips.at(-1) !== line && line !== 'sweep_rates') trips.push(line)
  }
  return trips
}
