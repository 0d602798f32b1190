import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDirection } from './direction.ts'
import { readModule } from './tidy/module.ts'
import { isCode, sourceFile } from './tidy/rule.ts'
import { tidyFile, tidyTree } from './tidy.ts'
import { workspaces } from './workspaces.ts'

const root = resolve(import.meta.dirname, '../..')
const toys = join(import.meta.dirname, 'fixtures/toys')

/** A line in a list, and what it lists. An import stands at the top of its file. */
type Line = { file: string; before: RegExp; line: string; imported?: string }

const lines = {
  slice: {
    file: 'server/src/composition.ts',
    before: /^\]\)$/m,
    line: '  toys,',
    imported: `import { toys } from './domain/toys/slice.ts'`,
  },
  surface: {
    file: 'server/src/app.ts',
    before: /^ {4}\.\.\.\(options\.surfaces/m,
    line: '    toysSurface,',
    imported: `import { toysSurface } from './surfaces/toys/toys.ts'`,
  },
  principal: {
    file: 'server/src/platform/calls/principal.ts',
    before: /^\} as const satisfies Record<string, KindFacts>$/m,
    line: `  robot: { calls: ['secret'], actsForAccount: true, seesUnpublished: true },`,
  },
  workspace: { file: 'package.json', before: /^ {4}"server",$/m, line: '    "toy-shop",' },
} as const satisfies Record<string, Line>

let tree: string
/** They run beside each other, and beside what this process itself checks. */
let compiled: Promise<string>
let tested: Promise<string>

beforeAll(() => {
  tree = copyOfTheTree()
  for (const path of globSync('**/*.*', { cwd: toys })) lay(path)
  for (const line of Object.values(lines)) write(line)
  compiled = compile(whole)
  tested = run('vitest/vitest.mjs', 'run', 'toys', 'toy-shop', '--reporter=json', '--outputFile=toys.json')
})
afterAll(async () => {
  await Promise.all([compiled, tested])
  rmSync(tree, { recursive: true })
})

test('a slice with a page, a surface, a kind of caller and a workspace are a folder and a line each', () => {
  const files = globSync(`{${[...workspaces, 'toy-shop']}}/**/*.*`, {
    cwd: tree,
    exclude: ['**/node_modules'],
  })
  const changed = [...files, 'package.json', 'tsconfig.json', 'vitest.config.ts', 'biome.json'].filter(
    (path) => existsSync(join(root, path)) && textOf(root, path) !== textOf(tree, path),
  )
  expect(changed.sort()).toEqual(
    Object.values(lines)
      .map(({ file }) => file)
      .sort(),
  )
  const own = /^server\/(?:src\/(?:domain|surfaces)\/toys\/|migrations\/\d+_toys\.sql$)|^toy-shop\//
  expect(files.filter((path) => own.test(path)).length).toBe(globSync('**/*.*', { cwd: toys }).length)
})

test('with them every import keeps its direction, and no rule names them', async () => {
  expect((await checkDirection(tree)).violations).toEqual([])
  const named = tidyTree(readTree()).map(({ path, what }) => `${path} ${what}`)
  expect(named.filter((each) => /toy/i.test(each))).toEqual([])
})

test('they fit by their types, and their tests pass: over REST, as a tool, at a page, on a surface, at work', async () => {
  expect(await compiled).toBe('')
  const said = await tested
  const results = join(tree, 'toys.json')
  if (!existsSync(results)) throw new Error(said)
  const { numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(results, 'utf8'))
  const failures = testResults.flatMap(({ assertionResults }: { assertionResults: Ran[] }) =>
    assertionResults.flatMap(({ failureMessages }) => failureMessages),
  )
  expect({ failures, numPassedTests, numTotalTests }).toEqual({
    failures: [],
    numPassedTests: 8,
    numTotalTests: 8,
  })
})

type Ran = { failureMessages: string[] }

test('the workspace is linted, and its mistakes are found', async () => {
  const path = 'toy-shop/src/price.ts'
  writeFileSync(join(tree, path), 'export default 1\n')
  const said = await run('@biomejs/biome/bin/biome', 'lint', '--only=style/noDefaultExport', 'toy-shop')
  rmSync(join(tree, path))
  expect(said).toContain(path)
  expect(said).toContain('noDefaultExport')
})

test('the files of the page are part of what is built, which does not start without one of them', async () => {
  expect(await run('../server/build/main.ts')).toMatch(/^built /)
  const file = 'server/dist/pages/domain/toys/toy.css'
  expect(textOf(tree, file)).toBe(textOf(tree, 'server/src/domain/toys/toy.css'))
  const start = () => run('../server/dist/main.js', 'openapi')
  expect(await start()).toContain('These documents are part of a checkout.')
  rmSync(join(tree, file))
  expect(await start()).toMatch(/no file or folder .*toy\.css/)
})

