import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Mode } from '../../contract/context.ts'
import {
  claimEntryNow,
  selectEntries,
  selectEntryOfOrigin,
} from '../../domain/discovery/registry/entries.sql.ts'
import type { EntryRow } from '../../domain/discovery/registry/entry-row.ts'
import {
  addEntry,
  decideRoute,
  hostNamed,
  lookAtEntry,
  lookLeaseSeconds,
  type OperatedEntry,
  operatedEntry,
  originNamed,
  registryAccount,
  registryChannels,
  registryEntryOfHost,
  removeEntry,
  settleLook,
} from '../../domain/discovery/registry/public.ts'
import { hostsOf, merchantForUrl, readSellersAt } from '../../domain/selling/merchant/public.ts'
import { createReads } from '../../platform/calls/reads.ts'
import type { Config } from '../../platform/config/config.ts'
import { violatedConstraint } from '../../platform/database/errors.ts'
import { createEgress } from '../../platform/egress/egress.ts'
import { CommandFailure } from '../failure.ts'
import { type Administration, administer } from '../operator/administer.ts'
import { asSomebody } from '../operator/operator.ts'
import { readDatabase } from '../operator/read-database.ts'
import { ownPortsOf } from '../own-ports.ts'
import { roleConfig } from '../role-config.ts'
import { sandboxNamesOf } from '../sandbox-names.ts'
import { out, outJson, table } from '../terminal.ts'

/** As many as any shop has pages on. */
const hostsMax = 20

function hostsOfShop(given: string, before: readonly string[] = []): readonly string[] {
  const named = hostNamed(given)
  if ('refusal' in named) throw new InvalidArgumentError(named.refusal)
  const hosts = [...new Set([...before, named.host])]
  if (hosts.length > hostsMax) throw new InvalidArgumentError(`At most ${hostsMax} hosts can be named.`)
  return hosts
}

type Options = { state?: string; json?: boolean; as?: string; mode: Mode }
type Channel = (typeof registryChannels)[number]

export function defineRegistry(registry: Command): void {
  changing(registry.command('add'), 'Add a site. A worker looks at it, and then every day, for UCP and MPP.')
    .addOption(
      new Option(
        '--channel <channel>',
        'buy there in this way alone; `browser` never shows it publicly',
      ).choices(registryChannels),
    )
    .option('--name <name>', 'the name of the merchant (default: what the site says)', nameOf)
    .option(
      '--host <host>',
      'a host besides the site, such as that of its checkout, where the browser may go for this shop; may be repeated',
      hostsOfShop,
    )
    .action(add)
  changing(registry.command('verify'), 'Look at a site now, and show what was found.').action(verify)
  changing(registry.command('remove'), 'Remove a site.').action(remove)
  inMode(
    registry
      .command('route')
      .description('Say how something can be bought, the best way first.')
      .argument('<url>', 'the address of what is for sale'),
  ).action(route)
  inMode(registry.command('list').description('List the sites, with the status of each protocol.')).action(
    list,
  )
}

const ways: readonly string[] = ['https:', 'http:']

