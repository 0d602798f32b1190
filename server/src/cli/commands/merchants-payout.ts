import { type Command, Option } from 'commander'
import { confirmedPath } from '../../contract/confirmed-path.ts'
import { selectMerchantOfSlug } from '../../domain/selling/merchant/operated-merchants.sql.ts'
import { noteLink, openLink, type Payout, setPayout } from '../../domain/selling/payouts/public.ts'
import { createReads } from '../../platform/calls/reads.ts'
import type { Config } from '../../platform/config/config.ts'
import { CommandFailure } from '../failure.ts'
import { openPayoutAccounts } from '../open-payout-accounts.ts'
import { type Administration, administer } from '../operator/administer.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson } from '../terminal.ts'

type Decided = { account?: string; operator?: boolean; nobody?: boolean; link?: boolean }
type Options = Decided & { state?: string; json?: boolean; as?: string }

export function definePayout(command: Command): void {
  const only = (flags: string, words: string, others: string[]) => new Option(flags, words).conflicts(others)
  command
    .description(
      'Decide who is paid for what a merchant sells in live mode, or print the link by which it has itself paid. ' +
        'Until it is decided, or its account may be charged, nothing is held for it.',
    )
    .argument('<slug>')
    .addOption(
      only('--account <id>', "the merchant's account at the payment rail, such as acct_1Example", [
        'operator',
        'nobody',
        'link',
      ]),
    )
    .addOption(
      only('--operator', 'you are paid, and are the merchant of record', ['account', 'nobody', 'link']),
    )
    .addOption(
      only('--nobody', 'the merchant sells nothing more in live mode', ['account', 'operator', 'link']),
    )
    .option('--link', 'print the page on which the merchant tells the payment rail who it is; it opens once')
    .action(payout)
}

async function payout(slug: string, options: Options): Promise<void> {
  const decided = options.link ? null : payoutIn(options)
  const config = roleConfig(options.state)
  await administer(
    config,
    async (admin) => {
      const mode = 'live'
      const [merchant] = await admin.parts.pools.read(selectMerchantOfSlug({ mode, slug }))
      if (!merchant) throw new CommandFailure(`There is no merchant "${slug}" in live mode.`)
      const tenant = { accountId: merchant.account_id, mode } as const
      if (decided === null) return await printLink(admin, { config, tenant, slug, isJson: options.json })
      await admin.inTenant(tenant, async (ctx) => setPayout(ctx, decided, admin.operator))
      if (options.json) outJson({ slug, mode, payout: decided })
      else out(`${wordsOf(decided, slug)}`)
    },
    options.as,
  )
}

function wordsOf(decided: Payout, slug: string): string {
  if (decided.to === 'account') return `What ${slug} sells in live mode is paid to ${decided.account}.`
  return decided.to === 'operator'
    ? `What ${slug} sells in live mode is paid to you.`
    : `${slug} sells nothing more in live mode.`
}

function payoutIn({ account, operator, nobody }: Decided): Payout {
  if (account !== undefined) {
    if (!/^acct_\w{1,60}$/.test(account))
      throw new CommandFailure(`"${account}" is no account at the payment rail: it begins with acct_.`)
    return { to: 'account', account }
  }
  if (operator) return { to: 'operator' }
  if (nobody) return { to: 'nobody' }
  throw new CommandFailure('Say who is paid: add --account, --operator or --nobody. Or print a link: --link.')
}

type Linking = {
  config: Config
  tenant: Parameters<Administration['inTenant']>[0]
  slug: string
  isJson: boolean | undefined
}

/** As v1_create_payout_account_link gives it to the merchant, with a page of ours to come back to. */
async function printLink(
  { parts, inTenant }: Administration,
  { config, tenant, slug, isJson }: Linking,
): Promise<void> {
  if (config.publicUrl === null)
    throw new CommandFailure(
      'Set PROKURA_PUBLIC_URL: people come back to it from the page of the payment rail.',
    )
  const { accounts, close } = openPayoutAccounts(config)
  try {
    if (!accounts.modes.includes(tenant.mode))
      throw new CommandFailure(
        'Live mode has no payment rail here. `prokura rail check` says what is lacking.',
      )
    const back = new URL(confirmedPath, config.publicUrl).href
    const reads = createReads(parts.pools)
    const link = await openLink({ reads, tenant }, accounts, { returnUrl: back, refreshUrl: back })
    if (link.kind === 'unknown_account')
      throw new CommandFailure(
        `The payment rail does not know the account of ${slug}. Name another one: --account.`,
      )
    if (link.kind === 'away') throw new CommandFailure('The payment rail did not answer. Try again.')
    await inTenant(tenant, async (ctx) => ctx.tx.write(noteLink(ctx, link.account)))
    const expires_at = link.expiresAt.toISOString()
    if (isJson)
      outJson({ object: 'payout_account_link', slug, account: link.account, url: link.url, expires_at })
    else
      out(
        `${link.url}\nIt opens once, until ${expires_at}. Send it to ${slug}: its account is ${link.account}.`,
      )
  } finally {
    await close()
  }
}
