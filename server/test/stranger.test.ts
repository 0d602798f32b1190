import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDirection } from './direction.ts'
import { type CopyOfTheTree, copyTheTree, type Line } from './stranger/copy-of-the-tree.ts'
import { sourceFile } from './tidy/rule.ts'
import { tidyFile, tidyTree } from './tidy.ts'
import { workspaces } from './workspaces.ts'

/** The server, and what is new. */
const looked = ['server/src/**/*.*', 'toy-shop/**/*.*', '*/package.json']

const toys = join(import.meta.dirname, 'fixtures/toys')

const lines = {
  slice: {
    file: 'server/src/composition.ts',
    before: /^\]\)$/m,
    line: '  toys,\n',
    imported: `import { toys } from './domain/toys/slice.ts'`,
  },
  surface: {
    file: 'server/src/app.ts',
    before: /^ {4}\.\.\.\(options\.surfaces/m,
    line: '    toysSurface,\n',
    imported: `import { toysSurface } from './surfaces/toys/toys.ts'`,
  },
  principal: {
    file: 'server/src/platform/calls/principal.ts',
    before: /^\} as const satisfies Record<string, KindFacts>$/m,
    line: `  robot: { calls: ['secret'], actsForAccount: true, seesUnpublished: true },\n`,
  },
  workspace: { file: 'package.json', before: /^ {4}"server",$/m, line: '    "toy-shop",\n' },
} as const satisfies Record<string, Line>

let tree: CopyOfTheTree
/** They run beside each other, and beside what this process itself checks. */
let compiled: Promise<string>
let tested: ReturnType<CopyOfTheTree['test']>

beforeAll(() => {
  tree = copyTheTree(toys, Object.values(lines))
  compiled = tree.compile()
  tested = tree.test('toys', 'toy-shop')
})
afterAll(async () => {
  await Promise.allSettled([compiled, tested])
  tree.remove()
})

test('a slice with a page, a surface, a kind of caller and a workspace are a folder and a line each', () => {
  const files = tree.files([...workspaces, 'toy-shop'])
  const rest = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'biome.json']
  expect(tree.changed([...files, ...rest])).toEqual(
    Object.values(lines)
      .map(({ file }) => file)
      .sort(),
  )
  const own = /^server\/(?:src\/(?:domain|surfaces)\/toys\/|migrations\/\d+_toys\.sql$)|^toy-shop\//
  expect(files.filter((path) => own.test(path)).sort()).toEqual([...tree.added].sort())
})

test('with them every import keeps its direction, and no rule names them', async () => {
  expect((await checkDirection(tree.folder)).violations).toEqual([])
  const named = tidyTree(tree.read(...looked)).map(({ path, what }) => `${path} ${what}`)
  expect(named.filter((each) => /toy/i.test(each))).toEqual([])
})

test('they fit by their types, and their tests pass: over REST, as a tool, at a page, on a surface, at work', async () => {
  expect(await compiled).toBe('')
  expect(await tested).toEqual({ failures: [], numPassedTests: 8, numTotalTests: 8 })
})

test('the workspace is linted, and its mistakes are found', async () => {
  const path = 'toy-shop/src/price.ts'
  writeFileSync(join(tree.folder, path), 'export default 1\n')
  const said = await tree.run('@biomejs/biome/bin/biome', 'lint', '--only=style/noDefaultExport', 'toy-shop')
  rmSync(join(tree.folder, path))
  expect(said).toContain(path)
  expect(said).toContain('noDefaultExport')
})

test('the files of the page are part of what is built, which does not start without one of them', async () => {
  expect(await tree.run('../server/build/main.ts')).toMatch(/^built /)
  const file = 'server/dist/pages/domain/toys/toy.css'
  expect(tree.text(file)).toBe(tree.text('server/src/domain/toys/toy.css'))
  const start = () => tree.run('../server/dist/main.js', 'openapi')
  expect(await start()).toContain('These documents are part of a checkout.')
  rmSync(join(tree.folder, file))
  expect(await start()).toMatch(/no file or folder .*toy\.css/)
})

test('without its line, each is named by the type checker or by a rule', async () => {
  await Promise.all([compiled, tested])
  for (const { file } of Object.values(lines)) tree.restore(file)
  tree.change('server/src/domain/toys/toy-page.ts', `href('toy.svg')`, `href('robot.svg')`)
  tree.change('server/src/domain/toys/slice.ts', `'toys:write'`, `'toys:read'`)
  const files = ['surfaces/toys/toys.ts', 'domain/toys/slice.ts'].map((path) => `server/src/${path}`)
  const missing = (await tree.compile(files)).split('\n').filter((line) => line.includes('error'))
  const named = (file: string, what: string) =>
    missing.some((line) => line.startsWith(`server/src/${file}(`) && line.includes(what))
  expect({
    principal: named('surfaces/toys/toys.ts', `'"robot"'`),
    asset: named('domain/toys/toy-page.ts', `'"robot.svg"'`),
    scope: named('domain/toys/create-toy.ts', `'"toys:write"'`),
    elsewhere: missing.filter((line) => !line.includes('toys')),
  }).toEqual({ principal: true, asset: true, scope: true, elsewhere: [] })

  const found = [...tidyTree(tree.read(...looked)), ...tidyFile(sourceFile('toy-shop/src/main.ts', ''))]
  expect(found.filter(({ path }) => /toy/.test(path)).map(({ path, what }) => `${path}: ${what}`)).toEqual([
    'server/src/surfaces/toys/toys.ts: toysSurface: nothing uses it: remove it',
    'server/src/domain/toys/slice.ts: toys: nothing uses it: remove it',
    'server/src/surfaces/toys/toys.ts: no import or string names this file',
    'toy-shop/src/main.ts: package.json does not list toy-shop in "workspaces": nothing installs or tests it',
  ])
})
