import { memberOf, type Sent } from '../client.ts'
import { bodyOf } from '../whole-product.ts'
import type { Reception } from './journal.ts'
import { climb, doorRungs, worstOf } from './ladder.ts'
import { type Show, until } from './show.ts'
import { rightAnswer, type SignedAnswer, sendSigned, told } from './signed.ts'
import { type Endpoint, pathOf } from './stage.ts'
import { insist } from './teller.ts'

type Scene = { show: Show; slug: string; responder: Endpoint; bystander: Endpoint; listener: Endpoint }

/** A request for a price as the responder received it. */
type Asked = { quoteId: string; reception: Reception }

/** The last answer to the client that requested the quote, and how long it took. */
type Wait = Promise<{ sent: Sent; waitedMs: number }>

const cases = ['double', 'two', 'wrong', 'old secret', 'replayed', 'cancelled', 'ladder'] as const

/**
 * Requests for prices, with signed answers from backends that are slow, confused or false. The first gets no answer for
 * the ten seconds that its buyer waits. `check` answers it, and makes the other requests.
 */
export async function askForPrices(show: Show): Promise<{ check(): Promise<void> }> {
  const scene = await openScene(show)
  const late = ask(scene, 'late')
  late.catch(() => undefined) // told when it is waited for
  const [asked] = await askedOf(scene, 1)
  return {
    async check() {
      if (!asked) return
      await answerLate(scene, asked, late)
      const waits = cases.map((name) => ask(scene, name))
      const [, double, two, wrong, old, replayed, cancelled, ladder] = await askedOf(scene, 1 + cases.length)
      if (!double || !two || !wrong || !old || !replayed || !cancelled || !ladder) return
      await answerDouble(scene, double)
      await answerTwice(scene, two)
      await answerForged(scene, wrong)
      await answerRotated(scene, old)
      await answerReplayed(scene, replayed, double)
      await answerCancelled(scene, cancelled)
      await answerInOrder(scene, ladder, double)
      await expectWaits(scene, double, await Promise.all(waits))
      await expectHeard(scene)
    },
  }
}

async function openScene(show: Show): Promise<Scene> {
  const { stage, service } = show
  const slug = `receivers-${stage.seller.id.slice(-12)}`
  const record = { name: 'Seller', currency: 'EUR', slug, domain: `${slug}.example` }
  bodyOf(await stage.call(stage.seller, 'POST', '/v1/merchant', record), 200)
  const owners = [stage.seller]
  const buyer = { id: service.accountId, key: service.person }
  const [responder] = await stage.open(['healthy'], { owners, types: [], responds: true })
  const [bystander] = await stage.open(['healthy'], { owners, types: ['quote.requested'] })
  const [listener] = await stage.open(['healthy'], { owners: [buyer], audience: 'buyer', types: ['quote.*'] })
  if (!responder || !bystander || !listener) throw new Error('no endpoints to quote from')
  return { show, slug, responder, bystander, listener }
}

async function ask({ show, slug }: Scene, name: string): Wait {
  const { service } = show
  const startedMs = performance.now()
  // With an API that was killed meanwhile, the same key joins what is left of the wait.
  const sent = await insist(async () => {
    const answer = await service.client().rest({
      method: 'POST',
      path: '/v1/quotes',
      key: service.person,
      headers: { 'idempotency-key': `${slug}-${name.replaceAll(' ', '-')}` },
      body: JSON.stringify({ merchant_slug: slug, note: name }),
    })
    if (answer.status >= 500) throw new Error(`a request for a price was answered ${answer.status}`)
    return answer
  })
  return { sent, waitedMs: performance.now() - startedMs }
}

