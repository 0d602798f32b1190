import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { At, Closed, Described } from '../../../contract/schemas.ts'
import { elementHash } from '../../../platform/doors/element-door.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import { Component } from './component.ts'
import { insertBootstrap } from './elements.sql.ts'
import { PublishableKey, takePageRates } from './publishable-key.ts'

/** How long a page has until its frame asks for a session. A reload of the frame uses the same one again. */
const bootstrapMinutes = 5

export const createElementBootstrap = defineOperation({
  id: 'elements_create_bootstrap',
  method: 'POST',
  path: '/elements/v1/bootstraps',
  auth: 'element',
  scope: null,
  tag: 'Elements',
  summary: 'Begin to show a component in a page',
  description:
    'The loader asks for it in the page that shows the component: only pages of the origins of its key may.',
  surfaces: ['elements'],
  headers: Type.Object({ origin: Type.String() }),
  body: Closed({
    publishable_key: PublishableKey,
    component: Described(Component, 'The component to show.'),
  }),
  responses: {
    201: Closed({
      bootstrap: Type.String({ description: 'What the frame asks for its session with.' }),
      frame_url: Type.String({ description: 'The address of the frame.' }),
      expires_at: At('Until when the frame can ask for its first session.'),
    }),
  },
  problems: ['invalid_publishable_key', 'capability_missing', 'origin_not_allowed', 'not_found'],
  forBound: 'refused',
  async handle(ctx, { headers, body }) {
    const { elements } = ctx.settings
    if (ctx.keyId === null || elements === undefined) throw new Problem('not_found')
    await takePageRates(ctx, ctx.keyId)
    const { accountId: account_id, mode } = ctx.tenant
    const bootstrap = newToken(`pr_eb_${mode}_`, ctx.random)
    const expires_at = new Date(ctx.now.getTime() + bootstrapMinutes * 60_000)
    ctx.tx.write(
      insertBootstrap({
        account_id,
        mode,
        hash: elementHash(bootstrap),
        key_id: ctx.keyId,
        component: body.component,
        origin: headers.origin,
        created_at: ctx.now,
        expires_at,
      }),
    )
    return reply(201, {
      bootstrap,
      frame_url: `${elements.url}/elements/v1/frames/${bootstrap}`,
      expires_at: expires_at.toISOString(),
    })
  },
})
