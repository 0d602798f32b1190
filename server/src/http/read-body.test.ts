import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

const bytesMax = 10
const json = { 'content-type': 'application/json' }

function outcomeOf(headers: Record<string, string>, chunks: string[] = []): Promise<string> {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, headers)
  for (const chunk of chunks) request.push(Buffer.from(chunk))
  request.push(null)
  return new Promise((resolve) => {
    readBody(request, bytesMax, {
      read: (body) => resolve(Buffer.from(body).toString()),
      refused: ({ code }) => resolve(code),
    })
  })
}

test.each([
  ['one chunk is the body', json, ['{"a":1}'], '{"a":1}'],
  ['chunks are put together in order', json, ['{"a"', ':', '1}'], '{"a":1}'],
  [
    'parameters and case of the type do not matter',
    { 'content-type': 'Application/JSON ; charset="utf-8"' },
    ['1'],
    '1',
  ],
  ['no type and no body is an empty body', {}, [], ''],
  ['no type and no bytes is an empty body', { 'content-length': '0' }, [], ''],
  ['a body without a type is refused', { 'content-length': '1' }, ['1'], 'unsupported_media_type'],
  [
    'a chunked body without a type is refused',
    { 'transfer-encoding': 'chunked' },
    ['1'],
    'unsupported_media_type',
  ],
  ['another type is refused', { 'content-type': 'text/plain' }, ['1'], 'unsupported_media_type'],
  [
    'a type that only begins like ours is refused',
    { 'content-type': 'application/jsonp' },
    ['1'],
    'unsupported_media_type',
  ],
  [
    'an announced body that is too large is refused',
    { ...json, 'content-length': '11' },
    [],
    'payload_too_large',
  ],
  ['a body that grows too large is refused', json, ['123456', '78901'], 'payload_too_large'],
  ['a body of just the limit is read', json, ['12345', '67890'], '1234567890'],
])('%s', async (_, headers, chunks, outcome) => {
  expect(await outcomeOf(headers as Record<string, string>, chunks)).toBe(outcome)
})

test('a caller who goes away in the middle of a body is refused, once', async () => {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, json)
  const outcomes: string[] = []
  readBody(request, bytesMax, {
    read: () => outcomes.push('read'),
    refused: ({ code }) => outcomes.push(code),
  })
  request.push(Buffer.from('{"a"'))
  request.destroy(new Error('aborted'))
  await new Promise((resolve) => request.once('close', resolve))
  expect(outcomes).toEqual(['bad_request'])
})
