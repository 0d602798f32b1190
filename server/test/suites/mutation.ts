import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { patientMs } from '../gate/pace.ts'
import type { Guard } from './mutation/guard.ts'
import { guards, listed, sources } from './mutation/guards.ts'
import { faultsOf } from './mutation/marks.ts'
import { migrationGuards } from './mutation/migrations.ts'
import { createMutantTree, type MutantTree } from './mutation/mutant-tree.ts'
import { planted } from './mutation/planted.ts'
import { runTests, type Said } from './mutation/run-tests.ts'
import { openVerdicts, type Verdicts } from './mutation/verdicts.ts'
import { seededRandom, shuffled } from './random.ts'
import { eachOf, type SuiteRun, type Tally } from './suite.ts'

const server = join(import.meta.dirname, '../..')
const lanes = 2
/** So long that a busy machine alone never gives a verdict. */
const mutantLimitMs = 180_000
const baselineLimitMs = 10 * 60_000
/** Few enough in the gate to stay within a minute. Many runs together try them all. */
const sample = { unit: 9, postgres: 3 }

/** Takes guards away one at a time. A test must fail for each. */
export async function runMutation({ server: postgres, size, seed, only, tally }: SuiteRun): Promise<void> {
  for (const fault of faultsOf(listed, migrationGuards, sources)) tally.fail(fault)
  if (tally.failed > 0) return
  const named = only === null ? null : new RegExp(only)
  const chosen = named
    ? guards.filter(({ id }) => named.test(id))
    : size === 'long'
      ? cheapFirst(guards)
      : sampled(seed)
  // One server for every run of tests; each makes databases of its own on it.
  process.env.PROKURA_TEST_DATABASE_URL = postgres.adminUrl
  const trees = Array.from({ length: lanes }, createMutantTree)
  try {
    await takeAway({ trees, chosen, tally, isAnew: size === 'gate' })
  } finally {
    for (const tree of trees) tree.remove()
  }
}

type Removal = {
  trees: MutantTree[]
  chosen: readonly Guard[]
  tally: Tally
  /** Results of earlier runs do not count. */
  isAnew: boolean
}

async function takeAway({ trees, chosen, tally, isAnew }: Removal): Promise<void> {
  const [first] = trees
  if (!first) throw new Error('no tree to test')
  const verdicts = openVerdicts(first.root)
  const known = isAnew ? [] : chosen.filter((guard) => verdicts.killOf(guard) !== null)
  const due = chosen.filter((guard) => !known.includes(guard))
  const whole = await baseline(first, [...due, ...planted.map(({ guard }) => guard)])
  if (whole !== null) {
    tally.fail(`baseline: with every guard in place ${whole}`)
    return
  }
  await withTree(trees, planted, async (tree, { guard, says }) => {
    const said = await tryWithout(tree, guard)
    if (said.kind === says) tally.pass()
    else tally.fail(`${guard.id} was to come out as ${says}: ${toldOf(said)}`)
  })
  const counts = { byAssertion: 0, otherwise: 0 }
  await withTree(trees, due, async (tree, guard) => {
    const startedMs = performance.now()
    const said = await tryWithout(tree, guard)
    verdicts.keep(guard, said)
    print(guard, said, performance.now() - startedMs)
    count(guard, said)
  })
  for (const guard of known) count(guard, killOf(verdicts, guard))

  function count(guard: Guard, said: Said): void {
    if (said.kind === 'failed') {
      counts[isAssertion(said) ? 'byAssertion' : 'otherwise'] += 1
      tally.pass()
    } else tally.fail(`${guard.id} (${guard.keeps}): ${toldOf(said)}`)
  }
  tally.figure('guards', guards.length)
  tally.figure('taken away', chosen.length)
  tally.figure('missed by an assertion', counts.byAssertion)
  tally.figure('missed otherwise', counts.otherwise)
  tally.figure('found by an earlier run', known.length)
  tally.figure('planted', planted.length)
}

async function withTree<T>(
  trees: MutantTree[],
  items: readonly T[],
  work: (tree: MutantTree, item: T) => Promise<void>,
): Promise<void> {
  await eachOf(items, lanes, async (item) => {
    const tree = trees.pop()
    if (!tree) throw new Error('more lanes than trees')
    try {
      await work(tree, item)
    } finally {
      trees.push(tree)
    }
  })
}

function cheapFirst(list: readonly Guard[]): Guard[] {
  return [...list.filter(isUnit), ...list.filter((guard) => !isUnit(guard))]
}

function sampled(seed: number): Guard[] {
  const mixed = shuffled(guards, seededRandom(seed))
  return [
    ...mixed.filter((guard) => !isUnit(guard)).slice(0, sample.postgres),
    ...mixed.filter(isUnit).slice(0, sample.unit),
  ]
}

function isUnit({ killers }: Guard): boolean {
  return !killers.some((file) =>
    /from '(\.\.?\/)+(test\/)?harness\//.test(readFileSync(join(server, file), 'utf8')),
  )
}

/** Null when every killer passes with all guards in place, else what does not. */
async function baseline({ root }: MutantTree, chosen: readonly Guard[]): Promise<string | null> {
  const files = [...new Set(chosen.flatMap(({ killers }) => killers))]
  const said = await runTests({ root, files, limitMs: patientMs(baselineLimitMs), bail: false })
  return said.kind === 'passed' ? null : toldOf(said)
}

async function tryWithout(tree: MutantTree, guard: Guard): Promise<Said> {
  return tree.mutated(guard, () =>
    runTests({
      root: tree.root,
      files: guard.killers,
      only: guard.only,
      limitMs: patientMs(mutantLimitMs),
      bail: true,
    }),
  )
}

function killOf(verdicts: Verdicts, guard: Guard): Said {
  return verdicts.killOf(guard) ?? { kind: 'broken', why: 'the earlier verdict is gone' }
}

function print(guard: Guard, said: Said, tookMs: number): void {
  const word = said.kind === 'failed' ? 'killed  ' : 'SURVIVED'
  console.log(`${word} ${guard.id.padEnd(44)} ${(tookMs / 1000).toFixed(1)} s  ${toldOf(said)}`)
}

/** Also of a promise. Other errors can notice, too, where a test reads the problem of an answer that has none. They are counted apart. */
function isAssertion({ message }: Extract<Said, { kind: 'failed' }>): boolean {
  return /^(AssertionError|Error: promise (resolved|rejected) )/.test(message)
}

function toldOf(said: Said): string {
  if (said.kind === 'failed')
    return isAssertion(said) ? `failed: ${said.test}` : `failed: ${said.test}: ${said.message}`
  return said.kind === 'passed' ? `all ${said.tests} tests passed` : `no verdict: ${said.why}`
}
