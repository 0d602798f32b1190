import { execFileSync } from 'node:child_process'
import {
  cpSync,
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

const root = resolve(import.meta.dirname, '../..')
const toy = join(import.meta.dirname, 'fixtures/toy-slice')
const composition = 'server/src/composition.ts'

let tree: string

beforeAll(() => {
  tree = copyOfTheTree()
  for (const path of globSync('**/*.*', { cwd: toy })) lay(path)
  addToComposition()
})
afterAll(() => rmSync(tree, { recursive: true }))

test('a slice is added by its folder, its migration and its place in the list: nothing else is touched', () => {
  const changed = globSync('{server,sandbox,bench}/**/*.{ts,sql,json}', { cwd: tree }).filter((path) => {
    const [before, after] = [join(root, path), join(tree, path)].map(textOf)
    return before !== after
  })
  const own = /^server\/(?:src\/domain\/toys\/|migrations\/\d+_toys\.sql$)/
  expect(changed.filter((path) => !own.test(path))).toEqual([composition])
  expect(changed.filter((path) => own.test(path)).length).toBe(globSync('**/*.*', { cwd: toy }).length)
})

test('with it every import keeps its direction, and every type fits', async () => {
  expect((await checkDirection(tree)).violations).toEqual([])
  // What the server is made of; its tests have types of their own.
  const project = { extends: './tsconfig.json', include: ['server/src'], exclude: ['**/*.test.ts'] }
  writeFileSync(join(tree, 'tsconfig.toy.json'), JSON.stringify(project))
  expect(run('typescript-7/bin/tsc', '--project', 'tsconfig.toy.json', '--incremental', 'false')).toBe('')
})

test('it answers over REST and as a tool, does its work, and tells its account', () => {
  run('vitest/vitest.mjs', 'run', 'server/src/domain/toys', '--reporter=json', '--outputFile=toys.json')
  const { numPassedTests, numTotalTests } = JSON.parse(readFileSync(join(tree, 'toys.json'), 'utf8'))
  expect([numPassedTests, numTotalTests]).toEqual([5, 5])
})

function copyOfTheTree(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'toy-slice-')))
  const left = new Set(['node_modules', '.git', '.tmp', '.prokura'])
  cpSync(root, copy, { recursive: true, filter: (from) => !left.has(from.slice(from.lastIndexOf('/') + 1)) })
  for (const folder of ['', 'server', 'sandbox', 'bench']) {
    const modules = join(root, folder, 'node_modules')
    if (textOfFolder(modules)) symlinkSync(modules, join(copy, folder, 'node_modules'))
  }
  return copy
}

/** One of its files, where it belongs: sources are kept as text, so that only the copy of the tree has the slice. */
function lay(path: string): void {
  const to = join(tree, path.replace(/\.txt$/, '').replace('NEXT', nextMigration()))
  mkdirSync(dirname(to), { recursive: true })
  cpSync(join(toy, path), to)
}

function nextMigration(): string {
  const last = readdirSync(join(root, 'server/migrations'))
    .filter((name) => /^\d+_/.test(name))
    .sort()
    .at(-1)
  return String(Number.parseInt(last ?? '', 10) + 1).padStart(4, '0')
}

function addToComposition(): void {
  const path = join(tree, composition)
  const text = readFileSync(path, 'utf8')
  const listed = text.replace(/\n\]\)\n/, '\n  toys,\n])\n')
  expect(listed).not.toBe(text)
  writeFileSync(path, `import { toys } from './domain/toys/slice.ts'\n${listed}`)
}

function run(command: string, ...args: string[]): string {
  try {
    return execFileSync(join(root, 'node_modules', command), args, {
      cwd: tree,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, VITEST: '' },
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function textOfFolder(path: string): boolean {
  try {
    return readdirSync(path).length > 0
  } catch {
    return false
  }
}
