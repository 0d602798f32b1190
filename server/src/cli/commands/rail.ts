import { type Command, Option } from 'commander'
import { formatMoney } from '../../core/money.ts'
import { allowLive } from '../../domain/accounts/live-limits/public.ts'
import { selectIntentTenant } from '../../domain/buying/intents/operated-intents.sql.ts'
import { selectOperatedMerchants } from '../../domain/selling/merchant/operated-merchants.sql.ts'
import { selectUnreadyAccounts, type UnreadyAccount } from '../../domain/selling/payouts/payouts.sql.ts'
import type { Config } from '../../platform/config/config.ts'
import { createEgress } from '../../platform/egress/egress.ts'
import { checkAccount, type Finding } from '../../rails/stripe/check-account.ts'
import { checkIssuing } from '../../rails/stripe/check-issuing.ts'
import { checkTokens } from '../../rails/stripe/check-tokens.ts'
import { openStripeApi } from '../../rails/stripe/stripe-api.ts'
import { CommandFailure } from '../failure.ts'
import { administer } from '../operator/administer.ts'
import { asSomebody } from '../operator/operator.ts'
import { readDatabase } from '../operator/read-database.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson, styled, table } from '../terminal.ts'
import { confirmCardFallback, ofFallback } from './rail-fallback.ts'
import { listLosses } from './rail-losses.ts'
import { defineReconcile } from './rail-reconcile.ts'

type Options = { state?: string; json?: boolean; as?: string; confirmFallback?: 'decline' }

export function defineRail(rail: Command): void {
  asSomebody(common(rail.command('check')))
    .description(
      'Read the account that live mode charges with, and list what it lacks, each with its remedy. Without --confirm-fallback it changes nothing. The exit code is 0 if nothing is lacking.',
    )
    .addOption(
      new Option(
        '--confirm-fallback <answer>',
        'you have seen in the Dashboard (Issuing, settings) what becomes of charges without an answer in time; lets cards be shown again, too',
      ).choices(['decline']),
    )
    .addOption(
      new Option('--mode <mode>', 'live is the only mode with an account').choices(['live']).default('live'),
    )
    .action(check)
  common(rail.command('losses'))
    .description(
      'List what shops have of cards that live mode issued and no buyer has paid: what was taken beyond a limit, for no purchase, or too late.',
    )
    .action(listLosses)
  defineReconcile(common(rail.command('reconcile')))
  common(asSomebody(rail.command('allow')))
    .description(
      'Let a purchase of live mode pass the limit of the day (PROKURA_LIVE_CAP_DAILY). A person still has to approve it; the rows of the limit name you.',
    )
    .argument('<purchase>', 'the id of the purchase intent')
    .action(allow)
}

function common(command: Command): Command {
  return command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
}

const callMs = 15_000

async function check(options: Options): Promise<void> {
  const config = roleConfig(options.state)
  if (options.confirmFallback === 'decline') await confirmCardFallback(config, options.as)
  const findings = [
    ...ofSettings(config),
    ...(await ofAccount(config)),
    ...(await ofFallback(config)),
    ...(await ofMerchants(config)),
  ]
  const lacks = findings.filter(({ state }) => state === 'lacks')
  if (options.json) outJson({ object: 'rail_check', mode: 'live', findings, lacks: lacks.length })
  else tell(findings, lacks.length)
  if (lacks.length > 0) process.exitCode = 1
}

function tell(findings: readonly Finding[], lacking: number): void {
  const marks = {
    ok: styled('green', 'ok'),
    lacks: styled('red', 'lacks'),
    unknown: styled('yellow', 'unknown'),
    waits: styled('yellow', 'waits'),
  }
  for (const line of table(
    ['', 'WHAT', 'SAYS'],
    findings.map(({ what, state, says }) => [marks[state], what, says]),
  ))
    out(line)
  out('')
  out(
    lacking === 0
      ? 'Nothing is lacking that can be seen from here. docs/live.md says what only a first purchase shows.'
      : `Live mode lacks ${lacking} ${lacking === 1 ? 'thing' : 'things'}.`,
  )
}

