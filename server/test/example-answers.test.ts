import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../src/composition.ts'
import { exampleId } from '../src/contract/examples.ts'
import type { IdPrefix } from '../src/core/id.ts'
import { twoMugs } from '../src/domain/buying/intents/create/create-request.ts'
import type { Answer, TestAccount } from './harness/app.ts'
import { type Buying, startBuying } from './harness/buying.ts'

/** What the document shows as answers: those of one purchase, made for real with the requests that the document shows. */
const kept = fileURLToPath(new URL('../src/example-answers.json', import.meta.url))

let buying: Buying
beforeAll(async () => {
  buying = await startBuying({ sharesTestDomains: true })
})
afterAll(() => buying?.stop())

test('the answers that the document shows are those of one purchase, whose amounts add up (rerun with -u writes them)', async () => {
  const story = await tellStory()
  const answerOf = (id: string) => Object.values(story.get(id) ?? {})[0] as Body
  const [intent, order] = [answerOf('v1_get_purchase_intent'), answerOf('v1_get_order')]
  expect(intent).toMatchObject({ status: 'succeeded', expected_amount: 2 * twoMugs.expected_amount })
  expect(intent.actual_amount).toBe(order.total_amount)
  expect(intent.actual_amount).toBeLessThanOrEqual(intent.max_allowed_amount)
  const totals: { type: string; amount: number }[] = order.totals
  const total = totals.find(({ type }) => type === 'total')?.amount
  expect(totals.filter(({ type }) => type !== 'total').reduce((sum, { amount }) => sum + amount, 0)).toBe(
    total,
  )
  expect(answerOf('v1_create_purchase_intent').id).toBe(intent.id)
  expect(answerOf('v1_get_merchant_order').id).toBe(order.id)
  expect(intent.carts[0].order).toBe(order.id)
  const shown = Object.fromEntries([...story].sort(([a], [b]) => (a < b ? -1 : 1)))
  await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot(kept)
  await buying.audit()
})

// biome-ignore lint/suspicious/noExplicitAny: answers of the interface, whose shapes the document fixes
type Body = any
/** Between what the service has said and what the document shows. */
type Steady = { shown(text: string, step: number): string; real(text: string): string }
type Story = Map<string, Record<number, Body>>
type Call = (id: string, path?: Record<string, string>, more?: object, query?: string) => Promise<Body>

/** From the shop's first item to the parcel, in the order in which it happens. */
async function tellStory(): Promise<Story> {
  const story: Story = new Map()
  const steady = steadyText()
  const [shop, person] = await Promise.all([callerOf('Blue Mugs'), callerOf('Shopping backend')])
  function callerOf(name: string): Promise<Call> {
    return buying.app.newAccount(name).then((account) => caller(account, story, steady))
  }
  await shop('v1_update_merchant')
  const item = await shop('v1_create_merchant_catalog_item', {}, { url: twoMugs.url })
  await shop('v1_publish_merchant_catalog_item', { item_id: item.id })
  await shop('v1_get_merchant_catalog_item', { item_id: item.id })

  const { id: profile_id } = await person('v1_create_profile')
  await person('v1_create_profile_payment_method', { profile_id })
  await person('v1_list_profile_payment_methods', { profile_id })
  await person('v1_get_profile', { profile_id })
  await person('v1_list_profiles')
  await person('v1_preview_purchase_intent', {}, { profile_id })
  const { id: purchase_intent_id } = await person('v1_create_purchase_intent', {}, { profile_id })
  await person('v1_approve_purchase_intent', { purchase_intent_id })
  const order_id = await awaitedOrder(shop)
  await shop('v1_list_merchant_orders')
  await shop('v1_create_order_response', { order_id })
  await expect
    .poll(async () => (await person('v1_get_purchase_intent', { purchase_intent_id })).status)
    .toBe('succeeded')
  await person('v1_list_purchase_intents')
  await person('v1_list_purchase_intent_events', { purchase_intent_id }, {}, '?limit=3')
  await shop('v1_create_merchant_order_fulfillment', { order_id })
  await shop('v1_get_merchant_order', { order_id })
  await person('v1_get_order', { order_id })
  await person('v1_create_order_return', { order_id })
  await shop('v1_create_merchant_order_refund', { order_id })
  await tellTheRest(person, shop)
  return story
}

