import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { newBuyer } from '../harness/buyers.ts'
import { legacyHeaders } from '../harness/mcp-requests.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** As a client writes it, so that numbers keep their spelling. */
function sent(path: string, raw: string) {
  return app.request('POST', path, { raw, headers: { ...legacyHeaders, 'content-type': 'application/json' } })
}

/** What a message to the tools is answered; `params` as a client writes them. */
async function told(method: string, params: string) {
  const { status, body } = await sent('/mcp/v1', `{"jsonrpc":"2.0","id":1,"method":"${method}"${params}}`)
  return { status, body, result: body.result }
}

/** The answer of a tool, as REST would have sent it. */
async function called(name: string, args: string) {
  const { result } = await told('tools/call', `,"params":{"name":"${name}","arguments":${args}}`)
  return JSON.parse(result.content[0].text)
}

const item = { url: 'https://shop.example/tea', quantity: 1, expected_amount: 4900, expected_currency: 'USD' }
const preview = '/v1/purchase_intents/preview'
const previewTool = 'v1_preview_purchase_intent'

test('an amount in dollars is told its unit, over REST and as a tool, and 4900.0 is 4900', async () => {
  const { profileId } = await newBuyer(app)
  const textWith = (amount: string) =>
    JSON.stringify({ profile_id: profileId, items: [{ ...item, expected_amount: '#' }] }).replace(
      '"#"',
      amount,
    )
  const msg = 'Input should be an amount in minor units, an integer: $49.00 is 4900'
  for (const amount of ['"49.00"', '49.0', '49.5', '"4900"']) {
    const rest = await sent(preview, textWith(amount))
    expect([amount, rest.status, rest.body.detail[0].msg]).toEqual([amount, 422, msg])
    expect(await called(previewTool, textWith(amount))).toEqual(rest.body)
  }
  const taken = await sent(preview, textWith('4900.0'))
  expect(taken.status, JSON.stringify(taken.body)).toBe(200)
  expect(await called(previewTool, textWith('4900.0'))).toMatchObject({ object: taken.body.object })
})

test('a list that is sent as text is to be sent itself', async () => {
  const { profileId } = await newBuyer(app)
  const args = JSON.stringify({ profile_id: profileId, items: JSON.stringify([item]) })
  const msg = 'Input should be a valid array: send the array itself, not text that contains it'
  const refused = { detail: [{ type: 'list_type', loc: ['body', 'items'], msg }] }
  expect(await called(previewTool, args)).toEqual(refused)
  expect((await sent(preview, args)).body).toEqual(refused)
})

test('arguments and params that are null, missing or text get an answer, and the next call works', async () => {
  for (const params of [',"params":null', ',"params":{"cursor":null}', '', ',"params":{"_meta":null}'])
    expect((await told('tools/list', params)).result.tools.length).toBeGreaterThan(10)
  for (const args of [',"arguments":null', '', ',"arguments":{}']) {
    const { result } = await told('tools/call', `,"params":{"name":"v1_list_profiles"${args}}`)
    expect(result.structuredContent.object).toBe('list')
  }
  const { body } = await told('tools/call', ',"params":{"name":"v1_list_profiles","arguments":"{}"}')
  expect(body.error.message).toContain('send the object itself, not text that contains it')
  expect(await called('v1_list_profiles', '{}')).toMatchObject({ object: 'list' })
})

test('null is absent wherever a value is optional, and empty text is refused by name', async () => {
  for (const [tool, args] of [
    ['v1_list_purchase_intents', '{"status":null,"limit":null,"profile_id":null}'],
    ['v1_list_profiles', '{"q":null,"offset":null,"created_after":null}'],
    ['v1_search_catalog', '{"query":"kettle","filters":null,"sort":null,"pagination":{"cursor":null}}'],
  ] as const)
    expect((await called(tool, args)).detail).toBeUndefined()
  const isEmpty = /It is empty: leave it out if it has no value$/
  for (const [tool, args, loc] of [
    ['v1_list_profiles', '{"q":""}', ['query', 'q']],
    ['v1_list_purchase_intents', '{"status":""}', ['query', 'status']],
    ['v1_list_profiles', '{"created_after":""}', ['query', 'created_after']],
    ['v1_list_profiles', '{"country":""}', ['query', 'country']],
    ['v1_search_catalog', '{"query":"kettle","pagination":{"cursor":""}}', ['body', 'pagination', 'cursor']],
    ['v1_search_catalog', '{"query":"kettle","sort":""}', ['body', 'sort']],
  ] as const) {
    const { detail } = await called(tool, args)
    expect(detail).toMatchObject([{ loc, msg: expect.stringMatching(isEmpty) }])
  }
  const { status, body } = await app.get('/v1/profiles?q=')
  expect([status, body.detail[0].loc]).toEqual([422, ['query', 'q']])
  expect(body.detail[0].msg).toMatch(isEmpty)
})
