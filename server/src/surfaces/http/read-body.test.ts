import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { type BodyHolder, createBodyRoom } from './body-room.ts'
import { readBody } from './read-body.ts'

const bytesMax = 10
const holder: BodyHolder = { kind: 'account', name: 'a' }
const noContinue = { writeContinue: () => undefined }
const json = { 'content-type': 'application/json' }

function outcomeOf(headers: Record<string, string>, chunks: string[] = []): Promise<string> {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, headers)
  for (const chunk of chunks) request.push(Buffer.from(chunk))
  request.push(null)
  return new Promise((resolve) => {
    readBody(
      request,
      noContinue,
      { bytesMax, room: createBodyRoom(1000), holder },
      {
        read: (body) => resolve(Buffer.from(body).toString()),
        refused: ({ code }) => resolve(code),
      },
    )
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

test.each<[BodyHolder['kind'], number, string]>([
  ['account', 256 * 1024, 'The body is larger than 256 KiB, the most that a request may send.'],
  [
    'address',
    64 * 1024,
    'The body is larger than 64 KiB, the most that a request without an API key may send.',
  ],
  [
    'address',
    2000,
    'The body is larger than 2000 bytes, the most that a request without an API key may send.',
  ],
])('a refusal names the limit that was in force: %s, %s bytes', (kind, bytesMax, message) => {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, { ...json, 'content-length': String(bytesMax + 1) })
  const said: string[] = []
  const limits = { bytesMax, room: createBodyRoom(1000), holder: { kind, name: 'a' } }
  readBody(request, noContinue, limits, {
    read: () => said.push('read'),
    refused: (problem) => said.push(problem.message),
  })
  expect(said).toEqual([message])
})

test('a caller who goes away in the middle of a body is refused, once', async () => {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, json)
  const outcomes: string[] = []
  const room = createBodyRoom(1000)
  readBody(
    request,
    noContinue,
    { bytesMax, room, holder },
    {
      read: () => outcomes.push('read'),
      refused: ({ code }) => outcomes.push(code),
    },
  )
  request.push(Buffer.from('{"a"'))
  request.destroy(new Error('aborted'))
  await new Promise((resolve) => request.once('close', resolve))
  expect(outcomes).toEqual(['bad_request'])
  expect(room.held).toBe(0)
})

test('the bytes of an unfinished body count for their holder, and beyond its share the body is refused', async () => {
  const room = createBodyRoom(16)
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, { ...json, 'content-length': '10' })
  const outcomes: string[] = []
  readBody(
    request,
    noContinue,
    { bytesMax, room, holder },
    {
      read: () => outcomes.push('read'),
      refused: ({ code }) => outcomes.push(code),
    },
  )
  request.push(Buffer.from('1234'))
  await new Promise(setImmediate)
  expect(room.held).toBe(4)
  request.push(Buffer.from('5'))
  await new Promise(setImmediate)
  expect([outcomes, room.held]).toEqual([['busy'], 0])
})

test('a body that is read leaves no bytes counted', async () => {
  const room = createBodyRoom(1000)
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, json)
  for (const part of ['1', '2', '3']) request.push(Buffer.from(part))
  request.push(null)
  const body = await new Promise((read) =>
    readBody(request, noContinue, { bytesMax, room, holder }, { read, refused: read }),
  )
  expect([String(body), room.held]).toEqual(['123', 0])
})

test.each([
  ['a body that may come is asked for', json, 1],
  ['one that may not is not', { 'content-type': 'text/plain' }, 0],
  ['one that is too large is not', { ...json, 'content-length': '11' }, 0],
])('a client that waits for 100 Continue: %s', (_, headers, asked) => {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, { expect: '100-continue', 'content-length': '1', ...headers })
  let count = 0
  const response = { writeContinue: () => void count++ }
  const nobody = () => undefined
  readBody(
    request,
    response,
    { bytesMax, room: createBodyRoom(1000), holder },
    { read: nobody, refused: nobody },
  )
  expect(count).toBe(asked)
})
