import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Benchmark } from './benchmark.ts'
import { createBench } from './benchmarks/create.ts'
import { httpBench } from './benchmarks/http.ts'
import { mcpBench } from './benchmarks/mcp.ts'
import { purchaseBench } from './benchmarks/purchase.ts'
import { readsBench } from './benchmarks/reads.ts'
import { startBench } from './benchmarks/start.ts'
import { workBench } from './benchmarks/work.ts'
import { describeCommit, describeMachine, loadNow } from './machine.ts'
import { type Report, reportOf, tableOf } from './report.ts'
import { runRounds } from './run-rounds.ts'

const benchmarks: readonly Benchmark[] = [
  httpBench,
  createBench,
  purchaseBench,
  readsBench,
  mcpBench,
  workBench,
  startBench,
]

const usage = 'npm run bench -- [NAME…|all] [--rounds N] [--seconds S] [--json]'
const roundsDefault = 5

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const named = positionals.filter((name) => name !== 'list')
  if (named.length === 0) {
    for (const { name, about } of benchmarks) console.log(`${name.padEnd(10)} ${about}`)
    console.log(`\n${usage}`)
    return
  }
  const chosen = named.includes('all') ? benchmarks : named.map(find)
  for (const benchmark of chosen) {
    const seconds = positive('seconds', values.seconds) ?? benchmark.seconds
    const rounds = positive('rounds', values.rounds) ?? roundsDefault
    const report = await run(benchmark, { seconds, rounds, isQuiet: values.json })
    const folder = fileURLToPath(new URL('../results/', import.meta.url))
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}${benchmark.name}.json`, `${JSON.stringify(report, null, 2)}\n`)
    console.log(values.json ? JSON.stringify(report) : `\n${tableOf(report, benchmark.unit)}\n`)
  }
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
    commit: describeCommit(),
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
    const samples = await runRounds(prepared.contestants, {
      rounds,
      seconds,
      onRound: (round, contestant) =>
        progress(`${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${contestant}`),
    })
    progress('')
    return reportOf(benchmark, prepared, samples, { ...circumstances, postgres: prepared.postgres })
  } finally {
    await prepared.stop()
  }
}

function find(name: string): Benchmark {
  const found = benchmarks.find((benchmark) => benchmark.name === name)
  if (!found)
    throw new Error(`There is no bench "${name}". There are: ${benchmarks.map((one) => one.name).join(', ')}`)
  return found
}

function positive(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} takes a number above 0`)
  return name === 'rounds' ? Math.max(1, Math.round(value)) : value
}

await main()
