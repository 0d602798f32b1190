import type { Desk } from '../shop/desk.ts'
import { type Api, apis, price } from './apis.ts'

/** What is sold here, as registries of paid APIs read it. What a request costs, its challenge says. */
export function openapiDocument({ host, stripeUrl }: Desk): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Pay per Forecast', version: '1.0.0' },
    servers: [{ url: `https://${host}` }],
    'x-service-info': { categories: ['data'], docs: { homepage: `https://${host}/` } },
    paths: Object.fromEntries(
      Object.entries(apis).map(([name, api]) => [
        `/v1/${name}`,
        {
          get: operationOf(`get_${name}`, api, stripeUrl, {
            parameters: ['city', 'days'].map((parameter) => ({
              name: parameter,
              in: 'query',
              schema: { type: 'string' },
            })),
          }),
          post: operationOf(`post_${name}`, api, stripeUrl, {
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: { city: { type: 'string' }, days: { type: 'integer' } },
                  },
                },
              },
            },
          }),
        },
      ]),
    ),
  }
}

function operationOf(name: string, api: Api, stripeUrl: string | undefined, request: object): object {
  const methods = stripeUrl === undefined ? ['processor'] : ['processor', 'stripe']
  const isFixed = api.rises === undefined && api.currencies === undefined
  const taken = methods.filter((method) => api.methods?.some((one) => one === method) ?? true)
  const offers = taken.map((method) => ({
    intent: 'charge',
    method,
    amount: isFixed ? String(api.amount ?? price) : null,
    currency: 'usd',
    description: api.about,
  }))
  return {
    operationId: name.replaceAll('-', '_'),
    summary: api.about,
    ...(api.unpaid === 'free' ? {} : { 'x-payment-info': { offers } }),
    ...request,
    responses: { 200: { description: 'What was bought' }, 402: { description: 'Payment Required' } },
  }
}
