import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { bareRequest } from '../../../test/harness/bare-request.ts'
import { newBuyer } from '../../../test/harness/buyers.ts'
import { openComponentPage } from '../../../test/harness/component-page.ts'
import { person } from '../../../test/harness/person.ts'
import { processorPage } from '../../rails/stripe/card-page.ts'

const [frames, cards, shop] = ['elements.localhost:4000', 'cards.localhost:4000', 'https://shop.example']
const path = `/cards/v1/page?host=${shop}`

let app: TestApp
beforeAll(async () => {
  // Nobody has said where a vault is reached.
  app = await startTestApp({
    elements: { url: `http://${frames}`, vaultUrl: null },
    cards: { url: `http://${cards}`, ...processorPage('https://api.stripe.com') },
  })
})
afterAll(() => app.stop())

function at(host: string, asked: string) {
  return bareRequest(`${app.url}${asked}`, { headers: { host } })
}

async function policyOf(host: string, asked: string): Promise<Record<string, string>> {
  const { headers } = await at(host, asked)
  const directives = String(headers['content-security-policy']).split('; ')
  return Object.fromEntries(directives.map((each) => [each.split(' ', 1)[0], each.replace(/^\S+ /, '')]))
}

test('the page of the third origin lets the scripts, calls and frames of Stripe in, and stands in our frames alone', async () => {
  expect((await at(cards, path)).status).toBe(200)
  expect(await policyOf(cards, path)).toEqual({
    'default-src': "'none'",
    'script-src': "'self' https://js.stripe.com https://*.js.stripe.com",
    'style-src': "'self'",
    'style-src-attr': "'unsafe-inline'",
    'connect-src': 'https://api.stripe.com',
    'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    'frame-ancestors': `http://${frames} ${shop}`,
    'base-uri': "'none'",
    'form-action': "'none'",
  })
})

test.each([
  '/cards/v1/page',
  '/cards/v1/page?host=*',
  '/cards/v1/page?host=https://shop.example/',
  "/cards/v1/page?host=https://shop.example;script-src%20'unsafe-inline'",
  '/cards/v1/page?host=javascript:alert(1)',
  '/cards/v1/page?host=https://a.example&host=https://b.example',
])('%s stands in no page', async (asked) => {
  const policy = await policyOf(cards, asked)
  expect([policy['frame-ancestors'], policy['script-src']]).toEqual([
    "'none'",
    "'self' https://js.stripe.com https://*.js.stripe.com",
  ])
})

test('the third origin serves that page with its two files, and they are served nowhere else', async () => {
  const page = (await at(cards, path)).body.toString()
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => String(file))
  expect(files.map((file) => file.replace(/files\/[^/]+/, 'files'))).toEqual([
    '/cards/v1/files/cards.css',
    '/cards/v1/files/cards.js',
  ])
  for (const file of files) expect((await at(cards, file)).status).toBe(200)
  for (const asked of [path, ...files])
    for (const host of [frames, new URL(app.url).host])
      expect([host, asked, (await at(host, asked)).status]).toEqual([host, asked, 404])
  const others = ['/', '/v1/profiles', '/openapi.json', '/elements/v1/prokura.js', '/elements/v1/approve']
  for (const other of [...others, '/cards/v1/card_setups', files[1]?.replace('cards.js', 'frame.js') ?? ''])
    expect([other, (await at(cards, other)).status]).toEqual([other, 404])
})

test('a session of live mode names that page and needs no vault, its frame may hold it, and test mode, which has our own fields, needs one', async () => {
  const key = app.account.keys.secret_live
  const live = (await app.post('/v1/profiles', person, { key })).body.id
  const tested = (await newBuyer(app, { card: null })).profileId
  const found = []
  for (const [mode, profile_id] of [
    ['live', live],
    ['test', tested],
  ] as const) {
    const page = await openComponentPage(app, { origin: shop, mode })
    const body = { publishable_key: page.key, component: 'AddPaymentMethod' }
    const begun = await app.request('POST', '/elements/v1/bootstraps', {
      key: null,
      headers: { origin: shop },
      body,
    })
    const { bootstrap } = begun.body
    const asked = { ...body, bootstrap, profile_id }
    const opened = await app.request('POST', '/elements/v1/sessions', { key: null, body: asked })
    const policy = await policyOf(frames, `/elements/v1/frames/${bootstrap}`)
    found.push([opened.status, opened.body.vault_url, opened.body.cards_url, policy['frame-src']])
  }
  expect(found).toEqual([
    [201, null, `http://${cards}/cards/v1/page?host=${encodeURIComponent(shop)}`, `http://${cards}`],
    [503, undefined, undefined, undefined],
  ])
})
