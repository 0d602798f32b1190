import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { arrowsBetween, readModules, roomOf, withoutShortcuts } from './architecture/imports.ts'
import { bodyStops, measure, missingStops } from './architecture/measure.ts'
import { walk } from './architecture/walk.ts'
import { architectureOf } from './architecture.ts'

type Files = Readonly<Record<string, string>>

const table = `| room of \`server/src/\` | holds | imports |
|---|---|---|
| \`core\` | money, ids; pure | nothing |
| \`platform\` | database: "pools" | \`core\` |
| \`domain\` | who does what | \`platform\` |
| \`server/src/*.ts\` | the lists | everything |
| \`cli\` | the program | everything |

| another | table |
|---|---|
| \`attic\` | nothing |
`
const page = `# Architecture

By hand.

<!-- rooms: generated -->
<!-- rooms: end -->

Also by hand.

<!-- slices: generated -->
<!-- slices: end -->

The end.
`
const sliceFile = (name: string, about: string) =>
  `export const slice = defineSlice({\n  name: '${name}',\n  about: ${about},\n})`
const planted: Files = {
  'CONTRIBUTING.md': table,
  'docs/architecture.md': page,
  'server/src/core/money.ts': 'export const money = 1',
  'server/src/platform/pool.ts': `import { money } from '../core/money.ts'\nexport const pool = money`,
  'server/src/domain/policies/public.ts': `import { pool } from '../../platform/pool.ts'\nexport const policy = pool`,
  'server/src/domain/trade/orders/public.ts': `import type { policy } from '../../policies/public.ts'
import { money } from '../../../core/money.ts'
export type Order = typeof policy & typeof money`,
  'server/src/domain/buying/carts/public.ts': `export { policy } from '../../policies/public.ts'\nexport type { Order } from '../../trade/orders/public.ts'`,
  'server/src/domain/buying/carts/steps/run.ts': `export const later = () => import('../../../trade/orders/public.ts')`,
  'server/src/domain/buying/carts/run.test.ts': `import { cli } from '../../../cli/program.ts'\nexport const test = cli`,
  'server/src/domain/policies/slice.ts': sliceFile('policies', `'Decides.'`),
  'server/src/domain/trade/orders/slice.ts': sliceFile('trade/orders', `"Keeps a buyer's orders."`),
  'server/src/domain/buying/carts/slice.ts': sliceFile('buying/carts', `\n    'Buys.'`),
  'server/src/app.ts': `import { policy } from './domain/policies/public.ts'\nexport const app = policy`,
  'server/src/cli/program.ts': `import { app } from '../app.ts'\nexport const cli = app`,
  'server/src/main.ts': `import { cli } from './cli/program.ts'\nexport const main = cli`,
}

test('rooms and slices are drawn as they import each other, without what follows, and what is written by hand is kept', async () => {
  const { generated, written } = await inFolder(planted, architectureOf)
  expect(written).toBe(page)
  expect(generated).toBe(`# Architecture

By hand.

<!-- rooms: generated -->

\`\`\`mermaid
flowchart TD
  cli["cli<br/>the program"]
  server_src_ts["server/src/*.ts<br/>the lists"]
  domain["domain<br/>who does what"]
  platform["platform<br/>database"]
  core["core<br/>money, ids"]
  cli --> server_src_ts
  domain --> platform
  platform --> core
  server_src_ts --> domain
\`\`\`

| room | imports |
|---|---|
| \`cli\` | \`server/src/*.ts\` |
| \`server/src/*.ts\` | \`domain\` |
| \`domain\` | \`platform\`, \`core\` |
| \`platform\` | \`core\` |
| \`core\` | nothing |

<!-- rooms: end -->

Also by hand.

<!-- slices: generated -->

\`\`\`mermaid
flowchart TD
  policies["policies"]
  subgraph buying
    buying_carts["buying/carts"]
  end
  subgraph trade
    trade_orders["trade/orders"]
  end
  buying_carts --> trade_orders
  trade_orders --> policies
\`\`\`

| slice | what it does |
|---|---|
| \`buying/carts\` | Buys. |
| \`trade/orders\` | Keeps a buyer's orders. |
| \`policies\` | Decides. |

| slice | imports |
|---|---|
| \`buying/carts\` | \`trade/orders\`, \`policies\` |
| \`trade/orders\` | \`policies\` |
| \`policies\` | nothing |

<!-- slices: end -->

The end.
`)
})

