import { confirmRequest } from '../../../../contract/confirm-request.ts'
import type { CallContext } from '../../../../contract/context.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { Changes, Closed, IdParam, OneOf } from '../../../../contract/schemas.ts'
import { lockAccount } from '../../api-keys/public.ts'
import { requirePerson } from '../acting-person.ts'
import { countOwners, lockMember } from '../people.sql.ts'
import { type MemberRow, Person, RoleSchema, renderPerson } from '../person.ts'
import { changeMember } from './change-member.ts'
import { onlyPeople, requireOwnerFor } from './create-person.ts'

export const updatePerson = defineOperation({
  id: 'v1_update_person',
  method: 'POST',
  path: '/v1/people/{person_id}',
  auth: 'secret',
  scope: 'people:write',
  withoutScope: onlyPeople,
  surfaces: ['v1'],
  forBound: 'refused',
  tag: 'People',
  summary: 'Change what a person may do',
  description:
    'Gives them another role, or suspends them: their sessions open nothing of this account from then on. The last owner stays one.',
  params: Closed({ person_id: IdParam('The person.', 'per') }),
  body: Changes({
    role: RoleSchema,
    status: OneOf(['active', 'suspended'], { description: 'Whether they may act.' }),
  }),
  examples: { suspend: { summary: 'Suspend a person', body: { status: 'suspended' } } },
  responses: { 200: Person },
  problems: ['not_found', 'owner_required', 'last_owner', 'not_active_yet'],
  confirms: confirmRequest('person_changed'),
  async handle(ctx, { path, body }) {
    return reply(200, await changePerson(ctx, path.person_id, body))
  },
})

type Change = { readonly role?: MemberRow['role'] | null; readonly status?: 'active' | 'suspended' | null }

async function changePerson(ctx: CallContext, person_id: string, change: Change): Promise<Person> {
  requirePerson(ctx)
  const { accountId: account_id } = ctx.tenant
  // Two owners who suspend each other at once would leave none.
  await lockAccount(ctx)
  const row = await ctx.tx.maybe(lockMember({ account_id, person_id }))
  if (!row) throw new Problem('not_found', { param: 'person_id' })
  const role = change.role ?? row.role
  const status = change.status ?? row.status
  requireOwnerFor(ctx, row.role, role)
  if (row.status === 'invited' && status === 'active') throw new Problem('not_active_yet')
  const isOwnerGone =
    row.role === 'owner' && row.status === 'active' && (role !== 'owner' || status !== 'active')
  if (isOwnerGone) {
    const rest = await ctx.tx.maybe(countOwners({ account_id, without: person_id }))
    // guard last-owner: an account always has somebody who can do everything
    if ((rest?.owners ?? 0) === 0) throw new Problem('last_owner')
  }
  let current = row
  let shown = renderPerson(row)
  if (role !== row.role) {
    shown = changeMember(ctx, current, { type: 'person.role_changed', role })
    current = { ...current, role, seq: current.seq + 1 }
  }
  if (status !== row.status) {
    const type = status === 'suspended' ? 'person.suspended' : 'person.reactivated'
    shown = changeMember(ctx, current, { type, status })
  }
  return shown
}
