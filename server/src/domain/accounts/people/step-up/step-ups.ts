import { hash } from 'node:crypto'
import type { CallContext } from '../../../../contract/context.ts'
import { Problem } from '../../../../contract/problem.ts'
import type { StepUps } from '../../../../platform/calls/confirm.ts'
import { checkUsed, optionsToUse } from '../../../../platform/passkeys/passkeys.ts'
import { isObject } from '../../../../schema/schema-node.ts'
import { parseJson } from '../../../../schema/strict-json.ts'
import { requirePerson } from '../acting-person.ts'
import { keepChallenge, openChallenge, readChallenge } from '../sign-in/challenges.ts'
import { partyOfPeople } from '../sign-in/console-origin.ts'
import { lockActing, selectPasskeysOf, usePersonPasskey } from '../sign-in/sign-ins.sql.ts'

/** A person confirms a call by a passkey: the question is of the session, the call and the terms, and is answered once. */
export const stepUps: StepUps = {
  async ask(ctx, { digest, terms }) {
    const { id: person_id, session } = requirePerson(ctx)
    const passkeys = await ctx.reads.rows(selectPasskeysOf({ person_id }))
    if (passkeys.length === 0) return new Problem('passkey_required')
    const options = await optionsToUse({
      party: partyOfPeople(ctx.settings),
      challenge: challengeOf(ctx, digest),
      passkeys,
    })
    const { id, expiresAt } = keepChallenge(ctx, options, { purpose: 'step_up', session, digest })
    const step_up = { id, terms, options, expires_at: expiresAt.toISOString() }
    return new Problem('step_up_required', { extra: { step_up } })
  },
  async check(ctx, { digest }, answer) {
    const given = readAnswer(answer)
    if (given === null) return null
    const { id: person_id, session } = requirePerson(ctx)
    const of = { purpose: 'step_up', session, digest } as const
    const [challenge, passkeys] = await Promise.all([
      readChallenge(ctx, given.id, of),
      ctx.reads.rows(selectPasskeysOf({ person_id })),
    ])
    if (challenge === null) return null
    const asked = { party: partyOfPeople(ctx.settings), challenge, credential: given.credential }
    const used = await checkUsed(asked, passkeys)
    if (used === null) return null
    return async () => {
      const acting = await ctx.tx.maybe(lockActing({ account_id: ctx.tenant.accountId, person_id, session }))
      // Nobody decides who was suspended or signed out meanwhile
      if (!acting) throw new Problem('unauthorized')
      // guard signed-once: of two calls with one signature one is made
      if ((await openChallenge(ctx, given.id, of)) === null) throw new Problem('conflict')
      ctx.tx.write(usePersonPasskey({ id: used.passkey.id, counter: used.counter, now: ctx.now }))
    }
  },
}

/** Of random bytes of ours and of what is confirmed, so that what is signed is this and nothing else. */
function challengeOf({ random }: Pick<CallContext, 'random'>, digest: Buffer): Uint8Array {
  return hash('sha256', Buffer.concat([random(32), digest]), 'buffer')
}

type Given = { readonly id: string; readonly credential: Readonly<Record<string, unknown>> }

/** The header: base64url of JSON with the id of the question and what the browser has signed. */
function readAnswer(answer: string): Given | null {
  const parsed = parseJson(Buffer.from(answer, 'base64url'))
  const value: unknown = parsed.ok ? parsed.value : null
  if (!isObject(value)) return null
  const { id, credential } = value
  return typeof id === 'string' && isObject(credential) ? { id, credential } : null
}
