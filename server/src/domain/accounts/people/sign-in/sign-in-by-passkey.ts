import Type from 'typebox'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { At, Closed } from '../../../../contract/schemas.ts'
import { checkUsed, optionsToUse } from '../../../../platform/passkeys/passkeys.ts'
import { keepChallenge, openChallenge } from './challenges.ts'
import { partyOfPeople } from './console-origin.ts'
import { openSession } from './open-session.ts'
import { browserHeader, ChallengeId, Credential, Options, signInOperation } from './sign-in-operation.ts'
import { selectPasskey, usePersonPasskey } from './sign-ins.sql.ts'

export const askToSignIn = defineOperation({
  ...signInOperation,
  id: 'console_ask_to_sign_in',
  path: '/console/v1/sign_in/passkeys/ask',
  summary: 'Ask the browser to sign in by a passkey',
  // Nobody says who they are before their passkey does, so there is no address to guess.
  description: 'Any passkey of this host will do: it says whose it is.',
  body: Closed({}),
  bodyOptional: true,
  responses: {
    201: Closed({ id: ChallengeId, options: Options, expires_at: At('Until when it can be answered.') }),
  },
  async handle(ctx) {
    const party = partyOfPeople(ctx.settings)
    const options = await optionsToUse({ party, challenge: ctx.random(32), passkeys: [] })
    const { id, expiresAt } = keepChallenge(ctx, options, { purpose: 'sign_in', session: null })
    return reply(201, { id, options: { ...options }, expires_at: expiresAt.toISOString() })
  },
})

export const signInByPasskey = defineOperation({
  ...signInOperation,
  id: 'console_sign_in_by_passkey',
  path: '/console/v1/sign_in/passkeys',
  summary: 'Sign in by a passkey',
  headers: browserHeader,
  body: Closed({ id: ChallengeId, credential: Credential }),
  responses: {
    201: Closed({ signed_in: Type.Literal(true, { description: 'The browser has a session.' }) }),
  },
  replyHeaders: { 201: ['Set-Cookie'] },
  problems: ['sign_in_failed'],
  async handle(ctx, { headers, body: { id, credential } }) {
    const challenge = await openChallenge(ctx, id, { purpose: 'sign_in', session: null })
    const named = typeof credential.id === 'string' ? credential.id : ''
    const passkey = await ctx.tx.maybe(selectPasskey({ id: named }))
    const asked = { party: partyOfPeople(ctx.settings), challenge: challenge ?? '', credential }
    const used = await checkUsed(asked, challenge !== null && passkey ? [passkey] : [])
    // Returned, so that what was signed is used up.
    if (used === null) return new Problem('sign_in_failed')
    const { person_id } = used.passkey
    ctx.tx.write(usePersonPasskey({ id: named, counter: used.counter, now: ctx.now }))
    const signing = {
      personId: person_id,
      by: 'passkey',
      accountId: null,
      browser: headers['user-agent'],
    } as const
    return reply(201, { signed_in: true as const }, { headers: await openSession(ctx, signing) })
  },
})