async function route(given: string, options: Options): Promise<void> {
  const url = URL.parse(given)
  if (url === null || !ways.includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new CommandFailure('Name what is for sale by its address, such as https://shop.example/mug.')
  const { mode } = options
  const candidates = await readDatabase(roleConfig(options.state), async ({ pools }) => {
    const reads = createReads(pools)
    const [sellers, entry] = await Promise.all([
      readSellersAt(reads, tenantOf(options), hostsOf([url.href])),
      registryEntryOfHost(reads, mode, url.host),
    ])
    const seller = merchantForUrl(sellers, url.href)
    const name = seller && (seller.name ?? seller.slug ?? seller.domain)
    return decideRoute({ mode, seller: name, entry })
  })
  if (options.json) return outJson({ url: url.href, mode, candidates })
  if (candidates.length === 0)
    return out(
      `The registry of ${mode} mode knows no way to buy at ${url.host}. Add it with \`prokura registry add\`.`,
    )
  const cells = candidates.map(({ channel, why, evidence_at }) => [mode, channel, evidence_at ?? '–', why])
  for (const line of table(['MODE', 'CHANNEL', 'SEEN AT', 'WHY'], cells)) out(line)
}

function changing(command: Command, description: string): Command {
  return inMode(
    asSomebody(
      command
        .description(description)
        .argument('<site>', 'a domain, or an origin such as https://shop.example'),
    ),
  )
}

function inMode(command: Command): Command {
  return command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .addOption(
      new Option(
        '--mode <mode>',
        'test or live; what operators list counts for everybody, so live is the default here, and test everywhere else',
      )
        .choices(['test', 'live'])
        .default('live'),
    )
}

const nameMax = 255
/** How often `verify` asks whether a worker's look is over. */
const askAgainMs = 250

/** Text that a terminal would not show is refused. */
function nameOf(given: string): string {
  const name = given.trim()
  if (name !== '' && name.length <= nameMax && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return name
  throw new InvalidArgumentError(`It must be a name of 1 to ${nameMax} visible characters.`)
}

/** The origin that was named; fails in words where it is none that may be called. */
function originOf(given: string, { mode }: Options, { allowLoopback }: Config): string {
  const named = originNamed(given, { mode, allowLoopback })
  if ('refusal' in named) throw new CommandFailure(named.refusal)
  return named.origin
}

const tenantOf = ({ mode }: Options) => ({ accountId: registryAccount, mode })

type Added = Options & { channel?: Channel; name?: string; host?: readonly string[] }

async function add(site: string, options: Added): Promise<void> {
  const { channel = null, name = null, host: hosts = [] } = options
  if (hosts.length > 0 && channel !== null && channel !== 'browser')
    throw new CommandFailure(`A site that is bought from by ${channel} alone has no pages: leave out --host.`)
  const config = roleConfig(options.state)
  const origin = originOf(site, options, config)
  const given = { origin, channel, name, hosts }
  const row = await administer(
    config,
    (admin) => admin.inTenant(tenantOf(options), (ctx) => addEntry(ctx, given)),
    options.as,
  ).catch((error: unknown) => {
    // Somebody else has added it at the same moment.
    if (violatedConstraint(error) === 'registry_entries_origin') return null
    throw error
  })
  if (!row) throw new CommandFailure(`${origin} is in the registry of ${options.mode} mode already.`)
  const entry = operatedEntry(row)
  if (options.json) return outJson(entry)
  const next =
    row.due_at === null ? 'It is for the browser alone, so nobody looks at it.' : 'A worker looks at it now.'
  out(`${origin} is in the registry of ${options.mode} mode as ${entry.id}. ${next}`)
}

async function remove(site: string, options: Options): Promise<void> {
  const config = roleConfig(options.state)
  const origin = originOf(site, options, config)
  const row = await administer(
    config,
    async (admin) => {
      const found = await entryOf(admin, origin, options)
      await admin.inTenant(tenantOf(options), (ctx) => removeEntry(ctx, found.id))
      return found
    },
    options.as,
  )
  if (options.json) outJson({ id: row.id, origin, removed: true })
  else out(`${origin} is no longer in the registry of ${options.mode} mode.`)
}

async function verify(site: string, options: Options): Promise<void> {
  const config = roleConfig(options.state)
  const origin = originOf(site, options, config)
  const row = await administer(
    config,
    async (admin) => lookNow(admin, await entryOf(admin, origin, options), config),
    options.as,
  )
  const entry = operatedEntry(row)
  if (options.json) return outJson(entry)
  out(`In ${options.mode} mode:`)
  for (const line of found(entry)) out(line)
}

/** A look of its own, with a lease like that of a worker's: two never look at once. */
async function lookNow(admin: Administration, row: EntryRow, config: Config): Promise<EntryRow> {
  const { parts } = admin
  const { account_id, mode, id } = row
  if (row.channel === 'browser')
    throw new CommandFailure(`${row.origin} is for the browser alone: nobody looks at what it publishes.`)
  const claim = claimEntryNow({ account_id, mode, id, lease_seconds: lookLeaseSeconds })
  const claimed = await claimedBy(async () => (await parts.pools.single(claim)).rows[0])
  if (!claimed) throw new CommandFailure(`Workers are looking at ${row.origin} all the time. Try again.`)
  const egress = createEgress({
    allowLoopback: (of) => config.allowLoopback && of === 'test',
    trustedOrigins: [],
    ownPorts: ownPortsOf(config, null),
    sandboxNames: sandboxNamesOf(config),
  })
  try {
    const seen = await lookAtEntry(egress, claimed, {
      settings: parts.settings,
      now: await parts.clock.now(),
    })
    return await admin.inTenant({ accountId: registryAccount, mode }, (ctx) => settleLook(ctx, claimed, seen))
  } finally {
    await egress.close()
  }
}

/** A worker's look takes some seconds at most; one that was given up ends with its lease. */
async function claimedBy<Row>(claim: () => Promise<Row | undefined>): Promise<Row | undefined> {
  for (let waitedMs = 0; waitedMs <= lookLeaseSeconds * 1000; waitedMs += askAgainMs) {
    const row = await claim()
    if (row) return row
    await sleep(askAgainMs)
  }
  return undefined
}

async function entryOf({ parts }: Administration, origin: string, { mode }: Options): Promise<EntryRow> {
  const [row] = await parts.pools.read(selectEntryOfOrigin({ account_id: registryAccount, mode, origin }))
  if (!row)
    throw new CommandFailure(
      `${origin} is not in the registry of ${mode} mode. Add it with \`prokura registry add\`.`,
    )
  return row
}

async function list(options: Options): Promise<void> {
  const rows = await readDatabase(roleConfig(options.state), ({ pools }) =>
    pools.read(selectEntries({ account_id: registryAccount, mode: options.mode })),
  )
  const entries = rows.map(operatedEntry)
  if (options.json) return outJson({ object: 'list', data: entries })
  if (entries.length === 0) return out(`There is no site in the registry of ${options.mode} mode.`)
  const cells = entries.map((one) => [
    options.mode,
    one.id,
    one.origin,
    one.name ?? '–',
    one.channel ?? 'any',
    one.protocols.map(({ protocol, status }) => `${protocol} ${status}`).join(', ') || '–',
    one.last_checked_at ?? 'not yet',
    one.hosts.join(', ') || '–',
  ])
  for (const line of table(
    ['MODE', 'ID', 'SITE', 'NAME', 'CHANNEL', 'SPEAKS', 'LOOKED AT', 'MORE HOSTS'],
    cells,
  ))
    out(line)
}

/** What a look found, for people: each protocol, then each document with what was wrong with it. */
function found({ origin, protocols, payment_methods, evidence, next_check_at }: OperatedEntry): string[] {
  const spoken = protocols.map(
    ({ protocol, status, version, capabilities }) =>
      `${protocol}: ${status}${version === null ? '' : `, release ${version}`}${capabilities.length === 0 ? '' : `, ${capabilities.join(', ')}`}`,
  )
  const documents = evidence.flatMap(({ url, problem, faults }) => [
    `${url}: ${problem ?? 'It was read.'}`,
    ...faults.map((fault) => `  ${fault}`),
  ])
  return [
    ...(spoken.length === 0 ? [`${origin} speaks neither UCP nor MPP.`] : spoken),
    ...(payment_methods.length === 0 ? [] : [`It is paid by ${payment_methods.join(', ')}.`]),
    ...documents,
    ...(next_check_at === null ? [] : [`It is looked at again at ${next_check_at}.`]),
  ]
}
