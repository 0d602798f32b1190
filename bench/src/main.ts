import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DocumentedRun, runsOf, whyRefused, withRuns } from '../../server/test/documented-runs.ts'
import { describeCommit } from '../../server/test/history.ts'
import { workspaces } from '../../server/test/workspaces.ts'
import type { Benchmark } from './benchmark.ts'
import { anywhereBench } from './benchmarks/anywhere.ts'
import { approveBench } from './benchmarks/approve.ts'
import { cardAuthorizationsBench } from './benchmarks/card-authorizations.ts'
import { chatsBench } from './benchmarks/chats.ts'
import { createBench } from './benchmarks/create.ts'
import { elementsBench } from './benchmarks/elements.ts'
import { fairnessBench } from './benchmarks/fairness.ts'
import { growthBench } from './benchmarks/growth.ts'
import { httpBench } from './benchmarks/http.ts'
import { idleBench } from './benchmarks/idle.ts'
import { importBench } from './benchmarks/import.ts'
import { listsBench } from './benchmarks/lists.ts'
import { mcpBench } from './benchmarks/mcp.ts'
import { purchaseBench } from './benchmarks/purchase.ts'
import { quotesBench } from './benchmarks/quotes.ts'
import { readsBench } from './benchmarks/reads.ts'
import { saturationBench } from './benchmarks/saturation.ts'
import { searchBench } from './benchmarks/search.ts'
import { startBench } from './benchmarks/start.ts'
import { webhooksBench } from './benchmarks/webhooks.ts'
import { workBench } from './benchmarks/work.ts'
import { readBenchCommand } from './command-line.ts'
import { columns, mergeRows, rowsOf } from './documented.ts'
import { describeMachine, loadNow } from './machine.ts'
import { type Report, reportOf, tableOf } from './report.ts'
import { runRounds } from './run-rounds.ts'

const benchmarks: readonly Benchmark[] = [
  httpBench,
  createBench,
  approveBench,
  purchaseBench,
  anywhereBench,
  chatsBench,
  elementsBench,
  cardAuthorizationsBench,
  saturationBench,
  growthBench,
  readsBench,
  quotesBench,
  mcpBench,
  workBench,
  webhooksBench,
  fairnessBench,
  listsBench,
  importBench,
  searchBench,
  startBench,
  idleBench,
]

async function main(): Promise<void> {
  const command = readBenchCommand(process.argv.slice(2), benchmarks)
  if (command.kind === 'told') {
    if (command.code === 0) console.log(command.text)
    else console.error(command.text)
    process.exitCode = command.code
    return
  }
  if (command.kind === 'document') return documentResults()
  const { names, rounds, json: isQuiet } = command
  for (const benchmark of benchmarks.filter(({ name }) => names.includes(name))) {
    const seconds = command.seconds ?? benchmark.seconds
    const report = await run(benchmark, { seconds, rounds, isQuiet })
    mkdirSync(dirname(resultPath(benchmark.name)), { recursive: true })
    writeFileSync(resultPath(benchmark.name), `${JSON.stringify(report, null, 2)}\n`)
    console.log(isQuiet ? JSON.stringify(report) : `\n${tableOf(report, benchmark.unit)}\n`)
  }
}

/** Writes the table of docs/performance.md anew: the last measurement of each benchmark that is of a commit of this history. */
function documentResults(): void {
  const path = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
  const text = readFileSync(path, 'utf8')
  const measured = benchmarks.flatMap(({ name }): DocumentedRun[] => {
    const result = resultPath(name)
    return existsSync(result) ? rowsOf(JSON.parse(readFileSync(result, 'utf8'))) : []
  })
  const { runs, refused } = mergeRows(runsOf(text), measured, whyRefused)
  const inOrder = benchmarks.flatMap(({ name }) => runs.filter(({ bench }) => bench === name))
  writeFileSync(path, withRuns({ path, text }, columns, inOrder))
  console.log(`docs/performance.md is written, with ${inOrder.length} rows.`)
  for (const why of refused) console.log(`not in it: ${why}`)
}

function resultPath(name: string): string {
  return fileURLToPath(new URL(`../../.tmp/bench/${name}.json`, import.meta.url))
}

async function run(
  benchmark: Benchmark,
  { seconds, rounds, isQuiet }: { seconds: number; rounds: number; isQuiet: boolean },
): Promise<Report> {
  const progress = (text: string) => {
    if (!isQuiet && process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
  }
  const circumstances = {
    date: new Date().toISOString(),
    commit: describeCommit(workspaces),
    machine: describeMachine(),
    load_before: loadNow(),
    node: process.version,
    rounds,
    seconds,
  }
  if (!isQuiet) console.log(`${benchmark.name}: ${benchmark.about}`)
  progress('preparing …')
  const prepared = await benchmark.prepare()
  try {
    const measured = runRounds(prepared.contestants, {
      rounds,
      seconds,
      onRound: (round, contestant) =>
        progress(`${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${contestant}`),
    })
    // The processes that were started are stopped at every kind of end.
    const samples = await Promise.race([measured, interrupted()])
    progress('')
    return reportOf(benchmark, prepared, samples, { ...circumstances, postgres: prepared.postgres })
  } finally {
    await prepared.stop()
  }
}

function interrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Error('The benchmark was interrupted.')))
    }
  })
}

await main()
