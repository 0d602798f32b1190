import type { Command } from 'commander'
import { boundAgents, operations, product } from '../../composition.ts'
import { conformanceAddress } from '../../contract/conformance-address.ts'
import type { Tenant } from '../../contract/context.ts'
import { bindPorts } from '../../contract/port.ts'
import { ValidationProblem } from '../../contract/problem.ts'
import type { Id } from '../../core/id.ts'
import { selectMerchantOfSlug } from '../../domain/selling/merchant/operated-merchants.sql.ts'
import { isConformanceShop, writeConformanceShop } from '../../domain/selling/ucp-conformance/public.ts'
import { createDispatch } from '../../platform/calls/dispatch.ts'
import type { Outcome } from '../../platform/calls/outcome.ts'
import type { Principal } from '../../platform/calls/principal.ts'
import { createReads } from '../../platform/calls/reads.ts'
import { CommandFailure } from '../failure.ts'
import { type Administration, administer } from '../operator/administer.ts'
import { asSomebody } from '../operator/operator.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson } from '../terminal.ts'
import { type Ask, seedShop, suiteShop } from '../ucp-conformance/seed-shop.ts'
import { readSuiteData } from '../ucp-conformance/suite-data.ts'

type Options = {
  data: string
  slug: string
  simulationSecret?: string
  state?: string
  json?: boolean
  as?: string
}

export function addUcpConformanceCommand(program: Command): void {
  const conformance = program
    .command('ucp-conformance')
    .description('Prepare a merchant of test mode for the official suite of UCP.')
  asSomebody(conformance.command('seed'))
    .description(
      'Make the shop that the suite expects, from its own data, or complete it. Its orders confirm themselves.',
    )
    .requiredOption('--data <dir>', 'the data folder of the suite, such as test_data/flower_shop')
    .option('--slug <slug>', 'the slug of the merchant', 'flower-shop')
    .option(
      '--simulation-secret <secret>',
      'what the suite sends to simulate shipping; without it nothing does',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(seed)
}

async function seed({ data: folder, slug, simulationSecret, ...options }: Options): Promise<void> {
  const data = readSuiteData(folder)
  const config = roleConfig(options.state)
  const seeded = await administer(
    config,
    async (admin) => {
      const accountId = await accountOf(admin, slug)
      const tenant = { accountId, mode: 'test' } as const
      const names = await seedShop(askAs(admin, tenant), slug, data)
      await admin.inTenant(tenant, async (ctx) =>
        writeConformanceShop(ctx, { ...suiteShop(names, data), simulationSecret: simulationSecret ?? null }),
      )
      return { accountId, names }
    },
    options.as,
  )
  const address = conformanceAddress(config.publicUrl ?? `http://${config.host}:${config.port}`, slug)
  const { variants } = seeded.names
  if (options.json)
    return outJson({
      object: 'ucp_conformance_shop',
      account_id: seeded.accountId,
      slug,
      server_url: address,
      items: Object.keys(variants),
      simulates_shipping: simulationSecret !== undefined,
    })
  out(
    `${slug} has the ${Object.keys(variants).length} products of the suite. Run the suite with --server_url=${address}`,
  )
}

/** The account of the shop: a new one, or that of an earlier run. A merchant that was not made for the suite keeps its orders. */
async function accountOf(admin: Administration, slug: string): Promise<Id<'acct'>> {
  const [known] = await admin.parts.pools.read(selectMerchantOfSlug({ mode: 'test', slug }))
  if (!known) return (await admin.openAccount(`UCP suite (${slug})`)).account_id
  const tenant = { accountId: known.account_id, mode: 'test' } as const
  if (await isConformanceShop(createReads(admin.parts.pools), tenant)) return known.account_id
  throw new CommandFailure(
    `The merchant ${slug} was not made for the suite, and its orders must not confirm themselves. Name another one with --slug.`,
  )
}

/** The operations of the merchant, run here: the service need not run. */
function askAs({ parts, operator }: Administration, tenant: Tenant): Ask {
  const byId = new Map(operations.map((operation) => [operation.id as string, operation]))
  const dispatch = createDispatch({
    ...parts,
    operations: operations.filter(({ outside }) => outside === undefined),
    problems: product.problems,
    boundAgents,
    ports: bindPorts(product.slices.flatMap(({ binds }) => binds ?? [])),
    onBug(error) {
      throw error
    },
  })
  const principal = principalOf(tenant, operator)
  return async <Answer>(id: string, { path = {}, query = {}, body }: Parameters<Ask>[1]): Promise<Answer> => {
    const operation = byId.get(id)
    if (!operation) throw new Error(`there is no operation ${id}`)
    const outcome = await dispatch(principal, operation, {
      requestId: parts.newId('req', Date.now()),
      path,
      query,
      headers: {},
      body,
      bodyError: null,
      rawBody: new Uint8Array(),
      coerce: true,
      address: '127.0.0.1',
      signal: () => new AbortController().signal,
      acceptsStream: false,
      accepts: null,
    })
    return answerOf<Answer>(id, outcome)
  }
}

function answerOf<Answer>(id: string, outcome: Outcome): Answer {
  if (outcome.kind === 'answered') return JSON.parse(outcome.body)
  if (outcome.kind !== 'refused') throw new Error(`${id} answered with a ${outcome.kind}`)
  const { refusal } = outcome
  const why =
    refusal instanceof ValidationProblem
      ? refusal.issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
      : `${refusal.code}: ${refusal.options.message ?? product.problems.get(refusal.code)?.message ?? ''}`
  throw new CommandFailure(`The shop could not be made (${id}). ${why}`)
}

function principalOf(tenant: Tenant, operator: string): Principal {
  const principal: Principal = {
    tenant,
    actor: { type: 'system', id: `operator:${operator}` },
    keyId: null,
    profileId: null,
    scopes: new Set(product.scopes.presets.full),
    renew: () => principal,
  }
  return principal
}
