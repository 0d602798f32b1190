import { parseArgs } from 'node:util'
import type { Benchmark } from './benchmark.ts'

/** What the arguments of `npm run bench` request. Text alone goes to standard output, or with code 2 to standard error. */
type BenchCommand =
  | { kind: 'run'; names: string[]; rounds: number; seconds: number | null; json: boolean }
  | { kind: 'document' }
  | { kind: 'told'; text: string; code: 0 | 2 }

type Known = readonly Pick<Benchmark, 'name' | 'about' | 'unit' | 'seconds'>[]

const roundsDefault = 5
const documentAbout = 'write the last results into docs/performance.md'

export function readBenchCommand(args: readonly string[], benchmarks: Known): BenchCommand {
  const given = parse(args)
  if (typeof given === 'string') return wrong(given)
  const { values, positionals } = given
  const named = positionals.filter((name) => name !== 'list')
  const all = benchmarks.map(({ name }) => name)
  const unknown = named.find((name) => !['all', 'document', ...all].includes(name))
  if (unknown !== undefined)
    return wrong(`There is no benchmark "${unknown}". The names are: ${all.join(', ')}, all, document.`)
  if (values.help || named.length === 0) return { kind: 'told', text: helpOf(benchmarks, named), code: 0 }
  if (named.includes('document'))
    return named.length === 1 ? { kind: 'document' } : wrong('"document" cannot be combined with benchmarks.')
  const rounds = values.rounds === undefined ? roundsDefault : Number(values.rounds)
  if (!(Number.isInteger(rounds) && rounds > 0))
    return wrong(`--rounds must be a whole number above 0, not "${values.rounds}".`)
  const seconds = values.seconds === undefined ? null : Number(values.seconds)
  if (seconds !== null && !(seconds > 0 && Number.isFinite(seconds)))
    return wrong(`--seconds must be a number above 0, not "${values.seconds}".`)
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
  return { kind: 'told', text: `${what}\n"npm run bench -- --help" shows the options.`, code: 2 }
}

function helpOf(benchmarks: Known, named: readonly string[]): string {
  const chosen = benchmarks.filter(({ name }) => named.includes(name))
  const lines = (chosen.length > 0 ? chosen : benchmarks).map(
    ({ name, about }) => `  ${name.padEnd(10)} ${about}`,
  )
  const details = chosen.map(
    ({ name, unit, seconds }) =>
      `  ${name}: one operation is a ${unit}; a turn takes ${seconds} s without --seconds; the results go to .tmp/bench/${name}.json`,
  )
  return [
    `Usage: npm run bench -- ${chosen.map(({ name }) => name).join(' ') || 'NAME…|all'} [--rounds N] [--seconds S] [--json]`,
    '',
    ...lines,
    ...(chosen.length > 0 ? ['', ...details] : [`  ${'document'.padEnd(10)} ${documentAbout}`]),
    '',
    `  --rounds N    the number of rounds after a warm-up; each contestant has one turn in a round (default ${roundsDefault})`,
    '  --seconds S   the length of a turn, for benchmarks that run for a time',
    '  --json        print one line of JSON for each benchmark to standard output, and nothing else',
    '',
    'Exit codes: 0 everything was measured (also if a limit does not hold), 1 a measurement failed, 2 the command line is wrong.',
  ].join('\n')
}
