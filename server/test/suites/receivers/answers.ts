import { eachOf, type Tally } from '../suite.ts'
import { bodyOf, newProfile, type Service } from '../whole-product.ts'
import type { Reception } from './journal.ts'
import { climb, doorRungs, worstOf } from './ladder.ts'
import { type Show, until } from './show.ts'
import { rightAnswer, type SignedAnswer, sendSigned, told } from './signed.ts'
import type { Endpoint, Merchant, Stage } from './stage.ts'

type Scene = { service: Service; stage: Stage; tally: Tally; buyer: Merchant; endpoint: Endpoint }

/** An order as the merchant's backend received it. */
type Asked = { orderId: string; reception: Reception }

type Signing = Partial<SignedAnswer>

const cases = [
  'double',
  'wrong secret',
  'old secret',
  'clock',
  'cancelled',
  'another event',
  'captured',
  'ladder',
  'a day late',
] as const

/**
 * Answers to orders at their response URL, from backends that are slow, confused or false: of each order one answer
 * counts, and an answer that is not signed for that order never does.
 */
export async function checkAnswers({
  service,
  stage,
  tally,
  ...show
}: Show): Promise<{ checkAfterADay(): Promise<void> }> {
  const buyer = { id: service.accountId, key: service.person }
  const types = ['order.requested', 'order.confirmed', 'order.rejected']
  const [endpoint] = await stage.open(['healthy'], { owners: [buyer], types })
  if (!endpoint) throw new Error('no endpoint to answer from')
  const scene: Scene = { service, stage, tally, buyer, endpoint }
  const profile = await newProfile(service)
  await eachOf(cases, 4, () => order(scene, profile))
  let asked: Asked[] = []
  await until({ service, stage, tally, ...show }, 'every order has asked its merchant', async () => {
    asked = stage
      .journal()
      .filter((one) => one.endpoint === endpoint.name && one.type === 'order.requested')
      .map((reception) => ({ reception, orderId: reception.body?.order ?? '' }))
    return new Set(asked.map(({ orderId }) => orderId)).size >= cases.length
  })
  const [double, wrong, old, clock, cancelled, another, captured, ladder, late] = asked
  if (!double || !wrong || !old || !clock || !cancelled || !another || !captured || !ladder || !late)
    return { checkAfterADay: async () => undefined }
  await answerTwice(scene, double)
  await answerForged(scene, { wrong, clock, another, stranger: double })
  await answerCaptured(scene, captured, double)
  await answerInOrder(scene, ladder, double)
  await stage.rotate(endpoint)
  await expectAnswer(scene, old, { secret: endpoint.secrets[0] ?? '' }, '200')
  bodyOf(await stage.call(buyer, 'POST', `/v1/orders/${cancelled.orderId}/cancel`, {}), 200)
  await expectAnswer(scene, cancelled, {}, '409 order_not_awaiting')
  await expectStatus(scene, cancelled, 'cancelled')
  return {
    checkAfterADay: async () => {
      await expectAnswer(scene, late, { secret: endpoint.secrets[0] ?? '' }, '401 signature_invalid')
      await expectAnswer(scene, late, {}, '409 order_not_awaiting')
      await expectStatus(scene, late, 'expired')
      await expectStatus(scene, double, 'confirmed')
    },
  }
}

async function answerTwice(scene: Scene, asked: Asked): Promise<void> {
  const both = await Promise.all([send(scene, asked, {}), send(scene, asked, {})])
  for (const answer of both) expectIs(scene, asked, answer, '200')
  await expectAnswer(scene, asked, {}, '200')
  await expectAnswer(
    scene,
    asked,
    {},
    '409 response_conflict',
    JSON.stringify({ outcome: 'rejected', note: 'no' }),
  )
  await expectStatus(scene, asked, 'confirmed')
}

async function answerForged(
  scene: Scene,
  { wrong, clock, another, stranger }: { wrong: Asked; clock: Asked; another: Asked; stranger: Asked },
): Promise<void> {
  const refused = '401 signature_invalid'
  const secret = scene.endpoint.secrets.at(-1) ?? ''
  await expectAnswer(scene, wrong, { secret: `${secret}x` }, refused)
  await expectAnswer(scene, wrong, { secret: '' }, refused)
  await expectAnswer(scene, wrong, { signedBody: '{}' }, refused)
  await expectStatus(scene, wrong, 'awaiting_confirmation')
  await expectAnswer(scene, clock, { ageSeconds: 90 }, refused)
  await expectAnswer(scene, clock, { ageSeconds: -90 }, refused)
  await expectAnswer(scene, another, { event: stranger.reception.event }, refused)
  for (const one of [wrong, clock, another]) {
    await expectAnswer(scene, one, {}, '200')
    await expectStatus(scene, one, 'confirmed')
  }
}