/** What the responder has received, of each quote once, in the order in which it came. */
async function askedOf({ show, responder }: Scene, count: number): Promise<Asked[]> {
  let asked: Asked[] = []
  await until(show, 'every request for a price has come to its responder', async () => {
    const found = new Map<string, Reception>()
    for (const one of show.stage.journal()) {
      if (one.type !== 'quote.requested') continue
      const quoteId = one.body?.order ?? ''
      if (one.endpoint === responder.name && !found.has(quoteId)) found.set(quoteId, one)
    }
    asked = [...found].map(([quoteId, reception]) => ({ quoteId, reception }))
    return asked.length >= count
  })
  return asked
}

function priceOf({ quoteId, reception }: Asked, amount: number): string {
  return JSON.stringify({
    event_id: reception.event,
    event_type: 'quote.requested',
    quote_id: quoteId,
    decision: 'accepted',
    quoted_amount_cents: amount,
    currency: 'EUR',
    expires_at: '2090-01-01T00:00:00Z',
    available_quantity: 5,
  })
}

function answerOf(scene: Scene, asked: Asked, amount = 1234): SignedAnswer {
  return rightAnswer(scene.responder, asked.reception, priceOf(asked, amount))
}

/** After ten seconds no client waits any more, and the answer still counts. */
async function answerLate(scene: Scene, asked: Asked, wait: Wait): Promise<void> {
  const { sent, waitedMs } = await wait
  const hasPlace = sent.headers.location !== undefined && sent.headers['retry-after'] !== undefined
  expect(
    scene,
    sent.status === 202 && hasPlace && waitedMs > 9_500,
    () => `quote ${asked.quoteId}, which nobody answered, was answered ${sent.status} after ${waitedMs} ms`,
  )
  await expectAnswer(scene, asked, answerOf(scene, asked), '200')
  await expectQuote(scene, asked, 'quoted', 1234)
}

/** The same bytes at the same time, and again later: one is taken as the answer, and the others are repeats. */
async function answerDouble(scene: Scene, asked: Asked): Promise<void> {
  const answer = answerOf(scene, asked)
  const { service } = scene.show
  const both = await Promise.all([sendSigned(service, answer), sendSigned(service, answer)])
  const again = await sendSigned(service, answer)
  const duplicates = [...both, again].map(({ body }) => memberOf(body, 'duplicate'))
  expect(
    scene,
    duplicates.slice(0, 2).toSorted().join() === 'false,true' && duplicates[2] === true,
    () => `quote ${asked.quoteId} was answered twice at once and once more: ${duplicates}`,
  )
  await expectQuote(scene, asked, 'quoted', 1234)
}

/** Two different answers at once: one is taken, and the other is refused. */
async function answerTwice(scene: Scene, asked: Asked): Promise<void> {
  const amounts = [1111, 2222]
  const both = await Promise.all(
    amounts.map((amount) => sendSigned(scene.show.service, answerOf(scene, asked, amount))),
  )
  const taken = both.findIndex(({ status }) => status === 200)
  expect(
    scene,
    both
      .map((one) => told(one).slice(0, 21))
      .toSorted()
      .join() === '200,409 response_conflict',
    () => `quote ${asked.quoteId} got two answers, which were answered ${both.map(told)}`,
  )
  await expectQuote(scene, asked, 'quoted', amounts[taken])
}

/** Answers that the responder did not sign do not count, and do not end the wait. */
async function answerForged(scene: Scene, asked: Asked): Promise<void> {
  const right = answerOf(scene, asked)
  const { bystander } = scene
  const forged: Partial<SignedAnswer>[] = [
    { secret: `${right.secret}x` },
    { secret: '' },
    { signedBody: '{}' },
    { ageSeconds: -90 },
    { destination: bystander.destination, secret: bystander.secrets[0] ?? '' },
  ]
  for (const changes of forged)
    await expectAnswer(scene, asked, { ...right, ...changes }, '401 signature_invalid')
  await expectQuote(scene, asked, 'pending')
  await expectAnswer(scene, asked, right, '200')
  await expectQuote(scene, asked, 'quoted', 1234)
}

