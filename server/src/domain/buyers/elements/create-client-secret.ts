import Type from 'typebox'
import { exampleId } from '../../../contract/examples.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { At, Closed } from '../../../contract/schemas.ts'
import { elementHash } from '../../../platform/doors/element-door.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import { given, Ruled, whenThen } from '../../../schema/rules.ts'
import { Component } from './component.ts'
import { insertClientSecret } from './elements.sql.ts'
import { findSubject, subjectClause, subjectFields, subjectRules } from './subject.ts'

const secretMinutes = 15

export const createElementClientSecret = defineOperation({
  id: 'v1_create_element_client_secret',
  method: 'POST',
  path: '/v1/elements/client_secrets',
  auth: 'secret',
  scope: 'payment_methods:write',
  tag: 'Elements',
  summary: 'Create a client secret for a page of yours',
  description:
    'Lets the page list and prove cards in a component. Pass the secret to it. The first page that uses it keeps it, for 15 minutes. Only this answer shows it.',
  // A person's page asks for it by its own server; to an agent it would be a way to that person's cards.
  surfaces: ['v1'],
  forBound: 'refused',
  body: Ruled(
    Closed({
      ...subjectFields,
      components: Type.Array(Component, {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        description: 'The components that may use it.',
      }),
    }),
    subjectRules,
    [
      subjectClause,
      whenThen(
        { properties: { components: { contains: { const: 'AddPaymentMethod' } } } },
        given('profile_id'),
      ),
      whenThen(
        { properties: { components: { contains: { const: 'MerchantAuthHandoff' } } } },
        given('purchase_intent_id'),
      ),
    ],
  ),
  examples: {
    profile: {
      summary: 'For a page on which a person chooses a card',
      body: { profile_id: exampleId('prof'), components: ['AddOrSelectPaymentMethod'] },
    },
  },
  responses: {
    201: Closed({
      client_secret: Type.String({ description: 'For the page, which passes it to the component.' }),
      expires_at: At('When it ends.'),
    }),
  },
  problems: ['not_found', 'profile_archived', 'component_not_applicable'],
  async handle(ctx, { body }) {
    const [first, ...others] = body.components
    if (first === undefined) throw new Error('a list of at least one was empty')
    const subject = await findSubject(ctx, body, first)
    for (const component of others) await findSubject(ctx, body, component)
    const { accountId: account_id, mode } = ctx.tenant
    const secret = newToken(`pr_cs_${mode}_`, ctx.random)
    const expires_at = new Date(ctx.now.getTime() + secretMinutes * 60_000)
    ctx.tx.write(
      insertClientSecret({
        account_id,
        mode,
        hash: elementHash(secret),
        profile_id: subject.profileId,
        purchase_intent_id: subject.intentId,
        components: body.components,
        bootstrap_hash: null,
        created_at: ctx.now,
        expires_at,
      }),
    )
    const said = { client_secret: secret, expires_at: expires_at.toISOString() }
    return reply(201, { ...said, client_secret: '' }, { reveal: said })
  },
})