/** Somebody replays a captured, signed answer for another order: the answer's number was used already. */
async function answerCaptured(scene: Scene, asked: Asked, other: Asked): Promise<void> {
  const caught = confirmationOf(other)
  const { event } = other.reception
  await expectAnswer(scene, asked, { event }, '401 signature_invalid', caught)
  await expectAnswer(scene, asked, {}, '409 confirmation_reference_in_use', caught)
  await expectStatus(scene, asked, 'awaiting_confirmation')
  await expectAnswer(scene, asked, {}, '200')
  await expectStatus(scene, asked, 'confirmed')
}

/** Every check in its order. */
async function answerInOrder(scene: Scene, asked: Asked, other: Asked): Promise<void> {
  const { service, stage, tally, endpoint } = scene
  const right = rightAnswer(endpoint, asked.reception, confirmationOf(asked))
  const used = JSON.parse(confirmationOf(other))
  await stage.subscribe(endpoint, null)
  await climb({
    service,
    tally,
    what: asked.orderId,
    worst: worstOf(right, { event: other.reception.event, type: 'quote.requested' }),
    rungs: [
      ...doorRungs(right, {
        refused: JSON.stringify({ ...used, outcome: 'perhaps', order_id: other.orderId }),
        authorize: () => stage.subscribe(endpoint, endpoint.types),
      }),
      {
        fault: 'a body outside the schema',
        refusal: '422 body.outcome',
        mend: { raw: JSON.stringify({ ...used, order_id: other.orderId }) },
      },
      {
        fault: 'the id of another order',
        refusal: '422 body.order_id',
        mend: { raw: JSON.stringify(used) },
      },
      {
        fault: 'the reference of another order',
        refusal: '409 confirmation_reference_in_use',
        mend: { raw: right.raw },
      },
    ],
  })
  await expectStatus(scene, asked, 'confirmed')
}

async function order({ service, stage, buyer }: Scene, profile: string): Promise<void> {
  const { sandbox } = service.ready
  const items = [
    {
      // The sandbox's own backend says nothing to these.
      url: sandbox.items.silent,
      quantity: 1,
      expected_amount: sandbox.item_price,
      expected_currency: sandbox.item_currency,
    },
  ]
  const created = bodyOf(
    await stage.call(buyer, 'POST', '/v1/purchase_intents', { profile_id: profile, items }),
    201,
  )
  bodyOf(
    await stage.call(buyer, 'POST', `/v1/purchase_intents/${created.id}/approve`, { approve: true }),
    200,
  )
}

function confirmationOf({ orderId }: Asked): string {
  return JSON.stringify({ outcome: 'confirmed', confirmation_reference: `C-${orderId}` })
}

async function send(
  { service, endpoint }: Scene,
  asked: Asked,
  signing: Signing,
  raw = confirmationOf(asked),
): Promise<string> {
  return told(await sendSigned(service, { ...rightAnswer(endpoint, asked.reception, raw), ...signing }))
}

async function expectAnswer(
  scene: Scene,
  asked: Asked,
  signing: Signing,
  expected: string,
  raw?: string,
): Promise<void> {
  expectIs(scene, asked, await send(scene, asked, signing, raw), expected)
}

function expectIs({ tally }: Scene, { orderId }: Asked, answer: string, expected: string): void {
  if (answer.startsWith(expected)) tally.pass()
  else tally.fail(`answer to ${orderId} was answered ${answer}, not ${expected}`)
}

async function expectStatus(
  { stage, buyer, tally }: Scene,
  { orderId }: Asked,
  expected: string,
): Promise<void> {
  const { status } = bodyOf(await stage.call(buyer, 'GET', `/v1/orders/${orderId}`), 200)
  if (status === expected) tally.pass()
  else tally.fail(`order ${orderId} is ${status}, not ${expected}`)
}
