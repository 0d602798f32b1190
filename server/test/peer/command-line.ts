import { parseArgs } from 'node:util'

/** What the arguments of `npm run peer` request. Text alone goes to standard output, or with code 2 to standard error. */
type PeerCommand =
  | { kind: 'run'; name: string; keep: boolean; json: boolean }
  /** A shop that runs already, and the file that says what is bought there. */
  | { kind: 'at'; port: number; plan: string; keep: boolean; json: boolean }
  /** A server that runs already and speaks as Stripe, for the plain path of a card. */
  | { kind: 'stripe'; port: number; json: boolean }
  | { kind: 'told'; text: string; code: 0 | 2 }

type Known = Readonly<Record<string, string>>

/** `known` has the peers, each with what it is. */
export function readPeerCommand(args: readonly string[], known: Known): PeerCommand {
  const given = parse(args)
  if (typeof given === 'string') return wrong(given)
  const { values, positionals } = given
  const [name, ...others] = positionals
  if (values.help || name === undefined) return { kind: 'told', text: helpOf(known), code: 0 }
  const { keep, json, plan } = values
  if (name === 'at') return readAt(others, { keep, json, plan })
  if (plan !== undefined) return wrong('--plan is for "at PORT".')
  if (name === 'stripe') return readStripe(others, { keep, json })
  const unknown = positionals.find((one) => !Object.hasOwn(known, one))
  if (unknown !== undefined)
    return wrong(
      `There is no peer "${unknown}". The names are: at, stripe, ${Object.keys(known).join(', ')}.`,
    )
  if (others.length > 0) return wrong('One peer at a time.')
  return { kind: 'run', name, keep, json }
}

function readAt(
  [text, ...others]: readonly string[],
  { plan, ...how }: { keep: boolean; json: boolean; plan: string | undefined },
): PeerCommand {
  if (others.length > 0) return wrong('One shop at a time.')
  const port = portOf(text)
  if (port === null) return wrong('Name the port at which the shop runs: at PORT --plan FILE.')
  if (plan === undefined)
    return wrong('Name the file of the plan: --plan FILE. docs/testing.md describes it.')
  return { kind: 'at', port, plan, ...how }
}

function readStripe(
  [text, ...others]: readonly string[],
  { keep, json }: { keep: boolean; json: boolean },
): PeerCommand {
  if (keep) return wrong('--keep is for shops: nothing is started here.')
  const port = others.length > 0 ? null : portOf(text)
  return port === null
    ? wrong('Name the port at which the server runs: stripe PORT.')
    : { kind: 'stripe', port, json }
}

function portOf(text: string | undefined): number | null {
  const port = Number(text)
  return text !== undefined && /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : null
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        plan: { type: 'string' },
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
    '       npm run peer -- at PORT --plan FILE [--keep] [--json]',
    '       npm run peer -- stripe PORT [--json]',
    '',
    'Buys in a browser at a shop that others have written, with a service of its own, and judges by the book of the shop.',
    'NAME is installed and started; the first run takes minutes, and what is installed stays in .tmp/peers/NAME. A shop of',
    'yours runs already, at a port of this machine; what is bought there, and for whom, stands in the plan (docs/testing.md).',
    'With "stripe" the rail of live mode holds, captures, refunds and releases at a server of others that speaks as Stripe.',
    '',
    ...Object.entries(known).map(([name, about]) => `  ${name.padEnd(12)} ${about}`),
    '',
    '  --plan FILE   what is bought at PORT, for whom, and how the book of its orders is read',
    '  --keep        leave shop and service running after the purchases, until Ctrl-C',
    '  --json        print one line of JSON to standard output, and the progress to standard error',
    '',
    'Exit codes: 0 everything ended as it had to, 1 something did not, 2 the command line or the plan is wrong.',
  ].join('\n')
}
