import { parseArgs } from 'node:util'
import type { SuiteRun } from './suite.ts'

/** What the arguments of `npm run suite` request. Text alone goes to standard output, or with code 2 to standard error. */
type SuiteCommand =
  | ({ kind: 'run'; name: string; seed: number | null } & Pick<
      SuiteRun,
      'size' | 'only' | 'from' | 'engines'
    >)
  | { kind: 'self-check'; name: string; seed: number | null; seeds: number }
  | { kind: 'long'; seed: number | null; only: string | null; json: boolean }
  | { kind: 'document' }
  | { kind: 'told'; text: string; code: 0 | 2 }

type Known = Readonly<Record<string, { about: string; selfCheck?: { about: string } }>>

const longAbout =
  'for a release: runs every suite in its long size, and each self-check with 200 seeds; continues where the last run of this commit stopped'
/** By their names in the suite of components. */
const engineNames = ['firefox', 'webkit']
const documentAbout = 'keeps the results of the longest runs, and writes their table into docs/reliability.md'

export function readSuiteCommand(args: readonly string[], suites: Known): SuiteCommand {
  const given = parse(args)
  if (typeof given === 'string') return wrong(given)
  const { values, positionals } = given
  const [name, ...more] = positionals
  const isKnown = name === undefined || name === 'long' || name === 'document' || Object.hasOwn(suites, name)
  if (!isKnown)
    return wrong(
      `There is no suite "${name}". The names are: ${Object.keys(suites).join(', ')}, long, document.`,
    )
  if (values.help || name === undefined) return { kind: 'told', text: helpOf(name, suites), code: 0 }
  if (more.length > 0) return wrong(`Name one suite at a time: "${more.join(' ')}" is too much.`)
  if (name === 'document') return { kind: 'document' }
  const { size, seed, only = null, from = null, seeds, json = false } = values
  if (size !== 'gate' && size !== 'long') return wrong(`--size must be gate or long, not "${size}".`)
  if (seed !== undefined && !/^\d{1,15}$/.test(seed))
    return wrong(`--seed must be a whole number, not "${seed}".`)
  if (from !== null && name !== 'upgrade') return wrong('--from works only with the suite upgrade.')
  if (seeds !== undefined && !/^[1-9]\d{0,5}$/.test(seeds))
    return wrong(`--seeds must be a whole number above 0, not "${seeds}".`)
  const engines = values.engines?.split(',')
  const unknown = engines?.find((each) => !engineNames.includes(each))
  if (engines !== undefined && name !== 'elements')
    return wrong('--engines works only with the suite elements.')
  if (unknown !== undefined)
    return wrong(`There is no engine "${unknown}". The names are: ${engineNames.join(', ')}.`)
  const numbered = seed === undefined ? null : Number(seed)
  if (json && name !== 'long') return wrong('--json works only with long.')
  if (name === 'long') return { kind: 'long', seed: numbered, only, json }
  const isCheck = values['self-check'] === true
  if (seeds !== undefined && !isCheck) return wrong('--seeds works only with --self-check.')
  if (isCheck && suites[name]?.selfCheck === undefined) {
    const checked = Object.keys(suites).filter((each) => suites[each]?.selfCheck)
    return wrong(
      `${name} has no separate self-check: it checks itself in every run. These suites have one: ${checked.join(', ')}.`,
    )
  }
  if (isCheck) return { kind: 'self-check', name, seed: numbered, seeds: Number(seeds ?? 1) }
  return {
    kind: 'run',
    name,
    size,
    seed: numbered,
    only,
    from,
    ...(engines === undefined ? {} : { engines }),
  }
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
        engines: { type: 'string' },
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
  return { kind: 'told', text: `${what}\n"npm run suite -- --help" shows the options.`, code: 2 }
}

function helpOf(name: string | undefined, suites: Known): string {
  const options = [
    '  --size gate|long   gate (default) takes seconds to a minute, as in the gate; long takes as long as rare faults need',
    '  --seed N           repeat the run with this seed; without it, every run is different',
    '  --only PATTERN     run only the parts whose name matches, in suites that have parts',
    '  --from REF         only for upgrade: the commit to upgrade from',
    '  --engines a,b      only for elements: show components in firefox and webkit, and nothing else',
    '  --self-check       only check that the suite notices planted faults, in suites that have a separate self-check',
    '  --seeds N          with --self-check: the number of seeds, counted from --seed; seeds that passed on this commit are not run again',
  ]
  const after = [
    '',
    'Exit codes: 0 everything passed or was skipped, 1 something failed, 2 the command line is wrong.',
  ]
  if (name === 'document') return ['Usage: npm run suite -- document', '', `  ${documentAbout}`].join('\n')
  if (name === 'long') {
    const parts = [
      '  --only a,b   run only these parts',
      '  --seed N     the seed of every part (default: the seed of the run to continue)',
      '  --json       print one JSON object at the end instead of progress',
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
