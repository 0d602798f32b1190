import { parseArgs } from 'node:util'

/** What the arguments of `npm run peer` request. Text alone goes to standard output, or with code 2 to standard error. */
type PeerCommand =
  | { kind: 'run'; name: string; keep: boolean; json: boolean }
  | { kind: 'told'; text: string; code: 0 | 2 }

type Known = Readonly<Record<string, string>>

/** `known` has the peers, each with what it is. */
export function readPeerCommand(args: readonly string[], known: Known): PeerCommand {
  const given = parse(args)
  if (typeof given === 'string') return wrong(given)
  const { values, positionals } = given
  const [name, another] = positionals
  const unknown = positionals.find((one) => !Object.hasOwn(known, one))
  if (unknown !== undefined)
    return wrong(`There is no peer "${unknown}". The names are: ${Object.keys(known).join(', ')}.`)
  if (another !== undefined) return wrong('One peer at a time.')
  if (values.help || name === undefined) return { kind: 'told', text: helpOf(known), code: 0 }
  return { kind: 'run', name, keep: values.keep, json: values.json }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        keep: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function wrong(what: string): PeerCommand {
  return { kind: 'told', text: `${what}\n"npm run peer -- --help" shows the options.`, code: 2 }
}

function helpOf(known: Known): string {
  return [
    'Usage: npm run peer -- NAME [--keep] [--json]',
    '',
    'Installs a shop that others have written, starts it beside a service of its own, and buys from it in a browser.',
    'The first run takes minutes; what is installed stays in .tmp/peers/NAME.',
    '',
    ...Object.entries(known).map(([name, about]) => `  ${name.padEnd(12)} ${about}`),
    '',
    '  --keep        leave shop and service running after the purchases, until Ctrl-C',
    '  --json        print one line of JSON to standard output, and the progress to standard error',
    '',
    'Exit codes: 0 everything was bought as it had to be, 1 something was not, 2 the command line is wrong.',
  ].join('\n')
}
