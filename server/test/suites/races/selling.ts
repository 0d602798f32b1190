import { type Arena, answersOf, codeOf, type Racing } from '../arena.ts'
import { memberOf } from '../client.ts'
import { openSeller } from './seller.ts'

/** Secrets are rotated four times at once, on both sides: one rotation is taken, and never more than two secrets are live. */
export async function raceRotations(arena: Arena): Promise<undefined> {
  for (let round = 0; round < arena.rounds(4); round++) {
    const { key, destinations } = await openSeller(arena, 'Rotating')
    const path = '/v1/event_destinations'
    const hooks = { name: 'Buyer', webhook: { endpoint_url: 'http://127.0.0.1:9/hooks' } }
    const { id } = await arena.ask({ method: 'POST', path, body: hooks }, 201)
    for (const [owner, target] of [...destinations.map((one) => [key, one]), [undefined, `${path}/${id}`]]) {
      const rotate: Racing = {
        method: 'POST',
        path: `${target}/rotate_secret`,
        ...(owner === undefined ? {} : { key: owner }),
      }
      const sent = await arena.race([rotate, rotate, rotate, rotate])
      const answers = answersOf(sent)
      arena.expect(
        answers['200'] === 1 && answers['409 rotation_in_progress'] === 3,
        () => `four rotations of ${target} were answered ${JSON.stringify(answers)}`,
      )
      const [row] = await arena.query<{ live: number }>(
        'select count(*)::int as live from destination_secrets where destination_id = $1',
        String(target).split('/').at(-1),
      )
      arena.expect(row?.live === 2, () => `${target} has ${row?.live} secrets after four rotations`)
    }
  }
}

/** A hundred requests at once make destinations the responder, or stop that: at no moment are there two responders. */
export async function raceToggles(arena: Arena): Promise<undefined> {
  const { key, destinations } = await openSeller(arena, 'Toggling', 5)
  for (let round = 0; round < arena.rounds(1); round++) {
    const toggles = Array.from({ length: 100 }, (): Racing => {
      const path = destinations[Math.floor(arena.random() * destinations.length)] ?? ''
      const verb = arena.random()
      if (verb < 0.1) return { method: 'POST', path: `${path}/${verb < 0.05 ? 'disable' : 'enable'}`, key }
      return { method: 'POST', path, key, body: { responds_to_quotes: verb < 0.7 } }
    })
    const sent = await arena.race(toggles)
    arena.expect(
      sent.every((one) => one.status === 200 || codeOf(one) === 'responder_conflict'),
      () => `a hundred toggles were answered ${JSON.stringify(answersOf(sent))}`,
    )
    const { data } = await arena.ask({ method: 'GET', path: '/v1/merchant/destinations', key }, 200)
    const responders = (Array.isArray(data) ? data : []).filter(
      (one) => memberOf(one, 'responds_to_quotes') === true,
    )
    arena.expect(
      responders.length <= 1,
      () => `${responders.length} destinations are the responder after a hundred toggles`,
    )
    // A destination that does not subscribe to requests cannot be a responder.
    for (const path of destinations) {
      const shown = await arena.ask({ method: 'GET', path, key }, 200)
      const types = Array.isArray(shown.event_types) ? shown.event_types : []
      arena.expect(
        shown.responds_to_quotes !== true || types.includes('quote.requested'),
        () => `${path} responds to quotes and is told ${types}`,
      )
    }
  }
}

/**
 * A rate card changes its price and is archived while delivery is calculated: each answer is possible before, between or after
 * those changes.
 */