/** During a rotation the previous secret is as good as the new one. */
async function answerRotated(scene: Scene, asked: Asked): Promise<void> {
  await scene.show.stage.rotate(scene.responder)
  const [before = ''] = scene.responder.secrets
  await expectAnswer(scene, asked, { ...answerOf(scene, asked), secret: before }, '200')
  await expectAnswer(scene, asked, answerOf(scene, asked), '200')
}

/** A captured answer to one quote is no answer to another. */
async function answerReplayed(scene: Scene, asked: Asked, other: Asked): Promise<void> {
  const caught = answerOf(scene, other)
  const right = answerOf(scene, asked)
  const here = { ...caught, path: right.path }
  await expectAnswer(scene, asked, here, '401 signature_invalid The event is about a different object')
  const { event, type } = right
  await expectAnswer(scene, asked, { ...here, event, type }, '422 body.event_id body.quote_id')
  await expectQuote(scene, asked, 'pending')
  await expectAnswer(scene, asked, right, '200')
}

async function answerCancelled(scene: Scene, asked: Asked): Promise<void> {
  const { stage, service } = scene.show
  const buyer = { id: service.accountId, key: service.person }
  const decline = {
    event_id: asked.reception.event,
    event_type: 'quote.requested',
    quote_id: asked.quoteId,
    decision: 'declined',
  }
  const answer = rightAnswer(scene.responder, asked.reception, JSON.stringify(decline))
  await expectAnswer(scene, asked, answer, '200')
  await expectQuote(scene, asked, 'declined')
  // Requested again: the answer to the first request is no answer to the second, and is a repeat.
  const renewed = stage.call(buyer, 'POST', `/v1/quotes/${asked.quoteId}/refresh`, {})
  let second: Reception | undefined
  await until(scene.show, 'a quote is asked for anew', async () => {
    second = stage
      .journal()
      .find(
        (one) =>
          one.body?.order === asked.quoteId &&
          one.event !== asked.reception.event &&
          one.endpoint === scene.responder.name,
      )
    return second !== undefined
  })
  if (!second) return
  await expectAnswer(scene, asked, answer, '200')
  await expectQuote(scene, asked, 'pending')
  const again = { quoteId: asked.quoteId, reception: second }
  await expectAnswer(scene, again, answerOf(scene, again), '200')
  bodyOf(await renewed, 200)
  bodyOf(await stage.call(buyer, 'POST', `/v1/quotes/${asked.quoteId}/cancel`, {}), 200)
  await expectAnswer(scene, again, answerOf(scene, again, 1), '409 response_conflict')
  await expectAnswer(scene, again, answerOf(scene, again), '200')
  await expectQuote(scene, asked, 'cancelled', 1234)
}

/** Every check in its order. Then a repeat is accepted as one, and another answer is refused. */
async function answerInOrder(scene: Scene, asked: Asked, other: Asked): Promise<void> {
  const { service, stage, tally } = scene.show
  const right = answerOf(scene, asked)
  const parsed = JSON.parse(right.raw)
  const respond = (responds_to_quotes: boolean) =>
    stage.call(stage.seller, 'POST', pathOf(scene.responder), { responds_to_quotes })
  const noSchema = { ...parsed, quoted_amount_cents: 'much', quote_id: other.quoteId, expires_at: past }
  const otherIds = { ...parsed, quote_id: other.quoteId, expires_at: past }
  const ended = { ...parsed, expires_at: past }
  bodyOf(await respond(false), 200)
  await climb({
    service,
    tally,
    what: asked.quoteId,
    worst: worstOf(right, { event: other.reception.event, type: 'order.requested' }),
    rungs: [
      ...doorRungs(right, {
        refused: JSON.stringify(noSchema),
        authorize: async () => bodyOf(await respond(true), 200),
      }),
      {
        fault: 'a body outside the schema',
        refusal: '422 body.quoted_amount_cents',
        mend: { raw: JSON.stringify(otherIds) },
      },
      {
        fault: 'the id of another quote',
        refusal: '422 body.quote_id',
        mend: { raw: JSON.stringify(ended) },
      },
      { fault: 'an offer that has ended', refusal: '422 body.expires_at', mend: { raw: right.raw } },
    ],
  })
  await expectAnswer(scene, asked, right, '200')
  await expectAnswer(scene, asked, { ...right, raw: JSON.stringify(otherIds) }, '422 body.quote_id')
  await expectAnswer(scene, asked, answerOf(scene, asked, 1), '409 response_conflict')
  await expectQuote(scene, asked, 'quoted', 1234)
}

