import Type from 'typebox'
import type { ActingPerson, CallContext } from '../../../../contract/context.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { At, Closed, IdParam, Nullable, Text } from '../../../../contract/schemas.ts'
import { checkCreated, optionsToMake } from '../../../../platform/passkeys/passkeys.ts'
import { requirePerson } from '../acting-person.ts'
import { changeMember } from '../members/change-member.ts'
import { lockMemberships } from '../people.sql.ts'
import { keepChallenge, openChallenge } from './challenges.ts'
import { partyOfPeople } from './console-origin.ts'
import { ChallengeId, Credential, Options, sessionOperation } from './sign-in-operation.ts'
import {
  deletePersonPasskey,
  insertPersonPasskey,
  proveSession,
  selectPasskeysOf,
  selectSelf,
} from './sign-ins.sql.ts'

const Passkey = Closed({
  id: Type.String({ description: 'The id of the passkey, as the browser has made it.' }),
  name: Type.String({ description: 'By which the person knows it again.' }),
  created_at: At('When it was added.'),
  used_at: Nullable(At('When it last signed; null if never.')),
})

export const listOwnPasskeys = defineOperation({
  ...sessionOperation,
  id: 'console_list_passkeys',
  method: 'GET',
  path: '/console/v1/passkeys',
  summary: 'List the passkeys of the person',
  responses: { 200: Closed({ data: Type.Array(Passkey, { description: 'The oldest first.' }) }) },
  async handle(ctx) {
    const rows = await ctx.reads.rows(selectPasskeysOf({ person_id: requirePerson(ctx).id }))
    const data = rows.map(({ id, name, created_at, used_at }) => ({
      id,
      name,
      created_at: created_at.toISOString(),
      used_at: used_at?.toISOString() ?? null,
    }))
    return reply(200, { data })
  },
})

export const askForPasskey = defineOperation({
  ...sessionOperation,
  id: 'console_ask_for_passkey',
  method: 'POST',
  path: '/console/v1/passkeys/ask',
  summary: 'Ask the browser to make a passkey',
  body: Closed({}),
  bodyOptional: true,
  responses: {
    201: Closed({ id: ChallengeId, options: Options, expires_at: At('Until when it can be answered.') }),
  },
  async handle(ctx) {
    const { id: person_id, session } = requirePerson(ctx)
    const [self, passkeys] = await Promise.all([
      ctx.reads.maybe(selectSelf({ person_id })),
      ctx.reads.rows(selectPasskeysOf({ person_id })),
    ])
    if (!self) throw new Problem('unauthorized')
    const asked = { party: partyOfPeople(ctx.settings), challenge: ctx.random(32), passkeys }
    const user = Buffer.from(person_id)
    const options = await optionsToMake({ ...asked, user, name: self.email, isFound: true })
    const { id, expiresAt } = keepChallenge(ctx, options, { purpose: 'passkey', session })
    return reply(201, { id, options: { ...options }, expires_at: expiresAt.toISOString() })
  },
})

export const addPasskey = defineOperation({
  ...sessionOperation,
  id: 'console_add_passkey',
  method: 'POST',
  path: '/console/v1/passkeys',
  summary: 'Add a passkey',
  description:
    'The first one is added where the person came by an invitation or a printed link. Each further one is confirmed by one that they have.',
  body: Closed({ id: ChallengeId, credential: Credential, name: Text(100, { description: 'Its name.' }) }),
  responses: { 201: Passkey },
  problems: ['passkey_refused'],
  confirms: (ctx) => termsOfKeeping(ctx, 'passkey_added'),
  async handle(ctx, { body: { id, credential, name } }) {
    const { id: person_id, session } = requirePerson(ctx)
    const challenge = await openChallenge(ctx, id, { purpose: 'passkey', session })
    const asked = { party: partyOfPeople(ctx.settings), challenge: challenge ?? '', credential }
    const made = challenge === null ? null : await checkCreated(asked)
    if (made === null) return new Problem('passkey_refused')
    const row = { ...made, person_id, name, created_at: ctx.now }
    ctx.tx.write(insertPersonPasskey(row))
    ctx.tx.write(proveSession({ hash: session }))
    await tellAll(ctx, person_id, 'person.passkey_added')
    return reply(201, { id: made.id, name, created_at: ctx.now.toISOString(), used_at: null })
  },
})

export const removePasskey = defineOperation({
  ...sessionOperation,
  id: 'console_remove_passkey',
  method: 'DELETE',
  path: '/console/v1/passkeys/{passkey_id}',
  summary: 'Remove a passkey',
  description: 'It is confirmed by a passkey, which may be the same. The last one stays.',
  params: Closed({ passkey_id: IdParam('The passkey.') }),
  responses: { 200: Closed({ removed: Type.Literal(true, { description: 'It opens nothing any more.' }) }) },
  problems: ['not_found', 'last_passkey'],
  confirms: (ctx) => termsOfKeeping(ctx, 'passkey_removed'),
  async handle(ctx, { path: { passkey_id: id } }) {
    const { id: person_id } = requirePerson(ctx)
    await tellAll(ctx, person_id, 'person.passkey_removed')
    const passkeys = await ctx.tx.rows(selectPasskeysOf({ person_id }))
    if (!passkeys.some((one) => one.id === id)) throw new Problem('not_found', { param: 'passkey_id' })
    // guard last-passkey: nobody locks themselves out, and nobody is made to be let in by a link again
    if (passkeys.length === 1) throw new Problem('last_passkey')
    ctx.tx.write(deletePersonPasskey({ person_id, id }))
    return reply(200, { removed: true as const })
  },
})

/** What is shown before a passkey is added or removed; null: it is the first one, which a link lets in. */
async function termsOfKeeping(ctx: CallContext, what: 'passkey_added' | 'passkey_removed') {
  const person = requirePerson(ctx)
  if (what === 'passkey_added' && (await mayAddUnconfirmed(ctx, person))) return null
  return { what }
}

async function mayAddUnconfirmed(ctx: CallContext, person: ActingPerson): Promise<boolean> {
  // guard way-back-in: only who keeps the machine lets somebody in again who has lost their passkey
  if (person.signedInBy === 'printed_link' && !person.isProven) return true
  // Who reads somebody's mail makes no passkey for them
  if (person.signedInBy !== 'invitation') return false
  const [passkeys, self] = await Promise.all([
    ctx.tx.rows(selectPasskeysOf({ person_id: person.id })),
    ctx.tx.maybe(selectSelf({ person_id: person.id })),
  ])
  // guard passkey-of-one-account: who invites somebody makes no passkey that opens another account to them
  const isElsewhere = self?.accounts.some(({ id }) => id !== ctx.tenant.accountId) ?? true
  return passkeys.length === 0 && !isElsewhere
}

/** The locks of the memberships keep two changes of one person's passkeys apart. */
async function tellAll(
  ctx: CallContext,
  person_id: string,
  type: 'person.passkey_added' | 'person.passkey_removed',
): Promise<void> {
  for (const row of await ctx.tx.rows(lockMemberships({ person_id }))) changeMember(ctx, row, { type })
}
