import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { createApi } from '../../app.ts'
import { operations } from '../../composition.ts'
import type { CallContext } from '../../contract/context.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { bind, definePort } from '../../contract/port.ts'
import { Closed } from '../../contract/schemas.ts'
import { statement } from '../../contract/statement.ts'

type Weather = { tell(place: string): Promise<string> }
const Weather = definePort<Weather>('weather')

const one = statement<{ one: number }, { account_id: string; mode: string }>(
  'one_for_tests',
  `select 1 as one, $account_id::text, $mode::text`,
)
const look = ({ tx, tenant }: CallContext) =>
  tx.rows(one({ account_id: tenant.accountId, mode: tenant.mode }))

/** How a handler may ask, and how it must not. */
const ways: Record<string, (ctx: CallContext) => Promise<string>> = {
  async before(ctx) {
    const told = await ctx.port(Weather).tell('Oslo')
    await look(ctx)
    return told
  },
  async inside(ctx) {
    await look(ctx)
    return ctx.port(Weather).tell('Oslo')
  },
  async across(ctx) {
    const telling = ctx.port(Weather).tell('Oslo')
    try {
      await look(ctx)
    } finally {
      await telling
    }
    return 'told'
  },
  async silent(ctx) {
    return ctx.port(Weather).tell('nowhere')
  },
}

const tellWeather = defineOperation({
  id: 'v1_tell_weather',
  method: 'POST',
  path: '/v1/weather/{way}',
  auth: 'secret',
  scope: 'profiles:read',
  tag: 'Profiles',
  summary: 'Tell the weather',
  readOnly: true,
  outside: { ports: [Weather], budgetMs: 50 },
  params: Closed({ way: Type.String() }),
  responses: { 200: Closed({ told: Type.String() }) },
  async handle(ctx, { path }) {
    const way = ways[path.way]
    return reply(200, { told: (await way?.(ctx)) ?? 'no way' })
  },
})

const weather: Weather = {
  tell: (place) => (place === 'nowhere' ? new Promise(() => undefined) : Promise.resolve(`rain in ${place}`)),
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    operations: [...operations, tellWeather],
    ports: [bind(Weather, weather)],
    checkReplies: false,
  })
})
afterAll(() => app.stop())

test('an operation that says so asks the outside before its transaction', async () => {
  const { status, body } = await app.post('/v1/weather/before')
  expect([status, body]).toEqual([200, { told: 'rain in Oslo' }])
})

test('a port that does not answer within the time of the operation ends the call as busy', async () => {
  const { status, headers, body } = await app.post('/v1/weather/silent')
  expect([status, body.detail.code, headers.get('retry-after')]).toEqual([503, 'busy', '1'])
})

test.each(['inside', 'across'])(
  'to ask %s the transaction is a bug, and nothing is answered',
  async (way) => {
    const { status, body } = await app.post(`/v1/weather/${way}`)
    expect([status, body.detail.code]).toEqual([500, 'internal_error'])
    expect(app.bugs.splice(0).map(String)).toEqual([
      expect.stringMatching(/v1_tell_weather (asks the port "weather" inside|opens its transaction while)/),
    ])
  },
)

test('an API that has not bound the port of an operation is not composed', () => {
  const compose = () =>
    createApi(app.parts, {
      operations: [tellWeather],
      anonymousDiscovery: true,
      onRequest: () => undefined,
      onBug: () => undefined,
    })
  expect(compose).toThrow(
    new Error('v1_tell_weather cannot be served', {
      cause: new Error('nothing is bound to the port "weather"'),
    }),
  )
})
