import { parseArgs } from 'node:util'
import type { SuiteRun } from './suite.ts'

/** What somebody wants of `npm run suite`. What is only told goes to standard output, or with code 2 to standard error. */
export type SuiteCommand =
  | ({ kind: 'run'; name: string; seed: number | null } & Pick<SuiteRun, 'size' | 'only' | 'from'>)
  | { kind: 'self-check'; name: string; seed: number | null; seeds: number }
  | { kind: 'long'; seed: number | null; only: string | null; json: boolean }
  | { kind: 'document' }
  | { kind: 'told'; text: string; code: 0 | 2 }

type Known = Readonly<Record<string, { about: string; selfCheck?: { about: string } }>>

const longAbout =
  'before a release: every suite in its long size, and each self-check with 200 seeds; goes on where the last run of the same commit ended'
const documentAbout = 'keeps the results of the longest runs and writes their table into docs/reliability.md'

export function readSuiteCommand(args: readonly string[], suites: Known): SuiteCommand {
  const given = parse(args)
  if (typeof given === 'string') return wrong(given)
  const { values, positionals } = given
  const [name, ...more] = positionals
  const isKnown = name === undefined || name === 'long' || name === 'document' || Object.hasOwn(suites, name)
  if (!isKnown)
    return wrong(`There is no suite "${name}". There are: ${Object.keys(suites).join(', ')}, long, document.`)
  if (values.help || name === undefined) return { kind: 'told', text: helpOf(name, suites), code: 0 }
  if (more.length > 0) return wrong(`One suite at a time: "${more.join(' ')}" is too much.`)
  if (name === 'document') return { kind: 'document' }
  const { size, seed, only = null, from = null, seeds, json = false } = values
  if (size !== 'gate' && size !== 'long') return wrong(`--size is gate or long, not "${size}".`)
  if (seed !== undefined && !/^\d{1,15}$/.test(seed))
    return wrong(`--seed takes a whole number, not "${seed}".`)
  if (from !== null && name !== 'upgrade') return wrong('--from is for the suite upgrade.')
  if (seeds !== undefined && !/^[1-9]\d{0,5}$/.test(seeds))
    return wrong(`--seeds takes a whole number from 1 on, not "${seeds}".`)
  const numbered = seed === undefined ? null : Number(seed)
  if (json && name !== 'long') return wrong('--json is for long.')
  if (name === 'long') return { kind: 'long', seed: numbered, only, json }
  const isCheck = values['self-check'] === true
  if (seeds !== undefined && !isCheck) return wrong('--seeds is for --self-check.')
  if (isCheck && suites[name]?.selfCheck === undefined) {
    const checked = Object.keys(suites).filter((each) => suites[each]?.selfCheck)
    return wrong(
      `${name} checks itself in every run alone. Those that can do it apart: ${checked.join(', ')}.`,
    )
  }
  if (isCheck) return { kind: 'self-check', name, seed: numbered, seeds: Number(seeds ?? 1) }
  return { kind: 'run', name, size, seed: numbered, only, from }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        size: { type: 'string', default: 'gate' },
        seed: { type: 'string' },
        only: { type: 'string' },
        from: { type: 'string' },
        'self-check': { type: 'boolean' },
        seeds: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function wrong(what: string): SuiteCommand {
  return { kind: 'told', text: `${what}\n"npm run suite -- --help" shows how.`, code: 2 }
}

function helpOf(name: string | undefined, suites: Known): string {
  const options = [
    '  --size gate|long   a few seconds to a minute, as in the gate (default), or as long as it takes to find what is rare',
    '  --seed N           repeats a run; without it every run is another',
    '  --only PATTERN     only the parts whose name matches, in suites that have parts',
    '  --from REF         upgrade only: the commit to come from',
    '  --self-check       only whether planted faults are noticed, in suites that can tell apart from the rest',
    '  --seeds N          with --self-check: so many seeds, from --seed on; those that passed on this commit are not run again',
  ]
  const after = [
    '',
    'Exit codes: 0 all passed or skipped, 1 something failed, 2 it was not asked for rightly.',
  ]
  if (name === 'document') return ['Usage: npm run suite -- document', '', `  ${documentAbout}`].join('\n')
  if (name === 'long') {
    const parts = [
      '  --only a,b   only these parts',
      '  --seed N     the seed of every part; without it that of the run to go on with',
      '  --json       one JSON object at the end instead of progress',
    ]
    return ['Usage: npm run suite -- long [OPTIONS]', '', `  ${longAbout}`, '', ...parts, ...after].join('\n')
  }
  if (name !== undefined) {
    const about = suites[name]?.about ?? ''
    return [`Usage: npm run suite -- ${name} [OPTIONS]`, '', `  ${about}`, '', ...options, ...after].join(
      '\n',
    )
  }
  const entries = [
    ...Object.entries(suites),
    ['long', { about: longAbout }] as const,
    ['document', { about: documentAbout }] as const,
  ]
  return [
    'Usage: npm run suite -- NAME [OPTIONS]',
    '',
    ...entries.map(([known, { about }]) => `  ${known.padEnd(16)} ${about}`),
    '',
    ...options,
    ...after,
  ].join('\n')
}
