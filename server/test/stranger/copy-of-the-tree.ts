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
import { expect } from 'vitest'
import { readModule } from '../tidy/module.ts'
import { isCode, sourceFile } from '../tidy/rule.ts'
import { workspaces } from '../workspaces.ts'

const root = resolve(import.meta.dirname, '../../..')

/** A line in a list, and what it lists. An import stands at the top of its file. */
export type Line = { file: string; before: RegExp; line: string; imported?: string }

/** What the server is made of, and every workspace that is new; the tests and pages of ours have types of their own. */
const whole = {
  exclude: [
    '**/*.test.ts',
    '**/node_modules',
    'server/test',
    'server/build',
    'sandbox',
    'bench',
    'console/src',
  ],
}

type TestResults = {
  readonly numPassedTests: number
  readonly numTotalTests: number
  readonly failures: readonly string[]
}

/** A copy of the tree to which somebody adds a few files and lines, without knowing the rest of it. */
export type CopyOfTheTree = {
  readonly folder: string
  /** The files that came, as paths in the copy. */
  readonly added: readonly string[]
  /** Files of the tree that are not as they were, of these. */
  changed(paths: readonly string[]): string[]
  files(workspaces: readonly string[]): string[]
  text(path: string): string
  change(path: string, from: string, to: string): void
  /** The file as the tree has it. */
  restore(path: string): void
  /** What the type checker says of the server, or of some files and what they import. */
  compile(files?: readonly string[]): Promise<string>
  /** Runs the tests whose paths contain one of these. */
  test(...names: string[]): Promise<TestResults>
  /** What the rules about the whole tree look at, of these files. */
  read(...patterns: string[]): Parameters<typeof import('../tidy.ts').tidyTree>[0]
  /** Everything that a program of ours or of a package printed, whether it failed or not. */
  run(program: string, ...args: string[]): Promise<string>
  remove(): void
}

/** `fixtures`: what is added; sources are kept there as text, so that only the copy has them. */
export function copyTheTree(fixtures: string, lines: readonly Line[]): CopyOfTheTree {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stranger-')))
  copyTo(folder)
  const text = (path: string) => textOf(folder, path)
  const added = globSync('**/*.*', { cwd: fixtures }).map((path) => {
    const to = path.replace(/\.txt$/, '').replace('NEXT', nextMigration())
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    cpSync(join(fixtures, path), join(folder, to))
    return to
  })
  for (const { file, before, line, imported } of lines) {
    const listed = text(file).replace(before, (next) => `${line}${next}`)
    expect(listed).not.toBe(text(file))
    writeFileSync(join(folder, file), imported === undefined ? listed : `${imported}\n${listed}`)
  }

  function run(program: string, ...args: string[]): Promise<string> {
    const command = [join(folder, 'node_modules', program), ...args]
    const options = { cwd: folder, env: { ...process.env, VITEST: '' }, maxBuffer: 1 << 26 }
    return new Promise((read) => {
      execFile(process.execPath, command, options, (_, out, err) => read(`${out}${err}`))
    })
  }

  return {
    folder,
    added,
    text,
    run,
    changed: (paths) =>
      paths.filter((path) => existsSync(join(root, path)) && textOf(root, path) !== text(path)).sort(),
    files: (folders) =>
      globSync(
        folders.map((one) => `${one}/**/*.*`),
        { cwd: folder, exclude: ['**/node_modules'] },
      ),
    change(path, from, to) {
      expect(text(path)).toContain(from)
      writeFileSync(join(folder, path), text(path).replace(from, to))
    },
    restore: (path) => cpSync(join(root, path), join(folder, path)),
    compile(files) {
      const project = { extends: './tsconfig.json', ...(files ? { include: [], files } : whole) }
      writeFileSync(join(folder, 'tsconfig.stranger.json'), JSON.stringify(project))
      const flags = ['--incremental', 'false', '--pretty', 'false']
      return run('typescript-7/bin/tsc', '--project', 'tsconfig.stranger.json', ...flags)
    },
    async test(...names) {
      const said = await run('vitest/vitest.mjs', 'run', ...names, '--reporter=json', '--outputFile=ran.json')
      if (!existsSync(join(folder, 'ran.json'))) throw new Error(said)
      const { numPassedTests, numTotalTests, testResults } = JSON.parse(text('ran.json'))
      const failures = testResults.flatMap(({ assertionResults, message }: Ran) => [
        ...(message ? [message] : []),
        ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
      ])
      return { numPassedTests, numTotalTests, failures }
    },
    read(...patterns) {
      const paths = globSync(patterns, { cwd: folder, exclude: ['**/node_modules'] })
      const texts = paths.map((path) => [path, text(path)] as const)
      return {
        modules: texts
          .filter(([path]) => isCode(path))
          .map(([path, code]) => readModule(sourceFile(path, code))),
        texts: new Map(texts.filter(([path]) => !isCode(path))),
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

type Ran = { message?: string; assertionResults: { failureMessages: string[] }[] }

function copyTo(folder: string): void {
  const left = new Set(['node_modules', '.git', '.tmp', '.prokura', 'dist'])
  cpSync(root, folder, {
    recursive: true,
    filter: (from) => !left.has(from.slice(from.lastIndexOf('/') + 1)),
  })
  for (const one of ['', ...workspaces]) {
    const modules = join(root, one, 'node_modules')
    if (existsSync(modules)) symlinkSync(modules, join(folder, one, 'node_modules'))
  }
}

function nextMigration(): string {
  const last = readdirSync(join(root, 'server/migrations'))
    .filter((name) => /^\d+_/.test(name))
    .sort()
    .at(-1)
  return String(Number.parseInt(last ?? '', 10) + 1).padStart(4, '0')
}

function textOf(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}
