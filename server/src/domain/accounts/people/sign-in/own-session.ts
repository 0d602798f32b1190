import Type from 'typebox'
import type { CallContext } from '../../../../contract/context.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { At, Closed, IdOf, IdParam, OneOf } from '../../../../contract/schemas.ts'
import { sessionCookie } from '../../../../platform/doors/session-cookie.ts'
import { requirePerson } from '../acting-person.ts'
import { RoleSchema } from '../person.ts'
import { sessionOperation } from './sign-in-operation.ts'
import { revokeSessions, selectPasskeysOf, selectSelf, selectSessions } from './sign-ins.sql.ts'

const SignInSchema = OneOf(['passkey', 'invitation', 'printed_link', 'email_link', 'provider'], {
  description: 'How the person signed in.',
})

export const getOwnSession = defineOperation({
  ...sessionOperation,
  id: 'console_get_session',
  method: 'GET',
  path: '/console/v1/session',
  summary: 'Show who has signed in',
  description:
    'With the accounts that they may act in, and what they may do in the one that the request names.',
  responses: {
    200: Closed({
      id: IdOf('per', 'The id of the person.'),
      email: Type.String({ description: 'Their e-mail address.' }),
      name: Type.String({ description: 'Their name.' }),
      signed_in_by: SignInSchema,
      has_passkey: Type.Boolean({ description: 'Whether they have a passkey, with which they confirm.' }),
      role: RoleSchema,
      scopes: Type.Array(Type.String(), { description: 'What they may do in the account.' }),
      accounts: Type.Array(
        Closed({
          id: IdOf('acct', 'The id of the account.'),
          name: Type.String({ description: 'Its name.' }),
          role: RoleSchema,
        }),
        { description: 'Where they may act.' },
      ),
    }),
  },
  async handle(ctx) {
    const { id, signedInBy, role } = requirePerson(ctx)
    const [self, passkeys] = await Promise.all([
      ctx.reads.maybe(selectSelf({ person_id: id })),
      ctx.reads.rows(selectPasskeysOf({ person_id: id })),
    ])
    if (!self) throw new Problem('unauthorized')
    return reply(200, {
      id: self.id,
      email: self.email,
      name: self.name,
      signed_in_by: signedInBy,
      has_passkey: passkeys.length > 0,
      role,
      scopes: [...ctx.scopes].sort(),
      accounts: self.accounts,
    })
  },
})

export const listOwnSessions = defineOperation({
  ...sessionOperation,
  id: 'console_list_sessions',
  method: 'GET',
  path: '/console/v1/sessions',
  summary: 'List the sessions of the person',
  responses: {
    200: Closed({
      data: Type.Array(
        Closed({
          id: IdOf('ses', 'The id of the session.'),
          signed_in_by: SignInSchema,
          browser: Type.String({ description: 'What the browser said that it is.' }),
          is_this: Type.Boolean({ description: 'Whether it is the one that asks.' }),
          created_at: At('When it began.'),
          seen_at: At('When it was last used, to some minutes.'),
        }),
        { description: 'The newest first.' },
      ),
    }),
  },
  async handle(ctx) {
    const { id, session } = requirePerson(ctx)
    const rows = await ctx.reads.rows(selectSessions({ person_id: id }))
    const data = rows.map((row) => ({
      id: row.id,
      signed_in_by: row.signed_in_by,
      browser: row.browser,
      is_this: row.hash.equals(session),
      created_at: row.created_at.toISOString(),
      seen_at: row.seen_at.toISOString(),
    }))
    return reply(200, { data })
  },
})

export const endSession = defineOperation({
  ...sessionOperation,
  id: 'console_end_session',
  method: 'DELETE',
  path: '/console/v1/sessions/{session_id}',
  summary: 'End a session of the person',
  params: Closed({ session_id: IdParam('The session.', 'ses') }),
  responses: { 200: Closed({ ended: Type.Integer({ description: 'How many sessions have ended.' }) }) },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const ended = await end(ctx, { id: path.session_id, besides: null })
    if (ended === 0) throw new Problem('not_found', { param: 'session_id' })
    return reply(200, { ended })
  },
})

export const endOtherSessions = defineOperation({
  ...sessionOperation,
  id: 'console_end_other_sessions',
  method: 'DELETE',
  path: '/console/v1/sessions',
  summary: 'End all other sessions of the person',
  responses: { 200: Closed({ ended: Type.Integer({ description: 'How many sessions have ended.' }) }) },
  async handle(ctx) {
    return reply(200, { ended: await end(ctx, { id: null, besides: requirePerson(ctx).session }) })
  },
})

export const signOut = defineOperation({
  ...sessionOperation,
  id: 'console_sign_out',
  method: 'POST',
  path: '/console/v1/sign_out',
  summary: 'Sign out',
  body: Closed({}),
  bodyOptional: true,
  responses: { 200: Closed({ signed_out: Type.Literal(true, { description: 'The session has ended.' }) }) },
  replyHeaders: { 200: ['Set-Cookie'] },
  async handle(ctx) {
    const { id, session } = requirePerson(ctx)
    const own = (await ctx.tx.rows(selectSessions({ person_id: id }))).find(({ hash }) =>
      hash.equals(session),
    )
    if (own) await end(ctx, { id: own.id, besides: null })
    const headers = { 'Set-Cookie': sessionCookie(ctx.settings.publicUrl, '', 0) }
    return reply(200, { signed_out: true as const }, { headers })
  },
})

async function end(ctx: CallContext, which: { id: string | null; besides: Buffer | null }): Promise<number> {
  const { id: person_id } = requirePerson(ctx)
  return (await ctx.tx.rows(revokeSessions({ person_id, ...which, now: ctx.now }))).length
}
