import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { patience } from '../gate/pace.ts'
import { repositoryFiles } from '../tidy.ts'
import { type Guide, missingFragment, readGuide } from './guide.ts'

const root = join(import.meta.dirname, '../../..')

/** Every page with blocks to copy, in the order in which README.md names them. */
export const guideNames = [
  'README.md',
  'docs/buyers.md',
  'docs/merchants.md',
  'docs/webhooks.md',
  'docs/discovery.md',
  'docs/ucp.md',
  'docs/anywhere.md',
  'docs/mpp.md',
  'docs/elements.md',
  'docs/chats.md',
  'docs/disputes.md',
  'docs/operations.md',
] as const

/** How a step says that it failed: in the words of docs/guide.sh, or of a command. */
export const failure = /^(?:FAILED|prokura|curl): /m

/** A checkout as a reader has it: the files of git alone, committed, beside the packages that `npm ci` brings. */
export type Checkout = {
  readonly folder: string
  git(...args: string[]): string
  text(path: string): Promise<string>
  guide(name: string): Promise<Guide>
  remove(): Promise<void>
}

/** With a program, `./prokura` runs this build of the sources, which prints the same and starts in a third of the time. */
export async function makeCheckout(program: string | null): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-guides-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  for (const path of repositoryFiles(root)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  if (program !== null) {
    const launcher = join(folder, 'prokura')
    const own = '"$root/server/src/main.ts"'
    const text = await readFile(launcher, 'utf8')
    if (!text.includes(own)) throw new Error(`./prokura runs no ${own}`)
    await writeFile(launcher, text.replace(own, `'${program}'`))
  }
  git('init', '--quiet')
  for (const path of ['node_modules', 'server/node_modules'].filter((path) => existsSync(join(root, path))))
    symlinkSync(join(root, path), join(folder, path))
  // The ignored name is that of a folder, and these are links.
  await appendFile(join(folder, '.git/info/exclude'), 'node_modules\n')
  git('add', '--all')
  git('-c', 'user.name=Reader', '-c', 'user.email=reader@example.com', 'commit', '--quiet', '-m', 'A clone')
  const text = (path: string) => readFile(join(folder, path), 'utf8')
  const guide = async (name: string) => readGuide(await text(name))
  return { folder, git, text, guide, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** What one reader saw: the answer of each block, and whether something that they started was left running. */
type Reading = { parts: string[]; isLeftRunning: boolean }

/**
 * One shell for the whole guide, as a reader has one, which goes on after what failed. What follows a mark is what the block said. The
 * shell has a process group of its own, which shows what is still running when the reader has left.
 */
export async function follow(folder: string, guide: Guide, name: string): Promise<Reading> {
  const blocks = guide.commands.map(({ code }) => `printf '\\n%s\\n' '${mark}'\n${code}\n`)
  const shell = spawn(name, [], { cwd: folder, env: readersEnvironment(), detached: true })
  let output = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  // In one stream, so that what fails at once stands behind the mark of its own block.
  shell.stdin.end(['exec 2>&1\n', ...blocks].join(''))
  await new Promise((resolve) => shell.once('close', resolve))
  const isLeftRunning = shell.pid !== undefined && !(await hasEnded(shell.pid))
  return { parts: output.split(`\n${mark}\n`).slice(1), isLeftRunning }
}

/** What was told to end takes a moment. What nobody told is ended here. */
async function hasEnded(group: number): Promise<boolean> {
  const wait = patience(5_000)
  for (;;) {
    try {
      process.kill(-group, 0)
    } catch {
      return true
    }
    if (wait.isOver()) break
    await pause(50)
  }
  process.kill(-group, 'SIGKILL')
  return false
}

/** Everything in which the answers differ from what the guide shows, in words. */
export function faultsOf(name: string, guide: Guide, { parts, isLeftRunning }: Reading): string[] {
  const faults = guide.commands.flatMap(({ line, out }, index) => {
    const part = parts[index] ?? ''
    const missing = missingFragment(part, out)
    const found = [
      ...(missing === null ? [] : [`lacks "${missing}"`]),
      ...(failure.test(part) && !/exit code/.test(out ?? '') ? ['has a step that failed'] : []),
      ...(blankLines(part) > blankLines(out ?? '') ? ['has a blank line'] : []),
    ]
    return found.map((what) => `${name}:${line} ${what}. It answered\n${part}`)
  })
  const unseen = guide.transcripts.filter(
    ({ text }) => !parts.some((part) => missingFragment(part, text) === null),
  )
  return [
    ...faults,
    ...unseen.map(({ line }) => `${name}:${line} shows what no command of the guide answers`),
    ...(isLeftRunning ? [`${name} left a process running`] : []),
  ]
}

export function blankLines(text: string): number {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .filter((line, _, lines) => line.trim() === '' && lines.length > 1).length
}

/** Without what npm adds for us: a reader has only what stands in the guide. */
function readersEnvironment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, PORT: __, PATH = '', ...env } = process.env
  const own = PATH.split(delimiter).filter((folder) => !folder.startsWith(root))
  return { ...env, PATH: own.join(delimiter) }
}

const mark = '=== next block ==='
