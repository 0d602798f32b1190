import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDirection, ruleFile } from './direction.ts'

type Files = Record<string, string>

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
  'platform-sees-only-lower-layers': {
    'server/src/platform/relay.ts': `import { order } from '../domain/trade/orders/public.ts'\nexport const relay = order`,
    'server/src/domain/trade/orders/public.ts': 'export const order = 1',
  },
  'domain-sees-only-lower-layers': {
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
  'surfaces-sees-only-lower-layers': {
    'server/src/surfaces/http/mount.ts': `import { all } from '../../api.ts'\nexport const mount = all`,
    'server/src/api.ts': 'export const all = 1',
  },
  'surfaces-do-not-meet': {
    'server/src/surfaces/ucp/tools.ts': `import { mount } from '../v1/mount.ts'\nexport const tools = mount`,
    'server/src/surfaces/v1/mount.ts': `import { edge } from '../http/edge.ts'\nexport const mount = edge`,
    'server/src/surfaces/http/edge.ts': 'export const edge = 1',
  },
  'slices-meet-in-public': {
    'server/src/domain/buying/execution/cart.ts': `import { order } from '../../trade/orders/order.ts'\nexport const cart = order`,
    'server/src/domain/trade/orders/order.ts': 'export const order = 1',
  },
  'slice-has-a-place': {
    'server/src/domain/selling/loyalty/points.ts': `import { one } from '../../../core/one.ts'\nexport const points = one`,
    'server/src/core/one.ts': 'export const one = 1',
  },
  'chats-use-the-dispatcher': {
    'server/src/domain/chats/turn.ts': `import { buy } from '../buying/execution/public.ts'\nexport const turn = buy`,
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
  'server-never-imports-the-outside-world': {
    'server/test/flow.test.ts': `import { shop } from '../../sandbox/src/shop.ts'\nexport const flow = shop`,
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

// Chats stand above all, so importing them is wrong for every other slice.
for (const { name } of ruleFile.forbidden) {
  const slice = /^slice-order-(.+)$/.exec(name)?.[1]
  if (slice === undefined) continue
  planted[name] = {
    [`server/src/domain/${slice}/operations.ts`]: `import { turn } from '${slice.includes('/') ? '../../' : '../'}chats/public.ts'\nexport const list = [turn]`,
    'server/src/domain/chats/public.ts': 'export const turn = 1',
  }
}

for (const { name } of ruleFile.forbidden) {
  test(`a planted violation of ${name} is found, and nothing else is reported`, async () => {
    const files = planted[name]
    if (files === undefined) throw new Error(`no violation is planted for ${name}`)
    const { violations } = await inFolder(files, checkDirection)
    expect([...new Set(violations.map(({ rule }) => rule))]).toEqual([name])
  })
}

test('orders may not import purchase intents, not even through public.ts', async () => {
  const { violations } = await inFolder(
    {
      'server/src/domain/trade/orders/answer.ts': `import { intent } from '../../buying/intents/public.ts'\nexport const answer = intent`,
      'server/src/domain/buying/intents/public.ts': 'export const intent = 1',
    },
    checkDirection,
  )
  expect(violations).toMatchObject([{ rule: 'slice-order-trade/orders' }])
})

test('a tree that keeps to the direction has no violations, and its modules and imports are counted', async () => {
  const result = await inFolder(
    {
      'server/src/core/one.ts': 'export const one = 1',
      'server/src/contract/two.ts': `import { one } from '../core/one.ts'\nexport const two = one`,
      'server/src/platform/three.ts': `import { two } from '../contract/two.ts'\nexport const three = two`,
      'server/src/domain/policies/public.ts': `import { three } from '../../platform/three.ts'\nexport const four = three`,
      'server/src/domain/buying/execution/buy.ts': `import { four } from '../../policies/public.ts'\nexport const five = four`,
      'server/src/domain/buying/execution/port.ts': 'export type Way = string',
      'server/src/channels/simulated/ucp.ts': `import type { Way } from '../../domain/buying/execution/port.ts'\nexport const way: Way = ''`,
      'server/src/surfaces/http/mount.ts': `import { two } from '../../contract/two.ts'\nexport const mount = two`,
      'server/src/app.ts': `import { five } from './domain/buying/execution/buy.ts'\nimport { mount } from './surfaces/http/mount.ts'\nexport const app = [five, mount]`,
      'server/src/core/one.test.ts': `import { expect } from 'vitest'\nimport { one } from './one.ts'\nexpect(one)`,
      'node_modules/vitest/package.json': '{"name":"vitest","version":"1.0.0","exports":"./index.js"}',
      'node_modules/vitest/index.js': 'export const expect = 1',
    },
    checkDirection,
  )
  expect(result).toEqual({ modules: 10, dependencies: expect.any(Number), violations: [] })
  expect(result.dependencies).toBeGreaterThanOrEqual(9)
})

async function inFolder<T>(files: Files, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'direction-')))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
