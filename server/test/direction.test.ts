import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDirection, ruleNames } from './direction.ts'

type Files = Record<string, string>

/** A slice.ts as the check reads it. */
function slice(name: string, ...needs: string[]): string {
  return `export const one = { name: '${name}', needs: [${needs.map((need) => `'${need}'`).join(', ')}] }`
}

/** For every rule a small tree in which exactly that rule has something to find. */
const planted: Record<string, Files> = {
  'core-is-pure': {
    'server/src/core/id.ts': `import { randomBytes } from 'node:crypto'\nexport const id = randomBytes(1)`,
  },
  'contract-sees-only-lower-layers': {
    'server/src/contract/context.ts': `import type { Pool } from '../platform/pool.ts'\nexport type Context = Pool`,
    'server/src/platform/pool.ts': 'export type Pool = string',
  },
  'schema-sees-only-lower-layers': {
    'server/src/schema/node.ts': `import type { Id } from '../contract/ids.ts'\nexport type Node = Id`,
    'server/src/contract/ids.ts': 'export type Id = string',
  },
  'protocols-sees-only-lower-layers': {
    'server/src/protocols/ucp/profile.ts': `import { scope } from '../../contract/scopes.ts'\nexport const profile = scope`,
    'server/src/contract/scopes.ts': 'export const scope = 1',
  },
  'platform-sees-only-lower-layers': {
    'server/src/platform/relay.ts': `import { order } from '../domain/trade/orders/public.ts'\nexport const relay = order`,
    'server/src/domain/trade/orders/public.ts': 'export const order = 1',
  },
  'domain-sees-only-lower-layers': {
    'server/src/domain/trade/orders/slice.ts': slice('trade/orders'),
    'server/src/domain/trade/orders/order.ts': `import { rail } from '../../../rails/stripe/stripe.ts'\nexport const order = rail`,
    'server/src/rails/stripe/stripe.ts': 'export const rail = 1',
  },
  'channels-sees-only-lower-layers': {
    'server/src/channels/ucp/ucp.ts': `import { cart } from '../../domain/buying/execution/cart.ts'\nexport const ucp = cart`,
    'server/src/domain/buying/execution/cart.ts': 'export const cart = 1',
  },
  'rails-sees-only-lower-layers': {
    'server/src/rails/stripe/stripe.ts': `import { ucp } from '../../channels/ucp/ucp.ts'\nexport const rail = ucp`,
    'server/src/channels/ucp/ucp.ts': 'export const ucp = 1',
  },
  'models-sees-only-lower-layers': {
    'server/src/models/model.ts': `import { rail } from '../rails/stripe/stripe.ts'\nexport const model = rail`,
    'server/src/rails/stripe/stripe.ts': 'export const rail = 1',
  },
  'surfaces-sees-only-lower-layers': {
    'server/src/surfaces/http/mount.ts': `import { all } from '../../composition.ts'\nexport const mount = all`,
    'server/src/composition.ts': 'export const all = 1',
  },
  'vault-sees-only-lower-layers': {
    'server/src/vault/door.ts': `import { work } from '../work.ts'\nexport const door = work`,
    'server/src/work.ts': 'export const work = 1',
  },
  'only-the-program-opens-the-vault': {
    'server/src/work.ts': `import { open } from './vault/open-vault.ts'\nexport const work = open`,
    'server/src/vault/open-vault.ts': 'export const open = 1',
  },
  'browser-sees-only-lower-layers': {
    'server/src/browser/visit.ts': `import { channel } from '../channels/browser/browser-port.ts'\nexport const visit = channel`,
    'server/src/channels/browser/browser-port.ts': 'export const channel = 1',
  },
  'only-the-program-opens-the-browser': {
    'server/src/work.ts': `import { open } from './browser/open-browser.ts'\nexport const work = open`,
    'server/src/browser/open-browser.ts': 'export const open = 1',
  },
  'surfaces-do-not-meet': {
    'server/src/surfaces/ucp/tools.ts': `import { mount } from '../v1/mount.ts'\nexport const tools = mount`,
    'server/src/surfaces/v1/mount.ts': `import { edge } from '../http/edge.ts'\nexport const mount = edge`,
    'server/src/surfaces/http/edge.ts': 'export const edge = 1',
  },
  'slices-meet-in-public': {
    'server/src/domain/buying/execution/slice.ts': slice('buying/execution', 'trade/orders'),
    'server/src/domain/buying/execution/cart.ts': `import { order } from '../../trade/orders/order.ts'\nexport const cart = order`,
    'server/src/domain/trade/orders/slice.ts': slice('trade/orders'),
    'server/src/domain/trade/orders/order.ts': 'export const order = 1',
  },
  'slice-has-a-place': {
    'server/src/domain/selling/loyalty/points.ts': `import { one } from '../../../core/one.ts'\nexport const points = one`,
    'server/src/core/one.ts': 'export const one = 1',
  },
  'slice-needs-what-it-imports': {
    'server/src/domain/trade/orders/slice.ts': slice('trade/orders'),
    'server/src/domain/trade/orders/answer.ts': `import { intent } from '../../buying/intents/public.ts'\nexport const answer = intent`,
    'server/src/domain/buying/intents/slice.ts': slice('buying/intents'),
    'server/src/domain/buying/intents/public.ts': 'export const intent = 1',
  },
  'slice-imports-what-it-needs': {
    'server/src/domain/trade/orders/slice.ts': `import { one } from './one.ts'\n${slice('trade/orders', 'policies')}\nexport const two = one`,
    'server/src/domain/trade/orders/one.ts': 'export const one = 1',
    'server/src/domain/policies/slice.ts': slice('policies'),
  },
  'needs-have-no-cycle': {
    'server/src/domain/trade/orders/slice.ts': slice('trade/orders', 'trade/quotes'),
    'server/src/domain/trade/orders/order.ts': `import { quote } from '../quotes/public.ts'\nexport const order = quote`,
    'server/src/domain/trade/orders/public.ts': 'export const other = 1',
    'server/src/domain/trade/quotes/slice.ts': slice('trade/quotes', 'trade/orders'),
    'server/src/domain/trade/quotes/quote.ts': `import { other } from '../orders/public.ts'\nexport const of = other`,
    'server/src/domain/trade/quotes/public.ts': 'export const quote = 1',
  },
  'chats-use-the-dispatcher': {
    'server/src/domain/chats/slice.ts': slice('chats', 'buying/execution'),
    'server/src/domain/chats/turn.ts': `import { buy } from '../buying/execution/public.ts'\nexport const turn = buy`,
    'server/src/domain/buying/execution/slice.ts': slice('buying/execution'),
    'server/src/domain/buying/execution/public.ts': 'export const buy = 1',
  },
  'channels-do-not-meet': {
    'server/src/channels/ucp/ucp.ts': `import { way } from '../mpp/mpp.ts'\nexport const ucp = way`,
    'server/src/channels/mpp/mpp.ts': 'export const way = 1',
  },
  'rails-do-not-meet': {
    'server/src/rails/stripe/stripe.ts': `import { rail } from '../sandbox/sandbox.ts'\nexport const stripe = rail`,
    'server/src/rails/sandbox/sandbox.ts': 'export const rail = 1',
  },
  'workspaces-import-what-is-published': {
    'package.json': '{"workspaces":["server","sandbox","toys"]}',
    'toys/src/toy.ts': `import { one } from '../../server/src/core/one.ts'\nexport const toy = one`,
    'server/src/core/one.ts': 'export const one = 1',
    'server/test/flow.test.ts': `import { shop } from '../../sandbox/src/shop.ts'\nexport const flow = shop`,
    // Nobody else imports what the sandbox would publish.
    'sandbox/package.json': '{"name":"planted","exports":"./src/shop.ts"}',
    'sandbox/src/shop.ts': 'export const shop = 1',
  },
  'sandbox-stands-alone': {
    'sandbox/src/shop.ts': `import { one } from '../../server/src/core/one.ts'\nexport const shop = one`,
    'server/src/core/one.ts': 'export const one = 1',
  },
  'tests-are-for-tests': {
    'server/src/app.ts': `import { start } from '../test/harness/start.ts'\nexport const app = start`,
    'server/test/harness/start.ts': 'export const start = 1',
  },
  'no-cycles': {
    'server/src/core/a.ts': `import type { B } from './b.ts'\nexport type A = B | 1`,
    'server/src/core/b.ts': `import type { A } from './a.ts'\nexport type B = A | 2`,
  },
  'everything-resolves': {
    'server/src/app.ts': `import { gone } from './gone.ts'\nexport const app = gone`,
  },
  'dependencies-are-declared': {
    'server/src/app.ts': `import { pad } from 'pad'\nexport const app = pad`,
    'server/package.json': '{"name":"planted","type":"module","dependencies":{}}',
    'node_modules/pad/package.json':
      '{"name":"pad","version":"1.0.0","type":"module","exports":"./index.js"}',
    'node_modules/pad/index.js': 'export const pad = 1',
  },
}

