import fc from 'fast-check'
import pg from 'pg'
import { patience } from '../../gate/pace.ts'
import { codeOf } from '../arena.ts'
import { type Client, memberOf, type Sent } from '../client.ts'
import type { Teller } from '../receivers/teller.ts'
import { eachOf, type Tally } from '../suite.ts'
import { bodyOf, type Service } from '../whole-product.ts'
import type { Canary } from './canary.ts'
import { type Form, urlForms } from './forms.ts'
import type { Standing } from './ranges.ts'

/** A member of the interface that takes a URL. `refuses`: a URL that leads inside is refused here, and not only never called. */
type Door = { name: string; refuses: boolean; send(client: Client, key: string, url: string): Promise<Sent> }

const destinations = '/v1/merchant/destinations'
const eventDestinations = '/v1/event_destinations'
const atATime = 8
const patienceMs = 60_000

function post(path: string, bodyFor: (url: string) => object): Door['send'] {
  return (client, key, url) => client.rest({ method: 'POST', path, key, body: JSON.stringify(bodyFor(url)) })
}

const destinationFor = (url: string) => ({ name: 'Backend', webhook: { endpoint_url: url } })

/** Every member of the public interface that takes an address. */
function doorsOf(profileId: string, destinationId: string, eventDestinationId: string): Door[] {
  const item = (url: string) => ({ url, quantity: 1, expected_amount: 1000, expected_currency: 'USD' })
  const intent = (url: string) => ({ profile_id: profileId, items: [item(url)] })
  return [
    { name: 'create destination', refuses: true, send: post(destinations, destinationFor) },
    {
      name: 'update destination',
      refuses: true,
      send: post(`${destinations}/${destinationId}`, (url) => ({ webhook: { endpoint_url: url } })),
    },
    {
      name: 'create destination tool',
      refuses: true,
      send: (client, key, url) => client.tool('v1_create_merchant_destination', destinationFor(url), key),
    },
    { name: 'create event destination', refuses: true, send: post(eventDestinations, destinationFor) },
    {
      name: 'update event destination',
      refuses: true,
      send: post(`${eventDestinations}/${eventDestinationId}`, (url) => ({ webhook: { endpoint_url: url } })),
    },
    { name: 'purchase', refuses: false, send: post('/v1/purchase_intents', intent) },
    { name: 'preview', refuses: false, send: post('/v1/purchase_intents/preview', intent) },
    { name: 'shop check', refuses: false, send: post('/v1/shops/check', (url) => ({ url })) },
    {
      name: 'catalog item',
      refuses: false,
      send: post('/v1/merchant/catalog_items', (url) => ({
        title: 'Thing',
        url,
        variants: [{ price: 100 }],
      })),
    },
    {
      name: 'catalog media',
      refuses: false,
      send: post('/v1/merchant/catalog_items', (url) => ({
        title: 'Thing',
        media: [{ url }],
        variants: [{ price: 100 }],
      })),
    },
    {
      name: 'merchant domain',
      refuses: false,
      send: post('/v1/merchant', (url) => ({
        domain: url.replace(/^[a-z]+:\/+/i, '').replace(/[/?#\\].*/s, ''),
      })),
    },
  ]
}

type DoorsRun = {
  service: Service
  /** An API that runs as in production. */
  client: Client
  canary: Canary
  tally: Tally
  seed: number
}

/** Through the API itself: a URL that leads inside is refused with a problem, and no address causes a failure of ours. */
export async function checkDoors(run: DoorsRun, requests: number): Promise<void> {
  const { service, client, canary, tally, seed } = run
  const { person } = service
  const profile = await made(client, person, '/v1/profiles', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    country: 'US',
  })
  const own = await made(client, person, destinations, destinationFor('https://hooks.example/'))
  const told = await made(client, person, eventDestinations, destinationFor('https://hooks.example/'))
  await made(client, person, '/v1/merchant', { name: 'Shop', currency: 'USD' })
  const doors = doorsOf(profile, own, told)
  const forms = fc.sample(urlForms(canary.ports), { numRuns: requests, seed })
  const refusals = new Map<string, number>()
  const work = forms.map((form, index) => ({ form, door: doors[index % doors.length] }))
  await eachOf(work, atATime, async ({ form, door }) => {
    if (!door) return
    const sent = await door.send(client, person, form.url)
    const fault = faultOf(door, form, sent)
    if (fault === null) tally.pass()
    else
      tally.fail(
        `${door.name.replaceAll(' ', '-')} ${fault} ${JSON.stringify(form)}: ${sent.status} ${sent.text.slice(0, 300)}`,
      )
    if (sent.status >= 400) refusals.set(door.name, (refusals.get(door.name) ?? 0) + 1)
    // An account has a limit of destinations.
    const id = memberOf(sent.body, 'id')
    if (sent.status === 201 && String(id).startsWith('dest_')) {
      for (const path of [destinations, eventDestinations])
        await client.rest({ method: 'POST', path: `${path}/${id}/archive`, key: person })
    }
  })
  tally.figure('requests at the doors', forms.length)
  tally.figure('refused at', [...refusals].map(([name, count]) => `${name} ${count}`).join(', '))
}

function faultOf({ refuses }: Door, { standing }: Form, sent: Sent): string | null {
  if (sent.status >= 500) return 'failed'
  const isRefusal = sent.status >= 400
  if (isRefusal && typeof codeOf(sent) !== 'string' && !Array.isArray(memberOf(sent.body, 'detail')))
    return 'refused without a problem'
  const mustRefuse: Standing = 'inside'
  return refuses && standing === mustRefuse && !isRefusal ? 'accepted' : null
}

/** Behind the API: a URL in a row is checked again at every connect, by a worker that runs as in production. */
export async function checkDeliveries(run: DoorsRun, teller: Teller, count: number): Promise<void> {
  const { service, client, canary, tally, seed } = run
  const key = service.person
  const inside = fc
    .sample(urlForms(canary.ports), { numRuns: count * 6, seed: seed + 1 })
    .filter(({ standing }) => standing === 'inside')
    .slice(0, count)
  const ids: string[] = []
  await eachOf(inside, atATime, async () => {
    const body = { ...destinationFor('https://hooks.example/'), event_types: ['order.requested'] }
    ids.push(await made(client, key, destinations, body))
  })
  await overwrite(service.ready.database_url, ids, inside)
  const { accountId } = service
  await teller.tell({ merchant: accountId, buyer: accountId }, teller.newOrder(), 1)
  await eachOf(ids, atATime, async (id) => {
    const form = inside[ids.indexOf(id)]
    const error = await firstErrorOf(client, key, id)
    if (error === 'blocked_address' || error === 'blocked_url') tally.pass()
    else tally.fail(`delivery to ${JSON.stringify(form)} ended with ${error}`)
  })
  tally.figure('deliveries to hostile rows', ids.length)
}

async function overwrite(url: string, ids: readonly string[], forms: readonly Form[]): Promise<void> {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  try {
    await db.query(
      `update webhook_destinations d set endpoint_url = m.url, confirmed_at = now()
       from unnest($1::text[], $2::text[]) as m (id, url) where d.id = m.id`,
      [ids, forms.slice(0, ids.length).map((form) => form.url)],
    )
  } finally {
    await db.end()
  }
}

/** The error of the first attempt, once it was made, or the status of an answer. */
async function firstErrorOf(client: Client, key: string, id: string): Promise<unknown> {
  const wait = patience(patienceMs)
  while (!wait.isOver()) {
    const { body } = await client.rest({ method: 'GET', path: `${destinations}/${id}/events`, key })
    const data = memberOf(body, 'data')
    const attempts = memberOf(Array.isArray(data) ? data[0] : undefined, 'attempts')
    const [first] = Array.isArray(attempts) ? attempts : []
    if (first !== undefined) return memberOf(first, 'http_status') ?? memberOf(first, 'error')
  }
  return 'no attempt at all'
}

async function made(client: Client, key: string, path: string, body: object): Promise<string> {
  const sent = await client.rest({ method: 'POST', path, key, body: JSON.stringify(body) })
  return String(bodyOf(sent, sent.status === 200 ? 200 : 201).id)
}