test('the page is out of date once an import draws another arrow, and current again once it is written', async () => {
  const current = (await inFolder(planted, architectureOf)).generated
  const currentWith = (more: Files) => ({ ...planted, 'docs/architecture.md': current, ...more })
  const isCurrent = ({ written, generated }: ReturnType<typeof architectureOf>) => written === generated
  expect(isCurrent(await inFolder(currentWith({}), architectureOf))).toBe(true)
  // One more line, and one more import where there is an arrow: the picture stays.
  const same = {
    'server/src/platform/clock.ts': `import { money } from '../core/money.ts'\nexport const now = money`,
  }
  expect(isCurrent(await inFolder(currentWith(same), architectureOf))).toBe(true)
  const other = {
    'server/src/domain/policies/public.ts': `export { later } from '../buying/carts/steps/run.ts'`,
  }
  expect(isCurrent(await inFolder(currentWith(other), architectureOf))).toBe(false)
})

test.each<[what: string, more: Files, said: RegExp]>([
  ['a room without a description', { 'server/src/attic/old.ts': 'export {}' }, /holds|attic/],
  [
    'a slice that does not say what it does',
    { 'server/src/domain/policies/slice.ts': `export const slice = defineSlice({\n  name: 'policies',\n})` },
    /what policies does/,
  ],
  ['no table of rooms', { 'CONTRIBUTING.md': '# Contributing' }, /no table of rooms/],
  ['a page without its markers', { 'docs/architecture.md': '# Architecture' }, /no markers for "rooms"/],
])('%s is refused', async (_what, more, said) => {
  await expect(inFolder({ ...planted, ...more }, architectureOf)).rejects.toThrow(said)
})

test.each(['server/src', 'server/src/domain'])('nothing to draw in %s is refused', async (folder) => {
  const left = Object.entries(planted).filter(([path]) => !path.startsWith(`${folder}/`))
  await expect(inFolder(Object.fromEntries(left), architectureOf)).rejects.toThrow(/there is no/)
})

test('in a circle every arrow is shown', () => {
  const arrow = (from: string, to: string) => ({ from, to, imports: 1 })
  const circle = [arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'a'), arrow('a', 'c')]
  expect(withoutShortcuts([...circle, arrow('a', 'd'), arrow('c', 'd')])).toEqual(
    expect.arrayContaining(circle),
  )
})

test('imports are counted, those of types and at run time too, and tests are not', async () => {
  const arrows = await inFolder(planted, (root) => arrowsBetween(readModules(root), roomOf))
  expect(arrows.map(({ from, to, imports }) => `${from} ${to} ${imports}`)).toEqual([
    'cli server/src/*.ts 1',
    'domain core 1',
    'domain platform 1',
    'platform core 1',
    'server/src/*.ts domain 1',
  ])
})

const walked: Files = {
  'a.ts': `import { second, third } from './b.ts'
import { outside } from './out/c.ts'
export function first(row: { id: string }, other: number) {
  const id = row.id
  second(id)
  second(String(other))
  for (const each of [row]) own(each)
  ;[row].map((one) => third(one.id))
  outside(row)
}
function own(row: { id: string }) {
  second(row.id)
}
`,
  'b.ts': `export function second(id: string) {
  return new Held(id).read()
}
export const third = (id: string) => second(id)
class Held {
  readonly #id: string
  constructor(id: string) {
    this.#id = id
  }
  read() {
    return this.#id
  }
}
`,
  'out/c.ts': `import { second } from '../b.ts'\nexport const outside = (row: { id: string }) => second(row.id)`,
}

test('a walk follows a value and what is made from it through calls, callbacks and methods, and counts where it returns', async () => {
  const found = await inFolder(walked, (root) => {
    const program = ts.createProgram([join(root, 'a.ts')], {
      allowImportingTsExtensions: true,
      noEmit: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
    })
    const start = { path: join(root, 'a.ts'), name: 'first', parameter: 'row' }
    const way = walk(program, start, (path) => !path.includes('/out/'))
    expect(() => walk(program, { ...start, parameter: 'gone' }, () => true)).toThrow(/has no first\(gone\)/)
    return { ...way, stays: way.stays.map((path) => path.split('/').at(-1)) }
  })
  // first; second, its constructor and its method; own, second again; third, second again.
  expect(found).toEqual({ stays: ['a.ts', 'b.ts', 'a.ts', 'b.ts'], calls: 8, functions: 6 })
})

const root = resolve(import.meta.dirname, '../..')

test("every function that a webhook's body passes is there, and each figure of the code can be measured", () => {
  const modules = readModules(root)
  expect(missingStops(bodyStops, modules)).toEqual([])
  expect(
    missingStops(['TypeScript platform/calls/unit.ts openUnits', 'SQL nowhere.ts claim'], modules),
  ).toHaveLength(2)
  for (const [what, figure] of measure(root)) expect(figure, what).toMatch(/\d/)
})

async function inFolder<T>(files: Files, work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'prokura-architecture-')))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), `${text}${text.endsWith('\n') ? '' : '\n'}`)
    }
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
