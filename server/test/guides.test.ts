import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settingsTable } from '../src/platform/config/settings-table.ts'
import { findPart, firstPageSections, type Guide, missingFragment, readGuide } from './guides/guide.ts'
import { type Service, startService } from './harness/up.ts'
import { repositoryFiles } from './tidy.ts'

const root = join(import.meta.dirname, '../..')
const names = [
  'README.md',
  'docs/buyers.md',
  'docs/merchants.md',
  'docs/webhooks.md',
  'docs/discovery.md',
  'docs/ucp.md',
  'docs/anywhere.md',
  'docs/mpp.md',
  'docs/operations.md',
]
/** How a step says that it failed: in the words of docs/guide.sh, or of a command. */
const failure = /^(?:FAILED|prokura|curl): /m
let clone: string
let service: Service

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'prokura-guides-'))
  for (const path of repositoryFiles(root)) {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    cpSync(join(root, path), join(clone, path))
  }
  git('init', '--quiet')
  for (const path of ['node_modules', 'server/node_modules'].filter((path) => existsSync(join(root, path))))
    symlinkSync(join(root, path), join(clone, path))
  // The ignored name is that of a folder, and these are links.
  await appendFile(join(clone, '.git/info/exclude'), 'node_modules\n')
  git('add', '--all')
  git('-c', 'user.name=Reader', '-c', 'user.email=reader@example.com', 'commit', '--quiet', '-m', 'A clone')
  service = await startService({ state: join(clone, '.prokura'), args: ['--port', '0'] })
})

afterAll(async () => {
  await service?.stop()
  await rm(clone, { recursive: true, force: true })
})

for (const name of names) {
  test(`every command of ${name} runs as it stands, twice in a row, and answers what the guide shows`, async () => {
    const guide = await guideOf(name)
    expect(guide.commands.length).toBeGreaterThan(0)
    // The second reader has another shell.
    for (const shell of ['sh', 'bash']) {
      const parts = await run(guide, shell)
      for (const [index, { line, out }] of guide.commands.entries()) {
        const where = `${name}:${line} in ${shell} answered\n${parts[index]}`
        expect(missingFragment(parts[index] ?? '', out), where).toBeNull()
        if (!/exit code/.test(out ?? '')) expect(parts[index], where).not.toMatch(failure)
        expect(blankLines(parts[index] ?? ''), where).toBe(0)
      }
    }
  })

  test(`${name} says on its first page what it does, what it costs and what can go wrong`, async () => {
    expect(firstPageSections(await readFile(join(root, name), 'utf8'))).toEqual([
      'What it does',
      'What it costs',
      'What can go wrong',
    ])
  })

  test(`every excerpt of code in ${name} stands in the file that it names`, async () => {
    const { excerpts } = await guideOf(name)
    for (const { line, file, code } of excerpts) {
      const source = await readFile(join(root, file), 'utf8')
      expect(findPart(source, code), `${name}:${line} is not in ${file}`).toBe(true)
    }
  })
}

test('other users cannot read the files that the guides leave: keys, and secrets of webhooks', async () => {
  const folder = join(clone, '.prokura/guides')
  const left = await readdir(folder, { recursive: true })
  expect(left).toContain('webhooks/secrets.json')
  const open: string[] = []
  for (const name of left) {
    const found = await stat(join(folder, name))
    if (found.isFile() && found.mode & 0o077) open.push(name)
  }
  expect(open).toEqual([])
})

test('the guides leave nothing behind that git or the linter sees', async () => {
  expect(git('status', '--porcelain')).toBe('')
  // The linter leaves out what git ignores.
  const { vcs } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'))
  expect(vcs).toMatchObject({ enabled: true, useIgnoreFile: true })
})

test('docs/operations.md has every setting with its default, as the program describes it', async () => {
  const guide = await readFile(join(root, 'docs/operations.md'), 'utf8')
  for (const [name, { default: value, description }] of Object.entries(settingsTable)) {
    expect(guide).toContain(`| \`${name}\` | ${value === null ? '' : `\`${value}\``} | ${description} |`)
  }
})

test('blocks that are copied while no service runs name each failure, and wait for nothing', async () => {
  await service.stop()
  const unnamed: string[] = []
  let named = 0
  for (const name of names) {
    const guide = await guideOf(name)
    const parts = await run(guide, 'sh')
    for (const [index, { line, out }] of guide.commands.entries()) {
      const part = parts[index] ?? ''
      const isNamed = failure.test(part)
      named += isNamed ? 1 : 0
      if (blankLines(part) > 0 || (missingFragment(part, out) !== null && !isNamed))
        unnamed.push(`${name}:${line} answered\n${part}`)
    }
  }
  expect(unnamed).toEqual([])
  expect(named).toBeGreaterThan(50)
})

async function guideOf(name: string): Promise<Guide> {
  return readGuide(await readFile(join(root, name), 'utf8'))
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: clone, encoding: 'utf8' })
}

/** One shell for the whole guide, as a reader has one, which goes on after what failed. What follows a mark is what the block said. */
async function run(guide: Guide, name: string): Promise<string[]> {
  const script = guide.commands.map(({ code }) => `printf '\\n%s\\n' '${mark}'\n${code}\n`).join('')
  const shell = spawn(name, [], { cwd: clone, env: readersEnvironment() })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  shell.stdin.end(script)
  await new Promise((resolve) => shell.once('close', resolve))
  return output.split(`\n${mark}\n`).slice(1)
}

/** Without what npm adds for us: a reader has only what stands in the guide. */
function readersEnvironment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, PORT: __, PATH = '', ...env } = process.env
  const own = PATH.split(delimiter).filter((folder) => !folder.startsWith(root))
  return { ...env, PATH: own.join(delimiter) }
}

function blankLines(text: string): number {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .filter((line, _, lines) => line.trim() === '' && lines.length > 1).length
}

const mark = '=== next block ==='
