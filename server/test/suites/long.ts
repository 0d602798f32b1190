import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Count, countSuite } from '../gate/count.ts'
import { runCommand } from '../gate/run-command.ts'
import { commandOf, gateSuites } from './list.ts'
import { describeRun } from './results.ts'
import { writeResult } from './suite.ts'

/** One thing of the run before a release: a suite in its long size, a self-check over many seeds, or the tests in their whole size. */
type Part = { name: string; args: string[]; env?: Readonly<Record<string, string>> }

type PartDone = Count & { seconds: number }

/** What a run has done so far, of one commit and under one seed. */
export type LongState = { commit: string; seed: number; done: Record<string, PartDone> }

const root = join(import.meta.dirname, '../../..')
const folder = join(root, '.tmp/suites')
const path = join(folder, 'long-state.json')
const seeds = 200
const minuteMs = 60_000
/** They judge money while steps run: steps that share a transaction, and steps that have one each, keep the same guarantees. */
const moneySuites = ['races', 'kills', 'chaos', 'stops', 'stopped-worker', 'crash-points']

export function partsOf(checked: readonly string[]): Part[] {
  const suites = gateSuites.map((suite) => ({ name: suite.name, args: commandOf(suite, 'long') }))
  return [
    ...suites,
    ...suites
      .filter(({ name }) => moneySuites.includes(name))
      .map(({ name, args }) => ({ name: `${name}, one at a time`, args, env: { PROKURA_BATCH: '1' } })),
    ...checked.map((name) => ({
      name: `${name} self-check`,
      args: ['server/test/suites/main.ts', name, '--self-check', '--seeds', String(seeds)],
    })),
    { name: 'tests in their whole size', args: ['server/test/suites/whole-size.ts'] },
  ]
}

/** The parts still to run: those that never ran, or failed. Another commit, another seed, or a tree with changes begins again. */
export function dueParts(
  parts: readonly Part[],
  state: LongState | null,
  now: Pick<LongState, 'commit' | 'seed'>,
): Part[] {
  const isSame = state?.commit === now.commit && state.seed === now.seed && !/ |unknown/.test(now.commit)
  return parts.filter(({ name }) => !isSame || state.done[name]?.failed !== 0)
}

type Wanted = { checked: readonly string[]; only: string | null; seed: number | null; json: boolean }

/** Everything in its long size, part after part. It may be stopped and started again: parts that passed are kept. */
export async function runLong({ checked, only, seed: wantedSeed, json }: Wanted): Promise<boolean> {
  const names = only?.split(',').map((name) => name.trim())
  const all = partsOf(checked)
  const unknown = names?.filter((name) => !all.some((part) => part.name === name)) ?? []
  if (unknown.length > 0)
    throw new Error(
      `There is no part ${unknown.join(', ')}. The names are: ${all.map(({ name }) => name).join(', ')}`,
    )
  const parts = all.filter(({ name }) => names === undefined || names.includes(name))
  const { commit } = describeRun()
  const before = readState()
  const seed = wantedSeed ?? before?.seed ?? Date.now() % 2 ** 31
  const due = dueParts(parts, before, { commit, seed })
  const isSame = before?.commit === commit && before.seed === seed
  const state: LongState = isSame && before ? before : { commit, seed, done: {} }
  const say = (line: string) => void (json ? undefined : console.log(line))
  say(
    `long: ${parts.length} parts of commit ${commit} under seed ${seed}, ${parts.length - due.length} of them done`,
  )
  for (const [index, part] of due.entries()) {
    say(`[${index + 1} of ${due.length}] ${part.name}`)
    state.done[part.name] = await runPart(part, seed, say)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, `${JSON.stringify(state, null, 2)}\n`)
  }
  return report(parts, state, { isPart: names !== undefined, json })
}

async function runPart(
  { name, args, env }: Part,
  seed: number,
  say: (line: string) => void,
): Promise<PartDone> {
  const startedMs = performance.now()
  const { exitCode, output } = await runCommand({
    args: [...args, '--seed', String(seed)],
    cwd: root,
    ...(env ? { env } : {}),
    quietMs: 20 * minuteMs,
    limitMs: 12 * 60 * minuteMs,
    onLine: (line) => line.startsWith('…') && say(`  ${line}`),
  })
  const count = countSuite(output, exitCode)
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  if (count.failed > 0) say(output.trimEnd())
  say(`  ${name}: ${seconds} s, ${count.passed} passed, ${count.failed} failed`)
  return { ...count, seconds }
}

function report(
  parts: readonly Part[],
  { commit, seed, done }: LongState,
  { isPart, json }: { isPart: boolean; json: boolean },
): boolean {
  const told = parts.flatMap(({ name }) => (done[name] ? [{ name, ...done[name] }] : []))
  const sum = (key: keyof PartDone) => told.reduce((total, part) => total + part[key], 0)
  const result = {
    name: 'long',
    size: 'long' as const,
    seed,
    seconds: sum('seconds'),
    passed: sum('passed'),
    failed: sum('failed'),
    figures: Object.fromEntries(
      told.map(({ name, passed, failed }) => [name, `${passed} passed, ${failed} failed`]),
    ),
    only: isPart ? 'parts' : null,
    ...describeRun(),
    commit,
  }
  writeResult('long', result)
  if (json) console.log(JSON.stringify({ ...result, parts: told }, null, 2))
  else console.log(`long: ${result.seconds} s, ${result.passed} passed, ${result.failed} failed`)
  return result.failed === 0
}

function readState(): LongState | null {
  try {
    const state: LongState = JSON.parse(readFileSync(path, 'utf8'))
    return state
  } catch {
    return null
  }
}
