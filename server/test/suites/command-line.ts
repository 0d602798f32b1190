import { parseArgs } from 'node:util'
import type { SuiteRun } from './suite.ts'

/** What somebody wants of `npm run suite`. What is only told goes to standard output, or with code 2 to standard error. */
export type SuiteCommand =
  | ({ kind: 'run'; name: string; seed: number | null } & Pick<SuiteRun, 'size' | 'only' | 'from'>)
  | { kind: 'document' }
  | { kind: 'told'; text: string; code: 0 | 2 }

type Known = Readonly<Record<string, { about: string }>>

const documentAbout = 'keeps the results of the longest runs and writes their table into docs/reliability.md'

export function readSuiteCommand(args: readonly string[], suites: Known): SuiteCommand {
  const given = parse(args)
  if (typeof given === 'string') return wrong(given)
  const { values, positionals } = given
  const [name, ...more] = positionals
  const isKnown = name === undefined || name === 'document' || Object.hasOwn(suites, name)
  if (!isKnown)
    return wrong(`There is no suite "${name}". There are: ${Object.keys(suites).join(', ')}, document.`)
  if (values.help || name === undefined) return { kind: 'told', text: helpOf(name, suites), code: 0 }
  if (more.length > 0) return wrong(`One suite at a time: "${more.join(' ')}" is too much.`)
  if (name === 'document') return { kind: 'document' }
  const { size, seed, only = null, from = null } = values
  if (size !== 'gate' && size !== 'long') return wrong(`--size is gate or long, not "${size}".`)
  if (seed !== undefined && !/^\d{1,15}$/.test(seed))
    return wrong(`--seed takes a whole number, not "${seed}".`)
  if (from !== null && name !== 'upgrade') return wrong('--from is for the suite upgrade.')
  return { kind: 'run', name, size, seed: seed === undefined ? null : Number(seed), only, from }
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
  ]
  const after = [
    '',
    'Exit codes: 0 all passed or skipped, 1 something failed, 2 it was not asked for rightly.',
  ]
  if (name === 'document') return ['Usage: npm run suite -- document', '', `  ${documentAbout}`].join('\n')
  if (name !== undefined) {
    const about = suites[name]?.about ?? ''
    return [`Usage: npm run suite -- ${name} [OPTIONS]`, '', `  ${about}`, '', ...options, ...after].join(
      '\n',
    )
  }
  const entries = [...Object.entries(suites), ['document', { about: documentAbout }] as const]
  return [
    'Usage: npm run suite -- NAME [OPTIONS]',
    '',
    ...entries.map(([known, { about }]) => `  ${known.padEnd(16)} ${about}`),
    '',
    ...options,
    ...after,
  ].join('\n')
}