for (const name of ruleNames) {
  test(`a planted violation of ${name} is found, and nothing else is reported`, async () => {
    const files = planted[name]
    if (files === undefined) throw new Error(`no violation is planted for ${name}`)
    const { violations } = await inFolder(files, checkDirection)
    expect([...new Set(violations.map(({ rule }) => rule))]).toEqual([name])
  })
}

test('a slice.ts that names another folder is refused, so that nothing is held against the wrong needs', async () => {
  const files = { 'server/src/domain/trade/orders/slice.ts': slice('trade/quotes') }
  await expect(inFolder(files, checkDirection)).rejects.toThrow('its folder is trade/orders')
})

test('a tree that keeps to the direction has no violations, and its modules and imports are counted', async () => {
  const result = await inFolder(
    {
      'server/src/core/one.ts': 'export const one = 1',
      'server/src/contract/two.ts': `import { one } from '../core/one.ts'\nexport const two = one`,
      'server/src/platform/three.ts': `import { two } from '../contract/two.ts'\nexport const three = two`,
      'server/src/domain/policies/slice.ts': slice('policies'),
      'server/src/domain/buying/execution/slice.ts': slice('buying/execution', 'policies'),
      'server/src/domain/policies/public.ts': `import { three } from '../../platform/three.ts'\nexport const four = three`,
      'server/src/domain/buying/execution/buy.ts': `import { four } from '../../policies/public.ts'\nexport const five = four`,
      'server/src/domain/buying/channels/port.ts': 'export type Way = string',
      'server/src/channels/simulated/ucp.ts': `import type { Way } from '../../domain/buying/channels/port.ts'\nexport const way: Way = ''`,
      'server/src/surfaces/http/mount.ts': `import { two } from '../../contract/two.ts'\nexport const mount = two`,
      'server/src/app.ts': `import { five } from './domain/buying/execution/buy.ts'\nimport { mount } from './surfaces/http/mount.ts'\nexport const app = [five, mount]`,
      'server/src/core/one.test.ts': `import { expect } from 'vitest'\nimport { one } from './one.ts'\nexpect(one)`,
      'node_modules/vitest/package.json': '{"name":"vitest","version":"1.0.0","exports":"./index.js"}',
      'node_modules/vitest/index.js': 'export const expect = 1',
    },
    checkDirection,
  )
  expect(result).toEqual({ modules: 12, dependencies: expect.any(Number), violations: [] })
  expect(result.dependencies).toBeGreaterThanOrEqual(9)
})

test('of what another workspace publishes, every import is right', async () => {
  const { violations } = await inFolder(
    {
      'package.json': '{"workspaces":["server","toys"]}',
      'toys/src/toy.ts': `import { one } from '../../server/src/app.ts'\nimport { two } from '../../server/src/two.ts'\nexport const toy = [one, two]`,
      'server/src/app.ts': 'export const one = 1',
      'server/src/two.ts': 'export const two = 2',
      'server/package.json': '{"name":"planted","exports":{"./one":{"default":"./src/app.ts"}}}',
    },
    checkDirection,
  )
  expect(violations.map(({ to }) => to)).toEqual(['server/src/two.ts'])
})

async function inFolder<T>(files: Files, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'direction-')))
  try {
    const all = { 'package.json': '{"workspaces":["server","sandbox","bench"]}', ...files }
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
