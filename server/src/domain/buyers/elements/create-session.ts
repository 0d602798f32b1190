import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { At, Closed, Described, IdOf, IdParam, ModeSchema, OneOf } from '../../../contract/schemas.ts'
import { elementHash } from '../../../platform/doors/element-door.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import { readProfile } from '../profiles/public.ts'
import { Component, type ComponentName, rightsOf } from './component.ts'
import { insertSession, selectBootstrap } from './elements.sql.ts'
import { PublishableKey, takePageRates } from './publishable-key.ts'

/** A session that nobody uses ends after this; one that is used goes on until its last moment. */
const sessionMinutes = 15
const sessionMinutesMax = 60

export const createElementSession = defineOperation({
  id: 'elements_create_session',
  method: 'POST',
  path: '/elements/v1/sessions',
  auth: 'element',
  scope: null,
  tag: 'Elements',
  summary: 'Let a component act for a profile',
  description:
    'The frame asks for it. The session is for one component in pages of one origin, and for one profile.',
  surfaces: ['elements'],
  body: Closed({
    publishable_key: PublishableKey,
    bootstrap: Type.String({ minLength: 1, maxLength: 255, description: 'What the page has begun with.' }),
    component: Described(Component, 'The component of the bootstrap.'),
    profile_id: IdParam('The profile that the component acts for.', 'prof'),
  }),
  responses: {
    201: Closed({
      session: Type.String({ description: 'The token of the session, for the memory of the frame alone.' }),
      expires_at: At('When it ends if nobody uses it.'),
      component: Component,
      mode: ModeSchema,
      profile_id: IdOf('prof'),
      may: Type.Array(OneOf(['write', 'read', 'approve'], { description: 'What the component may do.' })),
      vault_url: Type.String({ description: 'Where the frame leaves card numbers.' }),
    }),
  },
  problems: [
    'invalid_publishable_key',
    'capability_missing',
    'session_expired',
    'not_found',
    'profile_archived',
  ],
  forBound: 'refused',
  async handle(ctx, { body }) {
    const vaultUrl = ctx.settings.elements?.vaultUrl ?? null
    if (ctx.keyId === null) throw new Problem('not_found')
    if (vaultUrl === null) throw new Problem('unavailable', { message: noVault })
    await takePageRates(ctx, ctx.keyId)
    const { accountId: account_id, mode } = ctx.tenant
    const { bootstrap, component } = body
    const hash = elementHash(bootstrap)
    const begun = await ctx.reads.maybe(
      selectBootstrap({ account_id, mode, hash, key_id: ctx.keyId, component }),
    )
    // guard session-of-its-bootstrap: a session is for the key, the component and the page that were looked at, and soon after
    if (begun === null) throw new Problem('session_expired')
    const profile = await readProfile(ctx.reads, ctx.tenant, body.profile_id)
    if (!profile) throw new Problem('not_found', { param: 'profile_id' })
    if (profile.status === 'archived') throw new Problem('profile_archived', { param: 'profile_id' })
    const session = newToken(`pr_es_${mode}_`, ctx.random)
    const may = rightsOf(component as ComponentName) // the body's schema has checked it
    const expires_at = new Date(ctx.now.getTime() + sessionMinutes * 60_000)
    ctx.tx.write(
      insertSession({
        account_id,
        mode,
        hash: elementHash(session),
        key_id: ctx.keyId,
        component,
        origin: begun.origin,
        profile_id: profile.id,
        purchase_intent_id: null,
        may,
        created_at: ctx.now,
        expires_at,
        ends_at: new Date(ctx.now.getTime() + sessionMinutesMax * 60_000),
      }),
    )
    const expires = expires_at.toISOString()
    const said = {
      session,
      expires_at: expires,
      component,
      mode,
      profile_id: profile.id,
      may,
      vault_url: vaultUrl,
    }
    return reply(201, said)
  },
})

const noVault =
  'This installation takes no cards: nobody has said where its vault is reached (PROKURA_VAULT_URL).'
