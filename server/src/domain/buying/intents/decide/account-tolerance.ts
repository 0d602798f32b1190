import type { ActingContext } from '../../../../contract/context.ts'
import { accountSettings } from '../../../policies/public.ts'
import { selectAccountState } from './account-state.sql.ts'

/** By how much a price may rise where no policy sets it: the account's tolerance today, whatever an earlier decision allowed. */
export async function accountTolerance({
  tx,
  tenant,
}: Pick<ActingContext, 'tx' | 'tenant'>): Promise<number> {
  const { accountId: account_id, mode } = tenant
  return accountSettings(await tx.maybe(selectAccountState({ account_id, mode }))).tolerancePercent
}