/** What else both may make, with the requests that the document shows, and then every list of theirs. */
async function tellTheRest(person: Call, shop: Call): Promise<void> {
  for (const noun of ['business_location', 'market', 'rate_card', 'promotion', 'merchant_destination'])
    await shop(`v1_create_${noun}`)
  await shop('v1_create_merchant_mpp_api', {}, { url: 'https://api.blue-mugs.example/engravings' })
  for (const noun of ['policy', 'onboarding_link', 'event_destination']) await person(`v1_create_${noun}`)
  for (const id of ['v1_simulate_policy', 'v1_freeze_controls', 'v1_unfreeze_controls']) await person(id)
  const lists = operations.filter(
    ({ method, path, auth, tag }) =>
      method === 'GET' && auth === 'secret' && !path.includes('{') && !tag.startsWith('Catalog'),
  )
  for (const { id, path } of lists)
    await (/merchant|rate_card|market|location|promotion/.test(path) ? shop : person)(id)
}

async function awaitedOrder(shop: Call): Promise<string> {
  const read = async (): Promise<Body[]> => (await shop('v1_list_merchant_orders')).data
  await expect.poll(async () => (await read()).length, { interval: 20 }).toBe(1)
  const [order] = await read()
  return order.id
}

/** Calls by the id of an operation, with the first request that the document shows for it, and keeps what is answered. */
function caller({ keys }: TestAccount, story: Story, steady: Steady): Call {
  return async (id, path = {}, more = {}, query = '') => {
    const operation = operations.find((each) => each.id === id)
    if (!operation) throw new Error(`there is no operation ${id}`)
    const at =
      operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? `no ${name}`) + query
    const [example] = Object.values(operation.examples)
    const key = keys.secret_test
    const body = example?.body && { ...JSON.parse(steady.real(JSON.stringify(example.body))), ...more }
    const answer: Answer =
      operation.method === 'GET'
        ? await buying.app.get(at, { key })
        : await buying.app.post(at, body, { key })
    expect(answer.status, `${id}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    story.set(id, {})
    const step = [...story.keys()].indexOf(id)
    story.set(id, { [answer.status]: JSON.parse(steady.shown(JSON.stringify(answer.body), step)) })
    return answer.body
  }
}

const hourMs = 3_600_000
const shownFrom = Date.parse('2026-11-23T09:30:00Z')
const [weekBegins, weekEnds] = ['2026-11-23T00:00:00.000Z', '2026-11-30T00:00:00.000Z']

/**
 * Ids as the document shows them, the first of each kind with the usual tail, and times: a second for each step of the story, in which a
 * time is first seen, and later ones as many hours after its beginning as they are.
 */
function steadyText(): Steady {
  const ids = new Map<string, string>()
  const counts = new Map<string, number>()
  const startedMs = Date.now()
  function idOf(id: string, prefix: string): string {
    const known = ids.get(id)
    if (known !== undefined) return known
    const count = counts.get(prefix) ?? 0
    counts.set(prefix, count + 1)
    const usual = exampleId(prefix as IdPrefix) // as it came from the service
    const made = count === 0 ? usual : `${usual.slice(0, -2)}${String(count).padStart(2, '0')}`
    ids.set(id, made)
    return made
  }
  const seconds = new Map<string, number>()
  function timeOf(time: string, step: number): string {
    // What a request names stays, and so does the week that it is shown in.
    if (time > '2030') return time
    if (time.endsWith('T00:00:00.000Z')) return Date.parse(time) > startedMs ? weekEnds : weekBegins
    const hours = Math.round((Date.parse(time) - startedMs) / hourMs)
    const second = seconds.get(time) ?? step
    seconds.set(time, second)
    return new Date(shownFrom + (hours === 0 ? second * 1000 : hours * hourMs)).toISOString()
  }
  const shown = (text: string, step: number) =>
    text
      .replaceAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, idOf)
      .replaceAll(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, (time) => timeOf(time, step))
      // What the processor of the sandbox calls a capture.
      .replaceAll(/\bcapt_[0-9a-f]{32}\b/g, 'capt_3f0c9a51d27e48b6')
      // Secrets, which only these answers show.
      .replaceAll(/\bwhsec_\w{5,}/g, 'whsec_4k7D2mQx9vTz5cRn')
      .replaceAll(/\bwhsec_\w{4}\b/g, 'whsec_4k7D')
      .replaceAll(/(\/onboarding\/)[\w.-]+/g, '$1…')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example.com')
  // The first object of each kind is the one that requests of the document name.
  const real = (text: string) =>
    [...ids].reduce(
      (known, [id, example]) => (example.endsWith('c0zd') ? known.replaceAll(example, id) : known),
      text,
    )
  return { shown, real }
}
