import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { comparableUrl, normalizeUrl } from '../../../schema/formats.ts'
import { readSellersAt } from '../merchant/public.ts'
import { readItemsAt, resolveUrls, urlKeysOf } from './public.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.post('/v1/merchant', { slug: 'tea', name: 'Tea', domain: 'tea.example' })
})
afterAll(() => app.stop())

async function published(url: string): Promise<string> {
  const variants = [{ title: 'One', price: 100, currency: 'EUR' }]
  const { body } = await app.post('/v1/merchant/catalog_items', { title: 'Tea', url, variants })
  expect((await app.post(`/v1/merchant/catalog_items/${body.id}/publish`)).body.status).toBe('published')
  return body.id
}

/** The item that a purchase at each of these URLs finds. */
async function found(...urls: string[]): Promise<(string | null)[]> {
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  const reads = { rows: app.parts.pools.read }
  const sellers = await readSellersAt(reads, tenant, urlKeysOf(urls).hosts)
  const resolved = resolveUrls(urls, sellers, await readItemsAt(reads, tenant.mode, urls))
  return resolved.map((one) => one?.item?.id ?? null)
}

test('a purchase finds an item by a link with added parameters, and finds nothing at another path', async () => {
  const mug = await published('https://www.tea.example/mug/?size=L&utm_source=feed')
  const links = [
    'https://tea.example/mug?size=L',
    'https://www.tea.example/mug/?size=L&gclid=1#top',
    'https://WWW.TEA.example/mug?fbclid=a&size=L&msclkid=b&srsltid=c&ref=d&utm_medium=e',
  ]
  expect(await found(...links)).toEqual(links.map(() => mug))
  const others = [
    'https://tea.example/mug',
    'https://tea.example/mug?size=M',
    'https://tea.example/mug/red?size=L',
    'https://tea.example/Mug?size=L',
    'https://shop.tea.example/mug?size=L',
  ]
  expect(await found(...others)).toEqual(others.map(() => null))
})

test('where a merchant distinguishes items by such a parameter, only the exact URL finds one', async () => {
  const red = await published('https://tea.example/cup?ref=red')
  const blue = await published('https://tea.example/cup?ref=blue')
  expect(
    await found(
      'https://tea.example/cup?ref=red',
      'https://tea.example/cup?ref=blue&utm_source=x',
      'https://tea.example/cup',
      'https://tea.example/cup?ref=green',
    ),
  ).toEqual([red, blue, null, null])
})

test('PostgreSQL makes the same key from a stored URL as a purchase does, for any URL', async () => {
  const names = ['utm_source', 'UTM_x', 'gclid', 'ref', 'Ref', 'size', 'a', 'preference', '', 'fbclid']
  const pair = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('', '=', '=1', '=a?ref=b', '=%26', '=ä'))
    .map((parts) => parts.join(''))
  const urls = fc
    .tuple(
      fc.constantFrom('shop.test', 'www.shop.test', 'www.www.shop.test', 'www.test', 'www2.shop.test:8443'),
      fc.constantFrom('', '/', '//', '/a', '/a/', '/a.b/c//', '/www.a/%20'),
      fc.array(pair, { maxLength: 4 }),
    )
    .map(([host, place, pairs]) => `https://${host}${place}${pairs.length > 0 ? '?' : ''}${pairs.join('&')}`)
  const given = fc.sample(urls, 2_000)
  const rows = await app.sql<{ made: string }>(
    'select prokura_comparable_url(key) as made from unnest($1::text[]) with ordinality as u (key, place) order by place',
    [given.map(normalizeUrl)],
  )
  expect(rows.map(({ made }) => made)).toEqual(given.map(comparableUrl))
})
