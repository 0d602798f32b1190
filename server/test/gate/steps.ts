import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandOf, gateSuites } from '../suites/list.ts'
import { type Count, countCheck, countSuite, countTests } from './count.ts'
import { type Needs, wholeMachine } from './fits.ts'
import { type CommandResult, runCommand } from './run-command.ts'
import { inGate } from './tenth-in-gate.ts'
import { touchedTests } from './touched-tests.ts'

/** One thing the gate does. */
export type Step = Needs & {
  name: string
  group: 'checks' | 'tests' | 'suites'
  /** Runs only when it is asked for by name: a part of another step. */
  onlyByName?: boolean
  about: string
  run: (onLine: (line: string) => void) => Promise<CommandResult & Count>
}

const root = join(import.meta.dirname, '../../..')
/** A gate that runs away ends before its CI does, after 90 minutes. */
const wholeMs = 85 * 60_000
/** The rest of that time. */
const limitMs = () => Math.max(1, wholeMs - performance.now())

export const steps: readonly Step[] = [
  check('types', 2700, 'the strict TypeScript compiler', [
    'node_modules/typescript-7/bin/tsc',
    '--build',
    'tsconfig.json',
    'console/tsconfig.json',
    'elements/tsconfig.json',
    '--pretty',
    'false',
  ]),
  check('lint', 1000, 'lint, format and import order', [
    'node_modules/@biomejs/biome/bin/biome',
    'ci',
    '--error-on-warnings',
    '--max-diagnostics=50',
    `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
  ]),
  check('direction', 600, 'each module imports only what it may', ['server/test/direction.ts']),
  check('tidy', 300, 'the rules about the text of the repository', ['server/test/tidy.ts']),
  check('openapi', 200, 'server/openapi.json is what the operations generate', [
    'server/src/main.ts',
    'openapi',
    '--check',
  ]),
  check('architecture', 600, 'the pictures of docs/architecture.md are what the imports draw', [
    'server/test/architecture.ts',
    '--check',
  ]),
  {
    ...vitest('unit', 'only the tests that need no PostgreSQL', () => ['--project', 'unit']),
    onlyByName: true,
  },
  { ...vitest('touched', 'only the tests of what was changed', () => touchedTests(root)), onlyByName: true },
  vitest('tests', 'every test, on a real PostgreSQL', () => [], { [inGate]: 'on' }),
  ...gateSuites.map(suite),
]

function check(name: string, memory: number, about: string, args: string[]): Step {
  return {
    name,
    group: 'checks',
    cores: 1,
    memory,
    about,
    run: async (onLine) => {
      const result = await runCommand({ args, cwd: root, limitMs: limitMs(), onLine })
      return { ...result, ...countCheck(result.exitCode) }
    },
  }
}

const nothingToRun = {
  exitCode: 0,
  output: '',
  cpu: { user: 0, system: 0 },
  memory: null,
  passed: 0,
  failed: 0,
  skipped: 0,
}

function vitest(
  name: string,
  about: string,
  choose: () => readonly string[] | null,
  env: Readonly<Record<string, string>> = {},
): Step {
  return {
    name,
    group: 'tests',
    ...wholeMachine,
    about,
    run: async (onLine) => {
      const chosen = choose()
      if (chosen === null) return nothingToRun
      const folder = mkdtempSync(join(tmpdir(), 'prokura-gate-'))
      const report = join(folder, 'report.json')
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      // A forgotten `.only` would hide every other test.
      const args = ['node_modules/vitest/vitest.mjs', 'run', '--allowOnly=false', ...reporters, ...chosen]
      try {
        const result = await runCommand({ args, cwd: root, env, limitMs: limitMs(), onLine })
        return { ...result, ...countTests(readIfThere(report), result.exitCode) }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

function suite(listed: (typeof gateSuites)[number]): Step {
  const { name, cores, memory } = listed
  const args = commandOf(listed, 'gate')
  return {
    name,
    group: 'suites',
    cores,
    memory,
    about: `suite: ${args.join(' ')}`,
    run: async (onLine) => {
      const result = await runCommand({ args, cwd: root, limitMs: limitMs(), onLine })
      return { ...result, ...countSuite(result.output, result.exitCode) }
    },
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
