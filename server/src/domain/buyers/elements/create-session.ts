import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, Described } from '../../../contract/schemas.ts'
import { elementHash } from '../../../platform/doors/element-door.ts'
import { given, Ruled, says, whenThen } from '../../../schema/rules.ts'
import { Component, type ComponentName, rightsOf } from './component.ts'
import { claimClientSecret, selectBootstrap, selectHasBought } from './elements.sql.ts'
import { openSession, sessionFields } from './open-session.ts'
import { PublishableKey, takePageRates } from './publishable-key.ts'
import { findSubject, type Subject, subjectClause, subjectFields, subjectRules } from './subject.ts'

export const createElementSession = defineOperation({
  id: 'elements_create_session',
  method: 'POST',
  path: '/elements/v1/sessions',
  auth: 'element',
  scope: null,
  tag: 'Elements',
  summary: 'Let a component act for a profile',
  description:
    'The frame asks for it. The session is for one component in pages of one origin, and for one profile or purchase.',
  surfaces: ['elements'],
  body: Ruled(
    Closed({
      publishable_key: PublishableKey,
      bootstrap: Type.String({ minLength: 1, maxLength: 255, description: 'What the page has begun with.' }),
      component: Described(Component, 'The component of the bootstrap.'),
      ...subjectFields,
      client_secret: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'What the server of the page asked for.' }),
      ),
    }),
    subjectRules,
    [
      subjectClause,
      whenThen(says('component', 'AddPaymentMethod'), given('profile_id')),
      whenThen(says('component', 'MerchantAuthHandoff'), given('purchase_intent_id')),
    ],
  ),
  responses: {
    201: Closed({
      ...sessionFields,
      component: Component,
    }),
  },
  problems: [
    'invalid_publishable_key',
    'capability_missing',
    'session_expired',
    'client_secret_invalid',
    'not_found',
    'profile_archived',
    'component_not_applicable',
  ],
  forBound: 'refused',
  async handle(ctx, { body }) {
    if (ctx.keyId === null) throw new Problem('not_found')
    await takePageRates(ctx, ctx.keyId)
    const { accountId: account_id, mode } = ctx.tenant
    const component = body.component as ComponentName // the body's schema has checked it
    const begunBy = elementHash(body.bootstrap)
    const begun = await ctx.reads.maybe(
      selectBootstrap({ account_id, mode, hash: begunBy, key_id: ctx.keyId, component }),
    )
    // guard session-of-its-bootstrap: a session is for the key, the component and the page that were looked at, and soon after
    if (begun === null) throw new Problem('session_expired')
    const { profileId, intentId } = await findSubject(ctx, body, component)
    const isKnown =
      body.client_secret !== undefined &&
      (await useClientSecret(ctx, { secret: body.client_secret, component, profileId, intentId, begunBy }))
    const opened = openSession(ctx, {
      component,
      keyId: ctx.keyId,
      origin: begun.origin,
      profileId,
      intentId,
      may: rightsOf(component, !isKnown && (begun.client_secrets === 'required' || (await isNewInLive(ctx)))),
      // guard session-with-its-secret: a page that has copied a key opens no session that its server asked for
      isVouched: isKnown,
      answers: null,
    })
    return reply(201, opened)
  },
})

/** Until so many purchases of the account have succeeded in live mode, each of its pages needs a client secret to show cards. */
const provenPurchases = 10

async function isNewInLive(ctx: CallContext): Promise<boolean> {
  const { accountId: account_id, mode } = ctx.tenant
  if (mode !== 'live') return false
  const found = await ctx.reads.maybe(selectHasBought({ account_id, mode, purchases: provenPurchases }))
  // guard first-live-purchases: who has copied the key of a new integrator sees nobody's cards
  return found?.has_bought !== true
}

type Secret = Subject & { secret: string; component: ComponentName; begunBy: Buffer }

/** The first page that uses a secret keeps it; whoever reads it there gets nothing for it elsewhere. */
async function useClientSecret(
  ctx: CallContext,
  { secret, component, begunBy, ...of }: Secret,
): Promise<true> {
  const { accountId: account_id, mode } = ctx.tenant
  const used = await ctx.tx.maybe(
    claimClientSecret({
      account_id,
      mode,
      hash: elementHash(secret),
      component,
      profile_id: of.profileId,
      purchase_intent_id: of.intentId,
      bootstrap_hash: begunBy,
    }),
  )
  if (used === null) throw new Problem('client_secret_invalid')
  return true
}
