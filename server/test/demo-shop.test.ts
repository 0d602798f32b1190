import { describe, expect, test } from 'vitest'
import type { ShopResult } from '../src/cli/commands/demo-printer.ts'
import { demoShops } from '../src/cli/commands/demo-shop.ts'
import { hasChromium } from './harness/browser.ts'
import { startSandbox } from './harness/sandbox.ts'
import { prokuraAlone, serviceEnvironment } from './harness/up.ts'

type Line = { event?: { type: string }; result?: ShopResult; next?: { guide: string } }

async function demoAt(shop: string, env: NodeJS.ProcessEnv = {}) {
  const { code, out, err } = await prokuraAlone(['demo', '--shop', shop, '--json'], {
    ...serviceEnvironment(),
    PROKURA_BROWSER: 'on',
    ...env,
  })
  const lines = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line))
  return {
    code,
    err,
    out,
    events: lines.flatMap(({ event }) => event?.type ?? []),
    result: lines.flatMap(({ result }) => result ?? []).at(0),
    next: lines.at(-1)?.next,
  }
}

test('the demo knows every shop of the sandbox that has nothing but pages', async () => {
  const sandbox = await startSandbox()
  try {
    const speaking = ['ucp', 'mpp']
    const shops = Object.keys(sandbox.names.addresses).flatMap(
      (name) => /^([a-z]+)\.shop\.test$/.exec(name)?.[1] ?? [],
    )
    expect([...demoShops].sort()).toEqual(shops.filter((name) => !speaking.includes(name)).sort())
  } finally {
    await sandbox.stop()
  }
})

describe.runIf(hasChromium)('demo --shop', () => {
  test('buys at a shop through its pages: what it shows is what shop and processor say', async () => {
    const { code, out, events, result, next } = await demoAt('classic')
    expect(code).toBe(0)
    expect(events.at(0)).toBe('purchase_intent.created')
    expect(events).toContain('cart.order_placed')
    expect(events.at(-1)).toBe('purchase_intent.succeeded')
    expect(result).toMatchObject({
      shop: 'classic',
      status: 'succeeded',
      why: null,
      currency: 'USD',
      actual_amount: 5832,
      shop_log: [
        { kind: 'order', items: '1 × kettle', amount: 5832 },
        { kind: 'charge', result: 'authorized', amount: 5832 },
        { kind: 'charge', result: 'captured', amount: 5832 },
      ],
      processor: { authorizations: 1, captures: 1, captured_amount: 5832 },
    })
    expect(next).toMatchObject({ guide: 'docs/anywhere.md' })
    expect(out).not.toMatch(/pr_[sp]k_/)
    expect(out).not.toMatch(/\d{12,}/)
  })

  test('says why at a shop that cannot be bought from, with the exit code 1', async () => {
    const { code, err, result, next } = await demoAt('closed')
    expect(code).toBe(1)
    expect(result).toMatchObject({
      status: 'awaiting_merchant_auth',
      shop_log: [],
      processor: { authorizations: 0, captures: 0, captured_amount: 0 },
    })
    expect(err).toContain(`Nothing was bought at closed. ${result?.why}`)
    expect(result?.why).toContain('closed.shop.test asks for a sign-in')
    expect(next).toBeUndefined()
  })
})

test('without a browser it says so, and buys nothing in another way', async () => {
  const { code, err, events } = await demoAt('classic', { PROKURA_BROWSER: 'off' })
  expect([code, events]).toEqual([1, []])
  expect(err).toContain('This demo needs the browser, which PROKURA_BROWSER=off leaves out.')
})

test.each([
  [['--shop', 'clasic'], 'Allowed choices are classic, app'],
  [['--headed'], '--headed shows a browser, which only --shop uses.'],
  [['--headed', '--shop', 'classic'], 'Set CHROMIUM_PATH to one that has'],
])('demo %j starts nothing, and says what is missing', async (args, words) => {
  const { code, out, err } = await prokuraAlone(['demo', ...args], {
    ...serviceEnvironment(),
    CHROMIUM_PATH: '',
  })
  expect([code, out, err]).toEqual([1, '', expect.stringContaining(words)])
  expect(err).not.toContain('Starting')
})