test('without its line, each is named by the type checker or by a rule', async () => {
  await Promise.all([compiled, tested])
  for (const { file } of Object.values(lines)) cpSync(join(root, file), join(tree, file))
  change('server/src/domain/toys/toy-page.ts', `href('toy.svg')`, `href('robot.svg')`)
  change('server/src/domain/toys/slice.ts', `'toys:write'`, `'toys:read'`)
  const files = ['surfaces/toys/toys.ts', 'domain/toys/slice.ts'].map((path) => `server/src/${path}`)
  const missing = (await compile({ include: [], files })).split('\n').filter((line) => line.includes('error'))
  const named = (file: string, what: string) =>
    missing.some((line) => line.startsWith(`server/src/${file}(`) && line.includes(what))
  expect({
    principal: named('surfaces/toys/toys.ts', `'"robot"'`),
    asset: named('domain/toys/toy-page.ts', `'"robot.svg"'`),
    scope: named('domain/toys/create-toy.ts', `'"toys:write"'`),
    elsewhere: missing.filter((line) => !line.includes('toys')),
  }).toEqual({ principal: true, asset: true, scope: true, elsewhere: [] })

  const found = [...tidyTree(readTree()), ...tidyFile(sourceFile('toy-shop/src/main.ts', ''))]
  expect(found.filter(({ path }) => /toy/.test(path)).map(({ path, what }) => `${path}: ${what}`)).toEqual([
    'server/src/surfaces/toys/toys.ts: toysSurface: nothing uses it: remove it',
    'server/src/domain/toys/slice.ts: toys: nothing uses it: remove it',
    'server/src/surfaces/toys/toys.ts: no import or string names this file',
    'toy-shop/src/main.ts: package.json does not list toy-shop in "workspaces": nothing installs or tests it',
  ])
})

function copyOfTheTree(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'stranger-')))
  const left = new Set(['node_modules', '.git', '.tmp', '.prokura', 'dist'])
  cpSync(root, copy, { recursive: true, filter: (from) => !left.has(from.slice(from.lastIndexOf('/') + 1)) })
  for (const folder of ['', ...workspaces]) {
    const modules = join(root, folder, 'node_modules')
    if (existsSync(modules)) symlinkSync(modules, join(copy, folder, 'node_modules'))
  }
  return copy
}

/** One of their files, where it belongs: sources are kept as text, so that only the copy of the tree has them. */
function lay(path: string): void {
  const to = join(tree, path.replace(/\.txt$/, '').replace('NEXT', nextMigration()))
  mkdirSync(dirname(to), { recursive: true })
  cpSync(join(toys, path), to)
}

function nextMigration(): string {
  const last = readdirSync(join(root, 'server/migrations'))
    .filter((name) => /^\d+_/.test(name))
    .sort()
    .at(-1)
  return String(Number.parseInt(last ?? '', 10) + 1).padStart(4, '0')
}

function write({ file, before, line, imported }: Line): void {
  const text = textOf(tree, file)
  const listed = text.replace(before, (next) => `${line}\n${next}`)
  expect(listed).not.toBe(text)
  writeFileSync(join(tree, file), imported === undefined ? listed : `${imported}\n${listed}`)
}

function change(path: string, from: string, to: string): void {
  const text = textOf(tree, path)
  expect(text).toContain(from)
  writeFileSync(join(tree, path), text.replace(from, to))
}

/** What the server is made of, and every workspace that is new; the tests of ours have types of their own. */
const whole = {
  exclude: ['**/*.test.ts', '**/node_modules', 'server/test', 'server/build', 'sandbox', 'bench'],
}

function compile(what: object): Promise<string> {
  const project = { extends: './tsconfig.json', ...what }
  writeFileSync(join(tree, 'tsconfig.toys.json'), JSON.stringify(project))
  const flags = ['--incremental', 'false', '--pretty', 'false']
  return run('typescript-7/bin/tsc', '--project', 'tsconfig.toys.json', ...flags)
}

/** What the rules about the whole tree look at, of the server and of what is new. */
function readTree() {
  const paths = globSync(['server/src/**/*.*', 'toy-shop/**/*.*', '*/package.json'], {
    cwd: tree,
    exclude: ['**/node_modules'],
  })
  const texts = paths.map((path) => [path, textOf(tree, path)] as const)
  return {
    modules: texts.filter(([path]) => isCode(path)).map(([path, text]) => readModule(sourceFile(path, text))),
    texts: new Map(texts.filter(([path]) => !isCode(path))),
  }
}

/** Everything that a program of ours or of a package printed, whether it failed or not. */
function run(program: string, ...args: string[]): Promise<string> {
  const command = [join(tree, 'node_modules', program), ...args]
  const options = { cwd: tree, env: { ...process.env, VITEST: '' }, maxBuffer: 1 << 26 }
  return new Promise((read) => {
    execFile(process.execPath, command, options, (_, out, err) => read(`${out}${err}`))
  })
}

function textOf(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}
