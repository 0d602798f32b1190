import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { lockAccount } from '../../accounts/api-keys/public.ts'
import { readMerchant } from '../merchant/public.ts'
import { MppApi, MppApiFields, type MppApiRow, publishedMax } from './mpp-api.ts'
import { countPublishedMppApis } from './mpp-apis.sql.ts'
import { addMppApi, writtenFields } from './write-mpp-api.ts'

const { name, description, method, url, offers, ...optional } = MppApiFields

const MppApiCreate = Closed({
  name,
  description,
  method,
  url,
  offers,
  ...Type.Partial(Closed(optional)).properties,
})

export const createMppApi = defineOperation({
  id: 'v1_create_merchant_mpp_api',
  method: 'POST',
  path: '/v1/merchant/mpp_apis',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'MPP APIs',
  summary: 'Publish a paid API of your own',
  description:
    'You run the API at your own domain, where it asks for payments over MPP; payers find it in the manifest of your merchant and pay you. ' +
    'It is shown while its host is your domain or below it.',
  body: MppApiCreate,
  examples: {
    charge: {
      summary: 'An API that costs a quarter of a dollar',
      body: {
        name: 'Size advisor',
        description: 'Answers which size fits, from measurements in centimeters.',
        method: 'POST',
        url: 'https://api.shop.example/size-advisor',
        request_schema: { type: 'object', properties: { height: { type: 'integer' } }, required: ['height'] },
        offers: [{ intent: 'charge', method: 'stripe', amount: '25', currency: 'usd' }],
        categories: ['data'],
      },
    },
  },
  responses: { 201: MppApi },
  problems: ['object_limit_reached'],
  async handle(ctx, { body }) {
    const { accountId, mode } = ctx.tenant
    const merchant = await readMerchant(ctx.reads, ctx.tenant)
    const written = writtenFields({ ...ctx, domain: merchant?.domain ?? null }, body)
    const row: MppApiRow = {
      id: ctx.newId('mapi'),
      name: body.name,
      description: body.description,
      method: body.method,
      url: body.url,
      host: null,
      request_schema: null,
      offers: [],
      categories: [],
      status: 'published',
      metadata: {},
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
      archived_at: null,
      ...written,
    }
    await lockAccount(ctx)
    const count = await ctx.tx.maybe(countPublishedMppApis({ account_id: accountId, mode }))
    if (count && count.published >= publishedMax)
      throw new Problem('object_limit_reached', {
        message: `A merchant may have ${publishedMax} custom APIs published. Archive one first.`,
      })
    return reply(201, addMppApi(ctx, row, 'mpp_api.created'))
  },
})
