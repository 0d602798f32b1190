import Type from 'typebox'
import type { CallContext } from '../../../../contract/context.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { At, Closed, OneOf } from '../../../../contract/schemas.ts'
import { openSession } from './open-session.ts'
import { browserHeader, signInOperation } from './sign-in-operation.ts'
import { lockLink, selectLink, useLink } from './sign-ins.sql.ts'

const body = Closed({
  token: Type.String({ minLength: 1, maxLength: 255, description: 'What stands behind the # of the link.' }),
})

export const lookAtSignInLink = defineOperation({
  ...signInOperation,
  id: 'console_look_at_sign_in_link',
  path: '/console/v1/sign_in/links/look',
  summary: 'Look at a sign-in link',
  description: 'Says for whom it is, and uses nothing up: programs open links before people do.',
  readOnly: true,
  body,
  responses: {
    200: Closed({
      kind: OneOf(['invitation', 'printed_link', 'email_link'], { description: 'How it came.' }),
      email: Type.String({ description: 'For whom it is.' }),
      account_name: Type.String({ description: 'The account in which it was made.' }),
      expires_at: At('Until when it signs in.'),
    }),
  },
  problems: ['sign_in_failed'],
  async handle(ctx, { body: { token } }) {
    const link = await ctx.reads.maybe(selectLink({ hash: ctx.sealer.hashToken(token) }))
    if (!link) throw new Problem('sign_in_failed')
    const { kind, email, account_name, expires_at } = link
    return reply(200, { kind, email, account_name, expires_at: expires_at.toISOString() })
  },
})

export const signInByLink = defineOperation({
  ...signInOperation,
  id: 'console_sign_in_by_link',
  path: '/console/v1/sign_in/links',
  summary: 'Sign in by a link',
  description: 'The page asks for it when the person presses the button. The link signs nobody in again.',
  headers: browserHeader,
  body,
  responses: {
    201: Closed({ signed_in: Type.Literal(true, { description: 'The browser has a session.' }) }),
  },
  replyHeaders: { 201: ['Set-Cookie'] },
  problems: ['sign_in_failed'],
  async handle(ctx, { headers, body: { token } }) {
    const link = await takeLink(ctx, token)
    const signing = {
      personId: link.person_id,
      by: link.kind,
      accountId: link.account_id,
      browser: headers['user-agent'],
    }
    return reply(201, { signed_in: true as const }, { headers: await openSession(ctx, signing) })
  },
})

async function takeLink(ctx: CallContext, token: string) {
  const hash = ctx.sealer.hashToken(token)
  const link = await ctx.tx.maybe(lockLink({ hash }))
  if (!link) throw new Problem('sign_in_failed')
  ctx.tx.write(useLink({ hash, now: ctx.now }))
  return link
}
