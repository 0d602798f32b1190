import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { followers } from '../../../composition.ts'
import { createRelay } from '../../../platform/events/relay.ts'
import { noFaults } from '../../../platform/faults/faults.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ limits: { discoveryTest: 10_000 } })
  const shop = { slug: 'words', domain: 'words.example', name: 'Words', currency: 'EUR' }
  expect((await app.post('/v1/merchant', shop)).status).toBe(200)
  for (const [index, title] of titles.entries()) {
    const item = { title, url: `https://words.example/${index}`, variants: [{ price: 100 }] }
    const { body } = await app.post('/v1/merchant/catalog_items', item)
    expect((await app.post(`/v1/merchant/catalog_items/${body.id}/publish`)).status).toBe(200)
  }
  const parts = { ...app.parts, followers, metrics: createMetrics(), log: silentLog(), faults: noFaults }
  const relay = createRelay(parts)
  await relay.runOnce()
  await relay.stop()
})
afterAll(() => app.stop())

/** As merchants write them. */
const titles = [
  'Café crème mug',
  'Ångström lamp',
  'STRASSE sign',
  'Straße print',
  'ﬁlter paper',
  'nai\u0308ve art',
  'ｋettle steel',
  'КОФЕ зерно',
  'やかん',
  'iPhone 15-Pro',
  'AA-batteries 4×',
  'C++ book',
  'Smørrebrød board',
  'Œuvre complète',
  'Łódź poster',
  'İstanbul guide',
]

async function found(query: string): Promise<string[]> {
  const { status, body } = await app.post('/v1/catalog', { query })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.products.map(({ title }: { title: string }) => title)
}

test.each([
  ['cafe creme', 'Café crème mug'],
  ['CAFÉ CRÈME', 'Café crème mug'],
  ['angstrom', 'Ångström lamp'],
  ['strasse', 'STRASSE sign'],
  ['strasse', 'Straße print'],
  ['straße', 'STRASSE sign'],
  ['STRAẞE', 'Straße print'],
  ['filter', 'ﬁlter paper'],
  ['na\u00efve', 'nai\u0308ve art'],
  ['naive', 'nai\u0308ve art'],
  ['kettle', 'ｋettle steel'],
  ['ketle', 'ｋettle steel'],
  ['kettel', 'ｋettle steel'],
  ['kettlr', 'ｋettle steel'],
  ['кофе', 'КОФЕ зерно'],
  ['やかん', 'やかん'],
  ['iphone15 pro', 'iPhone 15-Pro'],
  ['iphone 15 pro', 'iPhone 15-Pro'],
  ['aa batteries', 'AA-batteries 4×'],
  ['c++ book', 'C++ book'],
  ['smorrebrod', 'Smørrebrød board'],
  ['smørrebrød', 'Smørrebrød board'],
  ['oeuvre', 'Œuvre complète'],
  ['lodz', 'Łódź poster'],
  ['istanbul', 'İstanbul guide'],
  ['ISTANBUL', 'İstanbul guide'],
])('%s finds %s', async (query, title) => {
  expect(await found(query)).toContain(title)
})

test.each(['50% off', 'a & b', "'", '"', '\\', '(:*', '!', '<->', '%', '_', '\u2028', "x' | 'y", 'c:\\'])(
  '%j is answered',
  async (query) => {
    expect(await found(query)).toEqual(expect.any(Array))
  },
)
