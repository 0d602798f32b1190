import type { ActingContext } from '../../../contract/context.ts'
import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import type { merchantRecords } from '../merchant/public.ts'
import { type ClaimedAccount, claimPayoutAccounts, settlePayoutAccount } from './payouts.sql.ts'
import type { AccountState, PayoutAccounts } from './port.ts'

type Records = ReturnType<typeof merchantRecords>

const callMs = 8_000

/** Somebody may be at the page of the rail for so long; then their account is looked at each minute. */
const atThePageHours = 2

/** How often the rail is asked about an account: never by its people, who would say that they are ready. */
const atThePageSeconds = 60
const waitingSeconds = 3_600
const readySeconds = 21_600

const closed: AccountState = { chargesEnabled: false, payoutsEnabled: false, requirementsDue: [] }

/** Asks the rail about the accounts of merchants when they are due. A look can be made twice without harm. */
export function payoutWork(accounts: PayoutAccounts, records: Records): WorkKind<ClaimedAccount> {
  const { modes } = accounts
  return {
    kind: 'payout_accounts',
    leaseSeconds: 30,
    concurrency: 4,
    pollMs: 5_000,
    serves: modes.map((mode) => ({ mode })),
    claim: (turn) => claimPayoutAccounts({ ...turn, modes }),
    ...leaseStatements('payout_accounts', { endLease: true }),
    async step(ctx, claimed) {
      const said = await accounts.read(claimed.id, { mode: claimed.mode, timeoutMs: callMs })
      // It is asked again, and is as it was until then.
      if (said.kind === 'away')
        throw new Error('the payment rail says nothing about the account of a merchant')
      const state = said.kind === 'read' ? said.state : closed
      await ctx.transaction((acting) => settle(acting, records, { claimed, state }))
    },
  }
}

async function settle(
  ctx: ActingContext,
  records: Records,
  { claimed, state }: { claimed: ClaimedAccount; state: AccountState },
): Promise<void> {
  const { account_id, mode, id, lease_token } = claimed
  const { chargesEnabled, payoutsEnabled, requirementsDue } = state
  const write = settlePayoutAccount({
    account_id,
    mode,
    id,
    lease_token,
    charges_enabled: chargesEnabled,
    payouts_enabled: payoutsEnabled,
    requirements_due: requirementsDue,
    due_at: new Date(ctx.now.getTime() + secondsToNext(claimed, state, ctx.now) * 1000),
    now: ctx.now,
  })
  if (!hasChanged(claimed, state)) {
    expectHeld(await ctx.tx.rows(write))
    return
  }
  const written = async () => {
    expectHeld(await ctx.tx.rows(write))
    return {}
  }
  await records.change(ctx, written, 'merchant.updated')
}

/** When the rail is asked next. */
export function secondsToNext(
  { linked_at: linkedAt }: Pick<ClaimedAccount, 'linked_at'>,
  { chargesEnabled }: Pick<AccountState, 'chargesEnabled'>,
  now: Date,
): number {
  if (chargesEnabled) return readySeconds
  const isAtThePage = linkedAt !== null && now.getTime() - linkedAt.getTime() < atThePageHours * 3_600_000
  return isAtThePage ? atThePageSeconds : waitingSeconds
}

function hasChanged(
  before: ClaimedAccount,
  { chargesEnabled, payoutsEnabled, requirementsDue }: AccountState,
): boolean {
  return (
    before.charges_enabled !== chargesEnabled ||
    before.payouts_enabled !== payoutsEnabled ||
    before.requirements_due.join() !== requirementsDue.join()
  )
}
