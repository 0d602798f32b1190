import { parseArgs } from 'node:util'
import type { Benchmark } from './benchmark.ts'

/** What somebody wants of `npm run bench`. What is only told goes to standard output, or with code 2 to standard error. */
export type BenchCommand =
  | { kind: 'run'; names: string[]; rounds: number; seconds: number | null; json: boolean }
  | { kind: 'document' }
  | { kind: 'told'; text: string; code: 0 | 2 }

type Known = readonly Pick<Benchmark, 'name' | 'about' | 'unit' | 'seconds'>[]

const roundsDefault = 5
const documentAbout = 'writes the last results into docs/performance.md'

export function readBenchCommand(args: readonly string[], benchmarks: Known): BenchCommand {
  const given = parse(args)
  if (typeof given === 'string') return wrong(given)
  const { values, positionals } = given
  const named = positionals.filter((name) => name !== 'list')
  const all = benchmarks.map(({ name }) => name)
  const unknown = named.find((name) => !['all', 'document', ...all].includes(name))
  if (unknown !== undefined)
    return wrong(`There is no bench "${unknown}". There are: ${all.join(', ')}, all, document.`)
  if (values.help || named.length === 0) return { kind: 'told', text: helpOf(benchmarks, named), code: 0 }
  if (named.includes('document'))
    return named.length === 1 ? { kind: 'document' } : wrong('"document" goes with nothing else.')
  const rounds = values.rounds === undefined ? roundsDefault : Number(values.rounds)
  if (!(Number.isInteger(rounds) && rounds > 0))
    return wrong(`--rounds takes a whole number above 0, not "${values.rounds}".`)
  const seconds = values.seconds === undefined ? null : Number(values.seconds)
  if (seconds !== null && !(seconds > 0 && Number.isFinite(seconds)))
    return wrong(`--seconds takes a number above 0, not "${values.seconds}".`)
  const names = named.includes('all') ? all : [...new Set(named)]
  return { kind: 'run', names, rounds, seconds, json: values.json }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function wrong(what: string): BenchCommand {
  return { kind: 'told', text: `${what}\n"npm run bench -- --help" shows how.`, code: 2 }
}

function helpOf(benchmarks: Known, named: readonly string[]): string {
  const chosen = benchmarks.filter(({ name }) => named.includes(name))
  const lines = (chosen.length > 0 ? chosen : benchmarks).map(
    ({ name, about }) => `  ${name.padEnd(10)} ${about}`,
  )
  const details = chosen.map(
    ({ name, unit, seconds }) =>
      `  ${name}: one operation is a ${unit}; a round takes ${seconds} s unless told otherwise; results go to bench/results/${name}.json`,
  )
  return [
    `Usage: npm run bench -- ${chosen.map(({ name }) => name).join(' ') || 'NAME…|all'} [--rounds N] [--seconds S] [--json]`,
    '',
    ...lines,
    ...(chosen.length > 0 ? ['', ...details] : [`  ${'document'.padEnd(10)} ${documentAbout}`]),
    '',
    `  --rounds N    how often each contestant has its turn, after a warm-up (default ${roundsDefault})`,
    '  --seconds S   how long a turn takes, where time decides',
    '  --json        one line of JSON for each bench on standard output, and nothing else',
    '',
    'Exit codes: 0 it was measured, whether or not it holds, 1 it could not be, 2 it was not asked for rightly.',
  ].join('\n')
}