const past = '2020-01-01T00:00:00Z'

/** A client that waited got the answer, or a pending quote. */
async function expectWaits(scene: Scene, first: Asked, waits: readonly Awaited<Wait>[]): Promise<void> {
  for (const { sent } of waits)
    expect(
      scene,
      sent.status === 201 || sent.status === 202,
      () => `a request for a price was answered ${sent.status} ${sent.text}`,
    )
  const sent = waits.map((wait) => wait.sent).find(({ body }) => memberOf(body, 'id') === first.quoteId)
  expect(
    scene,
    sent?.status === 201 && memberOf(sent.body, 'status') === 'quoted',
    () => `a request that was answered at once was answered ${sent?.status} ${sent?.text}`,
  )
}

/** Only the responder gets requests, each at least once. The buyer's own destination gets the request and then the answer. */
async function expectHeard(scene: Scene): Promise<void> {
  const { show, responder, bystander, listener } = scene
  const of = ({ name }: Endpoint) =>
    show.stage.journal().filter((one) => one.endpoint === name && one.type !== 'destination.test')
  const wanted = (one: Reception) => one.verified.length > 0 && one.body?.id === one.event
  for (const one of [...of(responder), ...of(listener)])
    expect(scene, wanted(one), () => `${one.event} reached ${one.destination} unsigned, or as another`)
  expect(scene, of(bystander).length === 0, () => `a bystander was asked ${of(bystander).length} times`)
  const asked = new Set(of(responder).map(({ body }) => body?.order ?? ''))
  const heard = (quoteId: string) => [
    ...new Set(
      of(listener)
        .filter(({ body, status }) => body?.order === quoteId && status === 200)
        .map(({ type }) => type),
    ),
  ]
  for (const quoteId of asked) {
    await until(show, `the buyer has heard of ${quoteId}`, async () => heard(quoteId).length >= 2)
    const [first, second = ''] = heard(quoteId)
    expect(
      scene,
      first === 'quote.requested' && ['quote.quoted', 'quote.declined'].includes(second),
      () => `the buyer heard of ${quoteId} as ${heard(quoteId)}`,
    )
  }
}

async function expectAnswer(
  scene: Scene,
  { quoteId }: Asked,
  answer: SignedAnswer,
  expected: string,
): Promise<void> {
  const said = told(await sendSigned(scene.show.service, answer))
  expect(scene, said.startsWith(expected), () => `answer to ${quoteId} was answered ${said}, not ${expected}`)
}

async function expectQuote(scene: Scene, { quoteId }: Asked, status: string, amount?: number): Promise<void> {
  const { stage, service } = scene.show
  const buyer = { id: service.accountId, key: service.person }
  const quote = bodyOf(await stage.call(buyer, 'GET', `/v1/quotes/${quoteId}`), 200)
  const offers = Array.isArray(quote.offers) ? quote.offers : []
  const told = offers.map((offer) => memberOf(offer, 'total_amount'))
  expect(
    scene,
    quote.status === status && told[0] === amount,
    () => `quote ${quoteId} is ${quote.status} at ${told}, not ${status} at ${amount}`,
  )
}

function expect({ show: { tally } }: Scene, isKept: boolean, what: () => string): void {
  if (isKept) tally.pass()
  else tally.fail(what())
}