/** What the settings alone show. They are read without their contradictions: those stop a process with words of their own. */
function ofSettings({ liveRail, publicUrl, liveCapDaily, stripe }: Config): Finding[] {
  const isReached = publicUrl?.startsWith('https://') === true
  const caps = [...liveCapDaily].map(([currency, cap]) => formatMoney(cap, currency))
  return [
    liveRail === 'stripe'
      ? { what: 'rail', state: 'ok', says: 'PROKURA_LIVE_RAIL is stripe.' }
      : {
          what: 'rail',
          state: 'lacks',
          says: 'Set PROKURA_LIVE_RAIL=stripe. Without it live mode charges nobody.',
        },
    caps.length > 0
      ? { what: 'limit of a day', state: 'ok', says: `${caps.join(', ')}, for all accounts together.` }
      : { what: 'limit of a day', state: 'lacks', says: 'Set PROKURA_LIVE_CAP_DAILY, such as "500.00 USD".' },
    isReached
      ? { what: 'address', state: 'ok', says: `People come back from their bank to ${publicUrl}.` }
      : {
          what: 'address',
          state: 'lacks',
          says: 'Set PROKURA_PUBLIC_URL to the https address at which people reach the API.',
        },
    ...(stripe.live
      ? []
      : [
          {
            what: 'key',
            state: 'lacks',
            says: 'Set PROKURA_STRIPE_SECRET_KEY to a restricted live key (rk_live_…) of your account at Stripe.',
          } as const,
        ]),
  ]
}

async function ofAccount({
  stripe,
  tokenIssuers,
  authorizationSecrets,
}: Config): Promise<readonly Finding[]> {
  if (!stripe.live) return []
  const egress = createEgress({
    allowLoopback: () => false,
    trustedOrigins: [new URL(stripe.live.url).origin],
  })
  try {
    const [api, call] = [
      openStripeApi({ ...stripe.live, egress }),
      { mode: 'live', timeoutMs: callMs } as const,
    ]
    const { cardholder } = stripe.live
    const isAnswering = authorizationSecrets.live !== undefined
    const account = await checkAccount(api, call)
    // What is wrong with the key is said once.
    if (account.some(({ what, state }) => what === 'key' && state === 'lacks')) return account
    const isOn = tokenIssuers.live !== undefined
    return [
      ...account,
      ...(await checkIssuing(api, { cardholder, isAnswering }, call)),
      ...(await checkTokens(api, { isOn }, call)),
    ]
  } finally {
    await egress.close()
  }
}

/** The merchants whose account may not be charged. They sell nothing meanwhile, and all others do. */
async function ofMerchants(config: Config): Promise<readonly Finding[]> {
  const what = 'payout accounts'
  try {
    return await readDatabase(config, async ({ pools }) => {
      const unready = await pools.read(selectUnreadyAccounts({ mode: 'live' }))
      if (unready.length === 0) return []
      const merchants = await pools.read(selectOperatedMerchants({ mode: 'live', only_unconfirmed: false }))
      const slugs = new Map(merchants.map(({ account_id, slug }) => [account_id, slug]))
      return unready.map((one) => ({
        what: `paid: ${slugs.get(one.account_id) ?? one.account_id}`,
        state: 'waits' as const,
        says: describeUnready(one),
      }))
    })
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return [
      {
        what,
        state: 'unknown',
        says: 'The database with the merchants was not read, so who is paid is not known.',
      },
    ]
  }
}

function describeUnready({ id, requirements_due: due, is_read: isRead }: UnreadyAccount): string {
  if (!isRead) return `${id} was not read at Stripe yet. A worker does that within a minute.`
  const wanted =
    due.length === 0 ? 'Stripe looks at it, or knows no such account' : `Stripe still wants ${due.join(', ')}`
  return `${id} may not be charged: ${wanted}. Send the merchant a link: prokura merchants payout SLUG --link.`
}

async function allow(id: string, options: Options): Promise<void> {
  const said = await administer(
    roleConfig(options.state),
    async ({ parts, inTenant, operator }) => {
      const [intent] = await parts.pools.read(selectIntentTenant({ id }))
      if (!intent) throw new CommandFailure(`There is no purchase intent ${id} in this database.`)
      if (intent.mode !== 'live')
        throw new CommandFailure(`${id} is of test mode, which has no limit of a day. Nothing was changed.`)
      if (intent.status !== 'awaiting_approval')
        throw new CommandFailure(
          `${id} is ${intent.status}, so nobody can approve it any more. Nothing was changed.`,
        )
      const tenant = { accountId: intent.account_id, mode: intent.mode }
      await inTenant(tenant, async (ctx) => allowLive(ctx, { intentId: intent.id, by: operator }))
      return { ...intent, operator }
    },
    options.as,
  )
  const { account_id, currency, max_allowed_amount: cap, operator } = said
  if (options.json)
    outJson({
      purchase_intent_id: id,
      account_id,
      currency_code: currency,
      max_allowed_amount: Number(cap),
      allowed_by: operator,
    })
  else
    out(
      `${id}, at most ${formatMoney(cap, currency)}, may pass the limit of the day. A person approves it as before.`,
    )
}
