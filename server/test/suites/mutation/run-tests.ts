import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../gate/run-command.ts'

/**
 * The result of the tests of a tree. `broken`: they have no result, because something did not load, start or end in time. That is no verdict
 * about a guard.
 */
export type Said =
  | { readonly kind: 'passed'; readonly tests: number }
  | { readonly kind: 'failed'; readonly test: string; readonly message: string }
  | { readonly kind: 'broken'; readonly why: string }

type TestRun = {
  /** Of the tree; the tests are those of the tree, too. */
  root: string
  /** Under `server/`. */
  files: readonly string[]
  only?: string | undefined
  limitMs: number
  /** Ends with the first failure. */
  bail: boolean
}

/** The part of vitest's JSON report that is read here. */
type Report = {
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** Failures that prove nothing about a guard: the mutant does not parse, its SQL does not parse, or it never ended. */
const noVerdict = /SyntaxError|ReferenceError|syntax error at or near|timed out in \d+ms/

export async function runTests({ root, files, only, limitMs, bail }: TestRun): Promise<Said> {
  const folder = mkdtempSync(join(tmpdir(), 'prokura-mutation-'))
  const path = join(folder, 'report.json')
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...files.map((file) => `server/${file}`),
    '--reporter=json',
    `--outputFile=${path}`,
    ...(bail ? ['--bail=1'] : []),
    ...(only === undefined ? [] : ['--testNamePattern', only]),
  ]
  try {
    const { output } = await runCommand({ args, cwd: root, limitMs, onLine: () => undefined })
    const text = readIfThere(path)
    if (text === undefined) return { kind: 'broken', why: output.trim().slice(-2000) || 'no report' }
    const report: Report = JSON.parse(text)
    return verdictOf(report)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function verdictOf(report: Report): Said {
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.filter(({ status }) => status === 'failed')
  const told = failed.find(({ failureMessages }) => !failureMessages.some((text) => noVerdict.test(text)))
  if (told) {
    const [message = ''] = told.failureMessages
    return { kind: 'failed', test: told.fullName, message: message.split('\n', 1)[0]?.slice(0, 300) ?? '' }
  }
  const [other] = failed
  if (other)
    return { kind: 'broken', why: `${other.fullName}: ${other.failureMessages.join(' ').slice(0, 1500)}` }
  const unloaded = report.testResults.find(({ status }) => status === 'failed')
  if (unloaded) return { kind: 'broken', why: `${unloaded.name}: ${unloaded.message?.slice(0, 1500) ?? ''}` }
  const passed = tests.filter(({ status }) => status === 'passed').length
  return passed === 0 ? { kind: 'broken', why: 'no test ran' } : { kind: 'passed', tests: passed }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
