import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeys } from './harness/app.ts'
import { type Buying, startBuying } from './harness/buying.ts'
import { prokura } from './harness/command-runner.ts'
import { prokuraAlone, serviceEnvironment } from './harness/up.ts'

/** What an operator is told when something is wrong, by the command itself. */
let buying: Buying
let env: NodeJS.ProcessEnv
let intent: string
let cart: string

beforeAll(async () => {
  buying = await startBuying()
  env = { ...serviceEnvironment(), DATABASE_URL: buying.app.databaseUrl, PROKURA_KEYS: testKeys }
  const buyer = await buying.newBuyer()
  await buying.stopWorker()
  const { id } = await buying.buy(buyer, [{ url: 'https://shop.example/thing' }])
  const pause = buying.faults.pause('place.after')
  const running = buying.workWith({})
  await pause.reached
  const [row] = await buying.sql<{ id: string }>('select id from carts where intent_id = $1', [id])
  intent = id
  cart = row?.id ?? ''
  pause.resume()
  await running
})
afterAll(() => buying?.stop())

async function status(): Promise<{ code: number | null; told: Record<string, unknown>; text: string }> {
  const [json, text] = await Promise.all([
    prokura(['status', '--json'], env),
    prokura(['status'], { ...env, NO_COLOR: '1' }),
  ])
  expect({ code: text.code, err: text.err + json.err }).toEqual({ code: 0, err: '' })
  return { code: json.code, told: JSON.parse(json.out), text: text.out }
}

test('with everything wrong at once, status names the purchase, the object, the call and the event', async () => {
  await buying.sql(
    `update carts set status = 'in_progress', channel = 'browser', due_at = now() - interval '2 minutes', lease_until = null
     where id = $1`,
    [cart],
  )
  await buying.sql(
    `update effects set state = 'unknown', sent_at = now() - interval '61 minutes' where cart_id = $1 and step = 'place'`,
    [cart],
  )
  await buying.sql(
    `update purchase_intents set due_at = now() + interval '10 minutes', step_failures = 9, step_error = 'database 23505 events_pkey',
       step_failing_since = now() - interval '61 minutes' where id = $1`,
    [intent],
  )
  await buying.sql(
    `insert into follower_backlog (shard, follower, account_id, mode, aggregate_id, sequence, event_id, tries, behind_since,
       failing_since, tried_at, last_error, due_at, parked_at)
     select 0, 'deliveries', account_id, mode, aggregate_id, sequence, id, 30, now() - interval '7 hours', now() - interval '7 hours',
       now(), 'planted', now() + interval '1 hour', now() from events where aggregate_id = $1 and sequence = 1`,
    [intent],
  )
  const { told, text } = await status()
  expect(told).toMatchObject({
    workers: [],
    unserved: [{ kind: 'carts', mode: 'test', channel: 'browser', rows: 1 }],
    failing: [
      {
        kind: 'intents',
        id: intent,
        of: intent,
        failures: 9,
        error: 'database 23505 events_pkey',
        mode: 'test',
      },
    ],
    unanswered: [{ key: `${cart}:1:place`, of: intent, step: 'place' }],
    relay: { behind: [{ follower: 'deliveries', aggregate_id: intent, events: 1, state: 'parked' }] },
  })
  expect(text).toContain('Workers: 0.')
  expect(text).toContain(
    'Unserved: carts (test browser): 1 due, and no live worker has the means to run them.',
  )
  expect(text).toMatch(new RegExp(`Failing: intents ${intent}, 9 times since .*: database 23505 events_pkey`))
  expect(text).toMatch(new RegExp(`No answer: the place ${cart}:1:place of ${intent}, sent `))
  expect(text).toMatch(new RegExp(`deliveries.*${intent}`))
})

test('a worker that is to run purchases does not start without a rail, and says what to set', async () => {
  // Should it start all the same, it ends at once: nobody holds its standard input.
  const { code, out, err } = await prokuraAlone(['worker', '--parent-pipe'], env)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toBe(
    'prokura: This worker has no payment rail, so it cannot run purchases. Set PROKURA_RAIL_URL, or set PROKURA_RUN_PURCHASES=off to leave purchases to other workers.\n',
  )
})

test('a worker with the setting to leave purchases to others starts without a rail', async () => {
  const worker = prokuraAlone(['worker', '--parent-pipe'], { ...env, PROKURA_RUN_PURCHASES: 'off' })
  // Its standard input is closed from the start: it is ready, and stops.
  const { code, out, err } = await worker
  expect(code, err).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ role: 'worker' })
})
