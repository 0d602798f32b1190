import type { CallContext, SignIn } from '../../../../contract/context.ts'
import { Problem } from '../../../../contract/problem.ts'
import type { Id } from '../../../../core/id.ts'
import { sessionCookie } from '../../../../platform/doors/session-cookie.ts'
import { newToken } from '../../../../platform/secrets/keyed-hash.ts'
import { changeMember } from '../members/change-member.ts'
import { lockMemberships } from '../people.sql.ts'
import { insertSession } from './sign-ins.sql.ts'

const dayMs = 86_400_000
/** However much it is used. */
const sessionDays = 14

type Signing = {
  readonly personId: Id<'per'>
  readonly by: SignIn
  /** Of a link: the account that made it. */
  readonly accountId: Id<'acct'> | null
  readonly browser: string | undefined
}

/** Signs a person in; answers the headers that give the browser its session. Throws where they may act nowhere. */
export async function openSession(
  ctx: CallContext,
  { personId, by, accountId, browser = '' }: Signing,
): Promise<{ 'Set-Cookie': string }> {
  const memberships = await ctx.tx.rows(lockMemberships({ person_id: personId }))
  const acting = memberships.filter(({ account_id, status }) =>
    accountId === null ? status === 'active' : account_id === accountId && status !== 'suspended',
  )
  // guard suspended-people: somebody who is suspended signs in nowhere
  if (acting.length === 0) throw new Problem('sign_in_failed')
  // Who only reads somebody's mail does not take up an invitation
  const accepts = by !== 'email_link'
  for (const row of acting)
    changeMember(ctx, row, {
      type: 'person.signed_in',
      // Until now nobody has called.
      actor: { type: 'person', id: row.id },
      ...(accepts ? { status: 'active' } : {}),
    })
  const token = newToken('pr_ps_', ctx.random)
  ctx.tx.write(
    insertSession({
      hash: ctx.sealer.hashToken(token),
      id: ctx.newId('ses'),
      person_id: personId,
      signed_in_by: by,
      account_id: accountId,
      // guard link-is-no-proof: what was sent or printed shows who reads it, not who decides
      is_proven: by === 'passkey' || by === 'provider',
      browser: browser.slice(0, 255),
      created_at: ctx.now,
      seen_at: ctx.now,
      ends_at: new Date(ctx.now.getTime() + sessionDays * dayMs),
    }),
  )
  return { 'Set-Cookie': sessionCookie(ctx.settings.publicUrl, token, sessionDays * 86_400) }
}
