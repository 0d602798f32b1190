import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { product } from '../../composition.ts'

/** What the service says of itself to programs of other protocols: described in the reference, and refused in its form. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const paths = [
  '/.well-known/ucp',
  '/.well-known/ucp/2026-04-08',
  '/ucp/payment_handlers/processor_spt.schema.json',
  '/mpp/.well-known/mpp.json',
  '/.well-known/jwks.json',
]

test('each is an operation of the reference that anybody may call and no tool reads', async () => {
  const { paths: described } = JSON.parse(await (await fetch(`${app.url}/openapi.json`)).text())
  const found = product.documents.map(({ path }) => described[path].get)
  expect(product.documents.map(({ path }) => path.replace('{version}', '2026-04-08'))).toEqual(paths)
  for (const operation of found)
    expect(operation).toMatchObject({
      security: [],
      'x-mcp-tool': false,
      responses: { 200: expect.any(Object), 422: expect.any(Object) },
    })
})

test.each(paths)('%s is read, and refuses what it cannot be asked', async (path) => {
  expect((await app.get(path)).status).toBe(200)
  expect((await app.get(`${path}?mode=live`)).status).toBe(200)
  const refused = await app.get(`${path}?foo=1`)
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    [{ type: 'extra_forbidden', loc: ['query', 'foo'], msg: 'Extra inputs are not permitted' }],
  ])
})

test('a release that is not spoken is a 404 like any other', async () => {
  const { status, body } = await app.get('/.well-known/ucp/2099-01-01')
  expect([status, body.detail]).toMatchObject([404, { code: 'not_found', retryable: false }])
})

test('the name of an unknown field is told without what no string of an answer holds', async () => {
  for (const path of ['/v1/registry', '/mpp/.well-known/mpp.json']) {
    const { status, body } = await app.get(`${path}?a%00b=1`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'a\ufffdb']])
  }
})
