import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { createProgram } from '../src/cli/program.ts'
import { invariants } from '../src/composition.ts'
import { missingIn } from './guides/named.ts'
import { gateSuites } from './suites/list.ts'

const root = join(import.meta.dirname, '../..')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'sandbox/README.md',
  ...globSync('docs/**/*.md', { cwd: root }),
]

test('every file, function, heading, command, option, setting, rule, step, suite, operation, scope and word of the interface that the pages name is there', async () => {
  const program = await createProgram()
  expect(pages.length).toBeGreaterThan(8)
  const missing = pages.flatMap((page) => missingIn(page, readFileSync(join(root, page), 'utf8'), program))
  expect(missing).toEqual([])
})

test.each([
  ['a file', 'see `server/test/nowhere.ts`'],
  ['a file of any name', '`bench/nowhere/NAME.json`'],
  ['a file of the sources', '`domain/trade/nowhere/cancel-order.ts`'],
  ['a test', 'shown by `nowhere.test.ts`'],
  ['a test of the interface', 'shown by `nowhere.http.test.ts`'],
  ['a file that no slice has', 'one line in `operatoins.ts`'],
  ['a linked file', '[here](nowhere.md)'],
  ['a linked heading', '[here](docs/glossary.md#nowhere)'],
  ['a heading of the page itself', '[here](#nowhere)'],
  ['a script', 'npm run nothing'],
  ['a step', 'npm test -- --only types,lnit'],
  ['a suite', 'npm run suite -- raecs'],
  ['a command', './prokura kees'],
  ['an option', 'npx prokura keys create --prset read_only'],
  ['a setting', 'with `PROKURA_LIVE_RALE`'],
  ['an operation', 'the tool v1_by_purchase_intent'],
  ['a path', 'GET /v1/purchases/{id}'],
  ['a path of a command', 'call $KEY POST /v1/policies/$POLICY/simulate'],
  ['an error code', '409 `approval_stail`'],
  ['a metric', '`prokura_open_purchase{mode}`'],
  ['a limit', '429 `account.quote_weights`'],
  ['a rule', 'by the rule `no-drawres`'],
  ['a rule among others', 'the rules `no-cycles`, `known-layre` and `tests-are-for-tests`'],
  ['a rule of one word', 'the rule `tidyness`'],
  ['a step in prose', 'the step `lnit`'],
  ['a suite in prose', 'the suite `raecs`'],
  ['a suite before its word', 'the `raecs` suite'],
  [
    'a suite of a table',
    '| id | what must hold | shown by |\n|---|---|---|\n| M1 | money | `audit`, `raecs` |\n',
  ],
  ['a benchmark', 'npm run bench -- create purchsae'],
  ['an option of a script', 'npm run suite -- races --sede 11'],
  ['an option alone', 'with `--sede`'],
  ['a function', '`beginIntent` in `domain/buying/intents/change-intent.ts`'],
  ['a migration', 'an index comes with `0091_baselines`'],
  ['a name of the code', 'a branded type, `OrdreId`'],
  ['a member of the code', 'as `ctx.nowMillis`'],
  ['a scope', 'needs `purchase_intent:write`'],
  ['a word of two parts', 'sends `service-webhoook-id`'],
])('%s that is not there is named', async (_what, text) => {
  expect(missingIn('page.md', text, await createProgram())).toHaveLength(1)
})

test('every benchmark and every suite of the gate is described', () => {
  const rows = readFileSync(join(root, 'docs/performance.md'), 'utf8')
  const benchmarks = globSync('bench/src/benchmarks/*.ts', { cwd: root }).map((path) => basename(path, '.ts'))
  expect(benchmarks.length).toBeGreaterThan(5)
  expect(benchmarks.filter((name) => !rows.includes(`\n| \`${name}\` |`))).toEqual([])
  const prose = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  const suites = gateSuites.map(({ name }) => name)
  expect(suites.filter((name) => !prose.includes(`\`${name}\``))).toEqual([])
})

/** The ids of guarantees, as a page's table and its promises name them. */
function guaranteesIn(text: string): { rows: string[]; promised: string[] } {
  const ids = (list: string | undefined) => list?.split(', ') ?? []
  return {
    rows: [...text.matchAll(/^\| ([A-Z][\w-]*(?:, [A-Z][\w-]*)*) \|/gm)].flatMap(([, list]) => ids(list)),
    promised: [...text.matchAll(/\(([A-Z]\d+(?:, [A-Z]\d+)*)\)$/gm)].flatMap(([, list]) => ids(list)),
  }
}

test('each guarantee has an id of its own, and every promise and every invariant belongs to one', () => {
  const text = readFileSync(join(root, 'docs/reliability.md'), 'utf8')
  const { rows, promised } = guaranteesIn(text)
  expect(rows.filter((id, at) => rows.indexOf(id) !== at)).toEqual([])
  expect(promised.length).toBeGreaterThan(15)
  expect(promised.filter((id) => !rows.includes(id))).toEqual([])
  // M2-carts is a part of M2.
  const isListed = (id: string) => rows.includes(id) || rows.includes(id.split('-')[0] ?? '')
  expect(invariants.map(({ id }) => id).filter((id) => !isListed(id))).toEqual([])
})

/** Words that a reader of a second language reads twice, and British spellings. (`cancelled` is a word of the wire.) */
const foreign =
  /\b(?:whoever|what \w+ comes to|is told of|are told of|anew|catalogues?|fulfilments?|enrolments?|honour\w*|recognis\w*|neighbours?|colours?|organis\w*|initialis\w*|synchronis\w*)\b/gi

/** Without code, and without what programs wrote: their sources have their own place. */
const proseOf = (page: string) =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/<!-- runs: generated -->[\s\S]*?<!-- runs: end -->/g, '')
    .replaceAll(/`[^`\n]*`/g, '')

test('the pages are in plain English with US spelling', () => {
  const written = pages.filter((page) => !page.startsWith('docs/decisions/') && page !== 'docs/errors.md')
  const found = written.flatMap((page) =>
    [...proseOf(page).matchAll(foreign)].map(([word]) => `${page}: ${word}`),
  )
  expect(found).toEqual([])
})

test.each(['told of it: whoever reads', 'what it comes to', 'the catalogue', 'Honoured'])(
  '"%s" is found',
  (text) => {
    expect(text.match(foreign)).toHaveLength(1)
  },
)
