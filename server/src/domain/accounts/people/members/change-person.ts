import type { ActingContext } from '../../../../contract/context.ts'
import { Problem } from '../../../../contract/problem.ts'
import type { Role } from '../../../../contract/scopes.ts'
import { lockAccount } from '../../api-keys/public.ts'
import { countOwners, lockMember } from '../people.sql.ts'
import { type MemberRow, type Person, renderPerson } from '../person.ts'
import { changeMember } from './change-member.ts'

/** Who changes or invites somebody: a person by their role, or whoever keeps the machine. */
type ChangedBy = Role | 'operator'

type Change = { readonly role?: Role | null; readonly status?: 'active' | 'suspended' | null }

/** Gives a member of the context's account another role, or suspends them, or lifts that. */
export async function changePerson(
  ctx: ActingContext,
  person_id: string,
  change: Change,
  by: ChangedBy,
): Promise<Person> {
  const { accountId: account_id } = ctx.tenant
  // Two owners who suspend each other at once would leave none.
  await lockAccount(ctx)
  const row = await ctx.tx.maybe(lockMember({ account_id, person_id }))
  if (!row) throw new Problem('not_found', { param: 'person_id' })
  const role = change.role ?? row.role
  const status = change.status ?? row.status
  requireOwner(by, row.role, role)
  if (row.status === 'invited' && status === 'active') throw new Problem('not_active_yet')
  if (isActiveOwner(row) && !isActiveOwner({ role, status })) await requireAnotherOwner(ctx, person_id)
  const withRole =
    role === row.role ? row : { ...row, ...changed(ctx, row, { type: 'person.role_changed', role }) }
  if (status === row.status) return renderPerson(withRole)
  const type = status === 'suspended' ? 'person.suspended' : 'person.reactivated'
  return changeMember(ctx, withRole, { type, status })
}

/** Owners alone make owners: an admin does everything else. */
export function requireOwner(by: ChangedBy, ...touched: readonly Role[]): void {
  // guard owners-make-owners: an admin does not become an owner
  if (touched.includes('owner') && by !== 'owner' && by !== 'operator') throw new Problem('owner_required')
}

function isActiveOwner({ role, status }: Pick<MemberRow, 'role' | 'status'>): boolean {
  return role === 'owner' && status === 'active'
}

async function requireAnotherOwner({ tx, tenant }: ActingContext, without: string): Promise<void> {
  const rest = await tx.maybe(countOwners({ account_id: tenant.accountId, without }))
  // guard last-owner: an account always has somebody who can do everything
  if ((rest?.owners ?? 0) === 0) throw new Problem('last_owner')
}

/** The row after a change, which is written. */
function changed(
  ctx: ActingContext,
  row: MemberRow,
  change: Parameters<typeof changeMember>[2],
): Pick<MemberRow, 'role' | 'seq' | 'updated_at'> {
  changeMember(ctx, row, change)
  return { role: change.role ?? row.role, seq: row.seq + 1, updated_at: ctx.now }
}
