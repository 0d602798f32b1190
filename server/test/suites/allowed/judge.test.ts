import { expect, test } from 'vitest'
import { given, says, whenThen } from '../../../src/schema/rules.ts'
import type { Sent } from '../client.ts'
import { readDocument } from './document.ts'
import { faultOfAllowed, faultOfForbidden } from './judge.ts'

const told = readDocument(
  JSON.stringify({
    'x-rules': ['value must not contain a card number'],
    'x-formats': { country: { refusal: 'value is no country' } },
    paths: {
      '/things': {
        post: {
          operationId: 'v1_create_thing',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingCreate' } } },
          },
          responses: {
            201: {},
            404: { 'x-codes': ['not_found'] },
            422: {},
            500: { 'x-codes': ['internal_error'] },
          },
        },
      },
    },
    components: {
      schemas: {
        ThingCreate: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', maxLength: 5 }, at: { type: 'string' } },
          additionalProperties: false,
          'x-rules': ['a {kind} thing needs `at`', 'at must be in the future'],
          allOf: [whenThen(says('name', 'late'), given('at'))],
        },
      },
    },
  }),
).operations[0]

function sent(status: number, body: unknown = {}): Sent {
  return { status, body, headers: {}, text: JSON.stringify(body) }
}

const refusal = (msg: string, type = 'value_error', loc = ['body', 'name']) =>
  sent(422, { detail: [{ type, loc, msg }] })

test('an allowed request may be taken, name an unknown object, or break a rule that the document states', () => {
  if (!told) throw new Error('the document has one operation')
  for (const fine of [
    sent(201),
    sent(404, { detail: { code: 'not_found' } }),
    refusal('Value error, at must be in the future'),
    refusal('Value error, a late thing needs `at`'),
    refusal('Field required', 'missing', ['body', 'at']),
    refusal('value must not contain a card number'),
    refusal('value is no country'),
    sent(422, { object: 'quote' }),
  ])
    expect(faultOfAllowed(told, fine), fine.text).toBeNull()
})

test('any other answer to it is a fault', () => {
  if (!told) throw new Error('the document has one operation')
  for (const wrong of [
    sent(200),
    sent(409, { detail: { code: 'conflict' } }),
    sent(404, { detail: { code: 'gone' } }),
    sent(500, { detail: { code: 'internal_error' } }),
    refusal('String should have at most 3 characters', 'string_too_long'),
    refusal('Field required', 'missing', ['body', 'name']),
    refusal('Value error, at must be in the past'),
    sent(422, { detail: [] }),
  ])
    expect(faultOfAllowed(told, wrong), wrong.text).not.toBeNull()
})

test('a forbidden request must be refused: by types with 422, by a clause with any refusal', () => {
  if (!told) throw new Error('the document has one operation')
  expect(faultOfForbidden(told, { name: 1 }, sent(422))).toBeNull()
  expect(faultOfForbidden(told, { name: 1 }, sent(201))).toContain('201')
  expect(faultOfForbidden(told, { name: 1 }, sent(404))).toContain('404')
  expect(faultOfForbidden(told, { name: 'late' }, sent(404))).toBeNull()
  expect(faultOfForbidden(told, { name: 'late' }, sent(201))).toContain('clause')
  expect(told.allows({ name: 'late', at: 'x' })).toBe(true)
  expect(told.allows({ name: 'late' })).toBe(false)
})
