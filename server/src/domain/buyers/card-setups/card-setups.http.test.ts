import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { openComponentPage } from '../../../../test/harness/component-page.ts'
import { person } from '../../../../test/harness/person.ts'
import { type CardKeeper, noKeeper } from './port.ts'

let app: TestApp
const begun: string[] = []

/** A rail that begins to take cards, and is told of each. */
const keeper: CardKeeper = {
  ...noKeeper,
  rail: 'stripe',
  publishableKeys: { live: 'pk_live_1' },
  openCustomer: async () => ({ kind: 'opened', id: 'cus_1' }),
  async begin({ key }) {
    begun.push(key)
    return { kind: 'begun', reference: `seti_${key}`, clientSecret: `seti_${key}_secret` }
  },
}

beforeAll(async () => {
  app = await startTestApp({ cardKeeper: keeper, limits: { profileSetups: 2 } })
})
afterAll(() => app.stop())

test('a profile begins so many cards in an hour, and the rail hears of no more', async () => {
  const newProfile = async (): Promise<string> =>
    (await app.post('/v1/profiles', person, { key: app.account.keys.secret_live })).body.id
  const page = await openComponentPage(app, { mode: 'live' })
  const [one, other] = [await newProfile(), await newProfile()]
  const begin = async (profile_id: string) =>
    (await page.open('AddPaymentMethod', { profile_id })).post('/card_setups')
  const answers = [await begin(one), await begin(one), await begin(one), await begin(other)]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429, 201])
  expect(answers[2]?.body.detail).toMatchObject({ code: 'rate_limited', scope: 'profile.card_setups' })
  expect(begun).toEqual([answers[0], answers[1], answers[3]].map((answer) => answer?.body.id))
})
