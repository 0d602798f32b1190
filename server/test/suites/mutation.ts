import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Guard, without } from './mutation/guard.ts'
import { guards } from './mutation/guards.ts'
import { createMutantTree, type MutantTree } from './mutation/mutant-tree.ts'
import { runTests, type Said } from './mutation/run-tests.ts'
import { seededRandom, shuffled } from './random.ts'
import { eachOf, type SuiteRun } from './suite.ts'

const server = join(import.meta.dirname, '../..')
const lanes = 2
const mutantLimitMs = 90_000
const baselineLimitMs = 10 * 60_000
/** So many at the gate that it stays within a minute; who runs it often enough has met them all. */
const sample = { unit: 18, postgres: 8 }

/** Takes guards away one at a time, and wants a test to fail for each. */
export async function runMutation({ server: postgres, size, seed, only, tally }: SuiteRun): Promise<void> {
  for (const fault of faultsOf(guards)) tally.fail(fault)
  if (tally.failed > 0) return
  const named = only === null ? null : new RegExp(only)
  const chosen = named ? guards.filter(({ id }) => named.test(id)) : size === 'long' ? guards : sampled(seed)
  // One server for every run of tests; each makes databases of its own on it.
  process.env.PROKURA_TEST_DATABASE_URL = postgres.adminUrl
  const trees = Array.from({ length: lanes }, createMutantTree)
  try {
    const whole = await baseline(trees, chosen)
    tally.figure('guards', guards.length)
    tally.figure('taken away', chosen.length)
    if (whole !== null) {
      tally.fail(`baseline: with every guard in place ${whole}`)
      return
    }
    await eachOf(chosen, lanes, async (guard) => {
      const tree = trees.pop()
      if (!tree) throw new Error('more lanes than trees')
      const startedMs = performance.now()
      try {
        const said = await tryWithout(tree, guard)
        const seconds = Math.round((performance.now() - startedMs) / 100) / 10
        const line = toldOf(said)
        console.log(
          `${said.kind === 'failed' ? 'killed  ' : 'SURVIVED'} ${guard.id.padEnd(44)} ${seconds} s  ${line}`,
        )
        tally.figure(guard.id, `${seconds} s, ${line}`)
        if (said.kind === 'failed') tally.pass()
        else tally.fail(`${guard.id} (${guard.keeps}): ${line}`)
      } finally {
        trees.push(tree)
      }
    })
  } finally {
    for (const tree of trees) tree.remove()
  }
}

/** What is wrong with the list itself, so that it cannot fall behind the program. */
export function faultsOf(list: readonly Guard[]): string[] {
  const ids = list.map(({ id }) => id)
  const twice = ids
    .filter((id, index) => ids.indexOf(id) !== index)
    .map((id) => `guard ${id} is listed twice`)
  return [...twice, ...list.flatMap(faultOf)]
}

function faultOf(guard: Guard): string[] {
  try {
    without(guard, readFileSync(join(server, guard.file), 'utf8'))
    for (const file of guard.killers) readFileSync(join(server, file))
    return guard.killers.length === 0 ? [`guard ${guard.id} has nobody to miss it`] : []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function sampled(seed: number): Guard[] {
  const mixed = shuffled(guards, seededRandom(seed))
  const isUnit = ({ killers }: Guard) => !killers.some(needsPostgres)
  return [
    ...mixed.filter((guard) => !isUnit(guard)).slice(0, sample.postgres),
    ...mixed.filter(isUnit).slice(0, sample.unit),
  ]
}

function needsPostgres(file: string): boolean {
  return /from '(\.\.?\/)+(test\/)?harness\//.test(readFileSync(join(server, file), 'utf8'))
}

/** Null when every killer passes with all guards in place, else what does not. */
async function baseline([tree]: readonly MutantTree[], chosen: readonly Guard[]): Promise<string | null> {
  const files = [...new Set(chosen.flatMap(({ killers }) => killers))]
  if (!tree) throw new Error('no tree to test')
  const said = await runTests({ root: tree.root, files, limitMs: baselineLimitMs, bail: false })
  return said.kind === 'passed' ? null : toldOf(said)
}

async function tryWithout(tree: MutantTree, guard: Guard): Promise<Said> {
  return tree.mutated(guard, () =>
    runTests({
      root: tree.root,
      files: guard.killers,
      only: guard.only,
      limitMs: mutantLimitMs,
      bail: true,
    }),
  )
}

function toldOf(said: Said): string {
  if (said.kind === 'failed') return `failed: ${said.test}`
  return said.kind === 'passed' ? `all ${said.tests} tests passed` : `no verdict: ${said.why}`
}
