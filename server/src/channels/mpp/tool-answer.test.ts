import { describe, expect, test } from 'vitest'
import { payToolCall, readToolCall } from '../../protocols/mpp/tool-payments.ts'
import { asAnswer } from './tool-answer.ts'

const challenge = {
  id: 'x',
  realm: 'api.example.com',
  method: 'vault',
  intent: 'charge',
  request: { amount: '5', currency: 'usd', recipient: 'a' },
  expires: '2026-11-24T20:00:00Z',
}

const json = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream' }

function answer(text: string, headers: Record<string, string> = json, status = 200) {
  return asAnswer({ kind: 'answer', status, headers, body: Buffer.from(text) })
}

const message = (more: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...more })
const asking = (code: number) =>
  message({ error: { code, message: 'Pay.', data: { httpStatus: 402, challenges: [challenge, {}, 7] } } })

describe('the answer of a tool', () => {
  test.each([
    ['at first', -32042],
    ['after a payment that did not do', -32043],
  ])('that asks for a payment %s is 402 with its challenges', (_when, code) => {
    const { request, ...said } = challenge
    const encoded = Buffer.from(JSON.stringify(request)).toString('base64url')
    expect(answer(asking(code))).toMatchObject({ status: 402, challenges: [{ ...said, request: encoded }] })
  })

  test.each<[string, string, Record<string, string>]>([
    ['as JSON', message({ result: { content: [] } }), json],
    [
      'among events',
      `event: message\r\ndata: ${message({ method: 'notifications/progress' })}\r\n\r\ndata: ${message({ result: { content: [] } })}\r\n\r\n`,
      events,
    ],
  ])('with a result %s is what was bought', (_how, text, headers) => {
    const said = answer(text, headers)
    if (said.kind !== 'answer') throw new Error('no answer')
    expect([said.status, said.body.toString()]).toEqual([200, '{"content":[]}'])
  })

  test('shows its receipt as a header would', () => {
    const receipt = { status: 'success', reference: 'r1' }
    const said = answer(message({ result: { _meta: { 'org.paymentauth/receipt': receipt } } }))
    if (said.kind !== 'answer') throw new Error('no answer')
    const header = String(said.headers['payment-receipt'])
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual(receipt)
  })

  test.each<[string, object, number]>([
    ['a wrong call', { error: { code: -32602, message: 'No such tool.' } }, 422],
    ['a failure', { error: { code: -32603, message: 'Oh no.' } }, 500],
    ['a tool that failed unpaid', { result: { isError: true, content: [] } }, 422],
    [
      'a tool that failed once it was paid',
      { result: { isError: true, _meta: { 'org.paymentauth/receipt': { status: 'success' } } } },
      200,
    ],
  ])('%s', (_what, more, status) => {
    expect(answer(message(more))).toMatchObject({ kind: 'answer', status })
  })

  test.each<[string, string, Record<string, string>, number]>([
    ['a page', '<html>', { 'content-type': 'text/html' }, 200],
    ['events without end', 'data: '.repeat(1_000), events, 200],
    ['a list', '[]', json, 200],
    ['a challenge over HTTP', '{}', json, 402],
  ])('%s stays what it is', (_what, text, headers, status) => {
    const said = answer(text, headers, status)
    expect(said).toMatchObject({ status, headers })
    expect('challenges' in said).toBe(false)
  })
})

describe('the call of a tool', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', _meta: { trace: 't' } } }

  test('carries its payment beside what it says already, and is the same bytes each time', () => {
    const request = Buffer.from(JSON.stringify(challenge.request)).toString('base64url')
    const pay = () => payToolCall(call, { ...challenge, request }, { token: 'v' })
    const { params } = JSON.parse(pay().toString())
    expect(params).toEqual({
      name: 'a',
      _meta: { trace: 't', 'org.paymentauth/credential': { challenge, payload: { token: 'v' } } },
    })
    expect(pay()).toEqual(pay())
  })

  test.each<[string, unknown]>([
    ['another method', { ...call, method: 'tools/list' }],
    ['no parameters', { ...call, params: undefined }],
    ['several calls', [call]],
    ['a text', 'tools/call'],
  ])('is not %s', (_what, body) => {
    expect(readToolCall(Buffer.from(JSON.stringify(body)))).toBeNull()
  })
})
