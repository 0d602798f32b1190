import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prokura } from './harness/command-runner.ts'
import { callService, makeFolder } from './harness/service-calls.ts'
import { hasChromium } from './harness/shop-browser.ts'
import { type Service, serviceEnvironment, startService } from './harness/up.ts'

let folder: string
let state: string
let service: Service
let remove: () => Promise<void>
beforeAll(async () => {
  ;({ folder, state, remove } = await makeFolder())
  const env = { ...serviceEnvironment(), PROKURA_BROWSER: hasChromium ? 'on' : 'off' }
  service = await startService({ state, args: ['--port', '0'], env })
})
afterAll(async () => {
  await service?.stop()
  await remove()
})

const check = (args: readonly string[], env = serviceEnvironment()) =>
  prokura(['shop', 'check', ...args, '--state', state], env)

async function testimony(shop: string): Promise<{ kind: string; email: string | null }[]> {
  return (await fetch(`${service.ready.sandbox.strangers_url}/${shop}/log`)).json() as Promise<
    { kind: string; email: string | null }[]
  >
}

describe.skipIf(!hasChromium)('a check of a shop from the terminal', () => {
  test('is a table of its pages, ends at the page that asks who buys, and nobody is named there', async () => {
    const { code, out, err } = await check(['https://classic.shop.test/product/kettle'])
    expect({ code, err: err.replaceAll('The shop is being looked at …\n', '') }).toEqual({ code: 0, err: '' })
    const lines = out.trim().split('\n')
    const cells = lines.map((line) => line.trim().split(/ {2,}/))
    expect(cells).toEqual(
      expect.arrayContaining([
        ['STEP', 'PAGE', 'FIELD (* REQUIRED)', 'GETS', 'HOW'],
        ['2', 'cart', 'https://classic.shop.test/cart'],
        ['pressed', 'Continue as guest'],
        ['Street address *', 'line1', 'typed'],
        ['guests', 'may buy'],
      ]),
    )
    expect(lines.at(-1)).toBe('Nothing stands against buying it, as far as the page that asks who buys.')
    expect((await testimony('classic')).every(({ kind, email }) => kind === 'cart' && email === null)).toBe(
      true,
    )
    expect((await callService(service, { method: 'GET', path: '/v1/profiles' })).body.total).toBe(0)
  })

  test('goes on as a buyer who does not exist, keeps its pictures, and orders nothing', async () => {
    const pictures = join(folder, 'pictures')
    const url = 'https://classic.shop.test/product/teapot'
    const { code, out } = await check([url, '--as', 'demo', '--pictures', pictures, '--json'])
    expect(code).toBe(0)
    const seen = JSON.parse(out)
    expect(seen).toMatchObject({
      verdict: 'can_buy',
      buyer: 'demo',
      country: 'US',
      checkout: { reached: 'payment' },
    })
    expect(seen.pictures.map(({ stage }: { stage: string }) => stage)).toEqual(
      expect.arrayContaining(['product', 'address', 'payment']),
    )
    for (const { file } of seen.pictures) {
      expect(file.startsWith(pictures)).toBe(true)
      expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG')
    }
    expect((await testimony('classic')).filter(({ kind }) => kind !== 'cart')).toEqual([])
    const intents = await callService(service, { method: 'GET', path: '/v1/purchase_intents' })
    expect(intents.body.total).toBe(0)
  })

  test.each([
    ['https://closed.shop.test/product/checkout-wall', 2, 'a purchase there waits for a sign-in'],
    ['https://picky.shop.test/product/dni-needed', 2, '“Identification number”'],
    ['https://choices.shop.test/product/jacket', 1, 'Choose Color (Navy, Sand, Forest)'],
    ['https://classic.shop.test/product/nothing', 1, 'no product at this URL'],
  ])('of %s ends with %i, and says why', async (url, exit, words) => {
    const { code, out } = await check([url])
    expect({ code, out }).toEqual({ code: exit, out: expect.stringContaining(words) })
  })
})

test('a shop that speaks UCP is asked over UCP, and has no pages to go through', async () => {
  const { code, out } = await check(['https://ucp.shop.test/products/kettle', '--as', 'demo', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ channel: 'ucp', buyer: 'nobody', steps: [], checkout: null })
})

describe('what cannot be checked is said, and nobody is contacted', () => {
  test.each([
    [
      ['https://shop.example/mug'],
      'shop.example is not in the registry of test mode, so nobody contacts it. Add it with',
    ],
    [['ftp://shop.example/mug'], 'It must be the https address of a product page'],
    [
      ['https://classic.shop.test/product/kettle', '--pictures', 'x'],
      'Without --as demo no pictures are taken',
    ],
    [['https://classic.shop.test/product/kettle', '--as', 'me'], 'Allowed choices are demo'],
    [[], "missing required argument 'url'"],
  ])('%j', async (args, words) => {
    const { code, out, err } = await check(args)
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(words) })
  })

  test('a key without every scope', async () => {
    const made = await prokura(
      ['keys', 'create', '--preset', 'buyer_agent', '--json', '--state', state],
      serviceEnvironment(),
    )
    const { code, err } = await check(['https://classic.shop.test/product/kettle'], {
      ...serviceEnvironment(),
      PROKURA_API_KEY: JSON.parse(made.out).token,
    })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('(403)') })
  })
})