export async function raceRateCards(arena: Arena): Promise<undefined> {
  const { key } = await openSeller(arena, 'Delivering')
  const calculate: Racing = {
    method: 'POST',
    path: '/v1/rate_cards/calculate',
    key,
    body: { address: { country: 'US' }, items: [{ quantity: 1, amount: 1500, weight_grams: 100 }] },
  }
  for (let round = 0; round < arena.rounds(6); round++) {
    const rate = (amount: number) => ({ kind: 'flat', amount })
    const body = {
      name: 'Parcel',
      fulfillment_type: 'shipping',
      currency: 'USD',
      status: 'active',
      rate: rate(500),
    }
    const { id } = await arena.ask({ method: 'POST', path: '/v1/rate_cards', key, body }, 201)
    const path = `/v1/rate_cards/${id}`
    const change: Racing = { method: 'POST', path, key, body: { rate: rate(700) } }
    const archive: Racing = { method: 'POST', path: `${path}/archive`, key }
    const sent = await arena.race([calculate, change, calculate, archive, calculate, archive, calculate])
    const said = sent.filter((_, index) => index % 2 === 0).map(({ body: told }) => amountsOf(told, id))
    const [, changed, , archived, , again] = sent
    arena.expect(
      said.every(
        (amounts) => amounts === '' || amounts === '500' || (amounts === '700' && changed?.status === 200),
      ),
      () => `${path} was calculated as ${said.join(' and ')} beside ${changed?.text}`,
    )
    arena.expect(
      archived?.status === 200 && again?.status === 200 && [200, 409].includes(changed?.status ?? 0),
      () => `${path} was answered ${JSON.stringify(answersOf(sent))}`,
    )
    const after = amountsOf(await arena.ask(calculate, 200), id)
    arena.expect(after === '', () => `${path} is archived and still costs ${after}`)
  }
}

function amountsOf(calculation: unknown, cardId: unknown): string {
  const options = memberOf(calculation, 'options')
  return (Array.isArray(options) ? options : [])
    .filter((option) => memberOf(option, 'rate_card_id') === cardId)
    .map((option) => String(memberOf(option, 'amount')))
    .join()
}

/** Two browsers open a link, and a form is sent twice: one of them is taken each time, and there is one profile. */
export async function raceLinks(arena: Arena): Promise<undefined> {
  for (let round = 0; round < arena.rounds(6); round++) {
    const asked = { use_case: { type: 'account_onboarding' } }
    const link = await arena.ask({ method: 'POST', path: '/v1/onboarding_links', body: asked }, 201)
    const { pathname } = new URL(String(link.url))
    const opened = await Promise.all([0, 1, 2, 3].map((at) => page(arena, at, pathname, { form: {} })))
    const first = opened.find(({ status }) => status === 303)
    arena.expect(
      opened
        .map(({ status }) => status)
        .toSorted()
        .join() === '303,410,410,410',
      () => `${link.id} was opened four times: ${opened.map(({ status }) => status)}`,
    )
    const cookie = first?.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const form = await page(arena, round, '/onboarding/session', { cookie })
    const form_token = /name="form_token" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    const person = {
      first_name: 'Ada',
      last_name: `Raced ${link.id}`,
      email: 'ada@example.com',
      country: 'GB',
    }
    const sent = await Promise.all(
      [0, 1, 2, 3].map((at) =>
        page(arena, at, '/onboarding/session', { cookie, form: { ...person, form_token } }),
      ),
    )
    // A person who clicks twice is thanked twice, and the form is saved once, which is checked below.
    arena.expect(
      sent.every(({ status }) => status === 303),
      () => `the form of ${link.id} was sent four times: ${sent.map(({ status }) => status)}`,
    )
    const { status } = await arena.ask({ method: 'GET', path: `/v1/onboarding_links/${link.id}` }, 200)
    const [row] = await arena.query<{ profiles: number }>(
      'select count(*)::int as profiles from profiles where last_name = $1',
      person.last_name,
    )
    arena.expect(
      status === 'completed' && row?.profiles === 1,
      () => `${link.id} is ${status} and made ${row?.profiles} profiles`,
    )
  }
}

type Visit = { form?: Record<string, string>; cookie?: string }

/** As a browser requests it, from one process or the other. */
async function page(arena: Arena, at: number, path: string, { form, cookie = '' }: Visit) {
  const base = arena.bases[at % arena.bases.length]
  const response = await fetch(`${base}${path}`, {
    redirect: 'manual',
    headers: { cookie },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
