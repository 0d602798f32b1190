import { type Command, Option } from 'commander'
import type { Mode } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'
import { toWire } from '../../core/money.ts'
import { selectOwed } from '../../domain/buying/disputes/disputes.sql.ts'
import { changeMerchant } from '../../domain/readiness/merchant-readiness/public.ts'
import { selectMerchantRow } from '../../domain/selling/merchant/merchant.sql.ts'
import type { MerchantRow } from '../../domain/selling/merchant/merchant.ts'
import {
  selectHeldTestDomain,
  selectMerchantOfSlug,
  selectOperatedMerchants,
} from '../../domain/selling/merchant/operated-merchants.sql.ts'
import { holdsTestDomain, isSandboxDomain } from '../../domain/selling/merchant/public.ts'
import { CommandFailure } from '../failure.ts'
import { type Administration, administer } from '../operator/administer.ts'
import { asSomebody } from '../operator/operator.ts'
import { readDatabase } from '../operator/read-database.ts'
import { roleConfig } from '../role-config.ts'
import { money, out, outJson, table } from '../terminal.ts'
import { definePayout } from './merchants-payout.ts'

type Common = { state?: string; json?: boolean; as?: string }
type InMode = Common & { mode: Mode }

export function defineMerchants(merchants: Command): void {
  inMode(merchants.command('list').description('List the merchants of all accounts, oldest first.'))
    .option('--unconfirmed', 'only merchants of live mode whose category or country nobody has confirmed')
    .action(list)
  inMode(
    asSomebody(merchants.command('confirm'))
      .description(
        'Confirm the category or the country that a merchant claims, so that policies of live mode rely on it.',
      )
      .argument('<slug>'),
  )
    .option(
      '--mcc [code]',
      'confirm the merchant category code; with a code, only if the merchant claims that one',
    )
    .option('--country [code]', 'confirm the country; with a code, only if the merchant claims that one')
    .action(confirm)
  definePayout(common(asSomebody(merchants.command('payout'))))
  common(
    asSomebody(merchants.command('release'))
      .description(
        'Take a shared test domain from the account that holds it. Another account may then claim it.',
      )
      .argument('<domain>'),
  ).action(release)
}

function common(command: Command): Command {
  return command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
}

function inMode(command: Command): Command {
  return common(command).addOption(
    new Option(
      '--mode <mode>',
      'test or live; what operators decide counts for everybody, so live is the default here, and test everywhere else',
    )
      .choices(['test', 'live'])
      .default('live'),
  )
}

async function list(options: InMode & { unconfirmed?: boolean }): Promise<void> {
  const [rows, owed] = await readDatabase(roleConfig(options.state), ({ pools }) =>
    Promise.all([
      pools.read(
        selectOperatedMerchants({ mode: options.mode, only_unconfirmed: options.unconfirmed ?? false }),
      ),
      pools.read(selectOwed({ mode: options.mode })),
    ]),
  )
  const shown = rows.map((row) => ({ ...render(row), owes: owedBy(row, owed) }))
  if (options.json) return outJson({ object: 'list', data: shown })
  if (shown.length === 0) {
    return out(
      options.unconfirmed
        ? `Every category and country is confirmed in ${options.mode} mode.`
        : `There is no merchant in ${options.mode} mode.`,
    )
  }
  const cells = shown.map((one) => [
    one.mode,
    one.account_id,
    one.slug ?? '–',
    one.domain ?? '–',
    one.domain_verified ? (one.holds_test_domain ? 'held' : 'verified') : 'claimed',
    described(one.mcc, one.mcc_confirmed, one.mcc_confirmed_at),
    described(one.country, one.country_confirmed, one.country_confirmed_at),
  ])
  for (const line of table(['MODE', 'ACCOUNT', 'SLUG', 'DOMAIN', 'DOMAIN IS', 'CATEGORY', 'COUNTRY'], cells))
    out(line)
  for (const { slug, account_id, owes } of shown)
    for (const { amount, currency } of owes)
      out(`${slug ?? account_id} owes you ${money(amount, currency)} of disputed payments.`)
}

/** What banks have taken for payments of a merchant, and could not be taken back from it. */
function owedBy(
  { account_id }: MerchantRow,
  owed: readonly { merchant_account_id: string; currency: string; amount: bigint }[],
): { amount: number; currency: string }[] {
  return owed
    .filter((one) => one.merchant_account_id === account_id)
    .map(({ amount, currency }) => ({ amount: toWire(amount), currency }))
}

type Confirmable = 'mcc' | 'country'

