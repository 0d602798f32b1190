import type { ActingContext } from '../../../../contract/context.ts'
import { Problem } from '../../../../contract/problem.ts'
import type { Role } from '../../../../contract/scopes.ts'
import { lockAccount } from '../../api-keys/public.ts'
import { findOrAddPerson, insertMembership, lockMember } from '../people.sql.ts'
import { type MemberRow, type Person, renderPerson } from '../person.ts'
import { type MadeLink, makeLink } from '../sign-in/make-link.ts'
import { changeMember, emitMember } from './change-member.ts'

type Invitation = {
  readonly email: string
  readonly name: string
  readonly role: Role
  /** The person or operator who invites. */
  readonly by: string
  /** `printed_link`: whoever keeps the machine prints it, for the first owner. */
  readonly kind?: 'invitation' | 'printed_link'
}

type Invited = { readonly person: Person; readonly link: MadeLink }

/** Makes somebody a member of the context's account, and a link by which they sign in for the first time. */
export async function invitePerson(ctx: ActingContext, invitation: Invitation): Promise<Invited> {
  const { accountId: account_id } = ctx.tenant
  await lockAccount(ctx)
  // Addresses that differ in case alone reach one person.
  const email = invitation.email.toLowerCase()
  const made = { locale: 'en', timezone: 'UTC', created_at: ctx.now, updated_at: ctx.now }
  const person = await ctx.tx.maybe(
    findOrAddPerson({ id: ctx.newId('per'), email, name: invitation.name, ...made }),
  )
  if (!person) throw new Error('the person was neither found nor added')
  const kind = invitation.kind ?? 'invitation'
  const link = { personId: person.id, kind, by: invitation.by }
  const known = await ctx.tx.maybe(lockMember({ account_id, person_id: person.id }))
  if (known) {
    // guard invited-once: an invitation changes nothing for somebody who is a member
    if (known.status !== 'invited') throw new Problem('already_a_member', { param: 'email' })
    const isSame = known.role === invitation.role
    const shown = isSame
      ? renderPerson(known)
      : changeMember(ctx, known, { type: 'person.role_changed', role: invitation.role })
    return { person: shown, link: await makeLink(ctx, link) }
  }
  const row: MemberRow = {
    id: person.id,
    email: person.email,
    name: person.name,
    account_id,
    role: invitation.role,
    status: 'invited',
    invited_by: invitation.by,
    seq: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  ctx.tx.write(insertMembership({ ...row, person_id: person.id }))
  return { person: emitMember(ctx, row, { type: 'person.invited' }), link: await makeLink(ctx, link) }
}