async function confirm(
  slug: string,
  options: InMode & { mcc?: string | true; country?: string | true },
): Promise<void> {
  const asked = (['mcc', 'country'] as const).filter((field) => options[field] !== undefined)
  if (asked.length === 0) throw new CommandFailure('Say what to confirm: add --mcc, --country, or both.')
  const row = await administer(
    roleConfig(options.state),
    async (admin) => {
      const found = await admin.parts.pools.read(selectMerchantOfSlug({ mode: options.mode, slug }))
      const [merchant] = found
      if (!merchant) throw new CommandFailure(`There is no merchant "${slug}" in ${options.mode} mode.`)
      const tenant = { accountId: merchant.account_id, mode: options.mode }
      await admin.inTenant(tenant, (ctx) =>
        changeMerchant(
          ctx,
          (claimed) =>
            Object.assign({}, ...asked.map((field) => confirmed(claimed, field, options[field], ctx.now))),
          'merchant.confirmed',
        ),
      )
      return readBack(admin, tenant)
    },
    options.as,
  )
  if (options.json) return outJson(render(row))
  for (const field of asked)
    out(`${names[field]} ${row[field]} of ${slug} is confirmed in ${options.mode} mode.`)
}

const names = { mcc: 'Category', country: 'Country' } as const satisfies Record<Confirmable, string>

/** The merchant must still claim what the operator has looked at. */
function confirmed(
  row: MerchantRow,
  field: Confirmable,
  named: string | true | undefined,
  now: Date,
): Partial<MerchantRow> {
  const claimed = row[field]
  if (claimed === null)
    throw new CommandFailure(`${row.slug} claims no ${field}, so there is nothing to confirm.`)
  if (typeof named === 'string' && named !== claimed) {
    throw new CommandFailure(`${row.slug} claims ${field} ${claimed}, not ${named}. Nothing was confirmed.`)
  }
  return field === 'mcc'
    ? { mcc_confirmed: claimed, mcc_confirmed_at: now }
    : { country_confirmed: claimed, country_confirmed_at: now }
}

async function release(given: string, options: Common): Promise<void> {
  const domain = given.toLowerCase()
  const row = await administer(
    roleConfig(options.state),
    async (admin) => {
      if (isSandboxDomain(domain)) throw new CommandFailure(`${domain} is reserved for the sandbox.`)
      const [holder] = await admin.parts.pools.read(selectHeldTestDomain({ domain }))
      if (!holder) throw new CommandFailure(`No account holds the test domain ${domain}.`)
      const tenant = { accountId: holder.account_id, mode: 'test' } as const
      await admin.inTenant(tenant, (ctx) =>
        changeMerchant(
          ctx,
          (held) => {
            if (held.domain !== domain || !holdsTestDomain(held)) {
              throw new CommandFailure(
                `${domain} changed at the same moment, and nothing was released. Try again.`,
              )
            }
            return { domain: null, domain_verified_at: null, test_domain: null }
          },
          'merchant.test_domain_released',
        ),
      )
      return readBack(admin, tenant)
    },
    options.as,
  )
  if (options.json) outJson({ ...render(row), released_domain: domain })
  else out(`${domain} is free now, and ${row.account_id} has no domain in test mode.`)
}

async function readBack(
  admin: Administration,
  { accountId: account_id, mode }: { accountId: Id<'acct'>; mode: Mode },
): Promise<MerchantRow> {
  const [row] = await admin.parts.pools.read(selectMerchantRow({ account_id, mode }))
  if (!row) throw new Error('a merchant that was changed does not exist')
  return row
}

function render(row: MerchantRow) {
  return {
    object: 'merchant' as const,
    account_id: row.account_id,
    mode: row.mode,
    slug: row.slug,
    name: row.name,
    domain: row.domain,
    domain_verified: row.domain_verified_at !== null,
    holds_test_domain: holdsTestDomain(row),
    mcc: row.mcc,
    mcc_confirmed: row.mcc !== null && row.mcc === row.mcc_confirmed,
    mcc_confirmed_at: row.mcc_confirmed_at?.toISOString() ?? null,
    country: row.country,
    country_confirmed: row.country !== null && row.country === row.country_confirmed,
    country_confirmed_at: row.country_confirmed_at?.toISOString() ?? null,
  }
}

/** `kept`: it counts, from before operators had to confirm it. */
function described(value: string | null, isConfirmed: boolean, at: string | null): string {
  if (value === null) return '–'
  if (!isConfirmed) return `${value} claimed`
  return at === null ? `${value} kept` : `${value} confirmed`
}
