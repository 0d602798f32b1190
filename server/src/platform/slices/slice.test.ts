import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { defineOperation, type Operation, reply } from '../../contract/operation.ts'
import { defineProblems } from '../../contract/problem-codes.ts'
import { Closed } from '../../contract/schemas.ts'
import { defineScopes } from '../../contract/scopes.ts'
import { composeSlices, defineSlice, type Slice } from './slice.ts'

const problems = defineProblems({ frozen: { status: 409, retryable: false, message: 'It is frozen.' } })
const scopes = defineScopes({ 'profiles:read': { presets: ['buyer_agent'], toolsets: ['buyer'] } })
const tags = { Profiles: 'People.' }

const look: Operation = defineOperation({
  id: 'v1_look',
  method: 'GET',
  path: '/v1/look',
  auth: 'secret',
  scope: 'profiles:read',
  tag: 'Profiles',
  summary: 'Look',
  problems: ['frozen'],
  responses: { 200: Closed({ seen: Type.Boolean() }) },
  handle: async () => reply(200, { seen: true }),
})

function slice(name: string, given: Partial<Slice> = {}): Slice {
  return defineSlice({ name, about: 'Does one thing.', needs: [], ...given })
}

describe('slices are not composed', () => {
  test.each<[string, Partial<Slice>]>([
    ['two slices have the problem code frozen', { problems }],
    ['two slices have the scope profiles:read', { scopes }],
    ['two slices have the tag Profiles', { tags }],
  ])('where two declare one name: %s', (said, given) => {
    expect(() => composeSlices([slice('a', given), slice('b', given)])).toThrow(said)
    expect(() => composeSlices([slice('a', given), slice('b')])).not.toThrow()
  })

  test('where one declares a code that every operation has', () => {
    const own = { not_found: { status: 404, retryable: false, message: 'Gone.' } }
    expect(() => composeSlices([slice('a', { problems: own })])).toThrow('the problem code not_found')
  })

  test.each<[string, Partial<Slice>]>([
    ['v1_look refuses with frozen, which no slice has', { scopes, tags }],
    ['v1_look needs the scope profiles:read, which no slice has', { problems, tags }],
    ['v1_look is of the group Profiles, which no slice has', { problems, scopes }],
  ])('where an operation names what none declares: %s', (said, given) => {
    const operations = [look]
    expect(() => composeSlices([slice('a', { ...given, operations })])).toThrow(said)
    expect(() => composeSlices([slice('a', { problems, scopes, tags, operations })])).not.toThrow()
  })
})

test('what keys can be given is made of the facts of scopes, in the order of the slices', () => {
  const all = defineScopes({
    'orders:write': { toolsets: ['buyer'] },
    'orders:read': { presets: ['buyer_agent', 'merchant_backend'], toolsets: ['buyer'] },
    'merchant:read': { presets: ['merchant_backend'], toolsets: ['merchant'], isOfAccount: true },
  })
  const { presets, bound } = composeSlices([slice('a', { scopes: all }), slice('b', { scopes })]).scopes
  expect(presets).toEqual({
    full: ['orders:write', 'orders:read', 'merchant:read', 'profiles:read'],
    read_only: ['orders:read', 'merchant:read', 'profiles:read'],
    merchant_backend: ['orders:read', 'merchant:read'],
    discovery: [],
    buyer_agent: ['orders:read', 'profiles:read'],
  })
  expect([...bound]).toEqual(['orders:read', 'profiles:read'])
})

test('problem codes stand by status, then by name, whatever the order of the slices', () => {
  const more = defineProblems({ agents_are_one: { status: 409, retryable: false, message: 'One.' } })
  const codesOf = (...given: Slice[]) => [...composeSlices(given).problems.keys()]
  const there = codesOf(slice('a', { problems }), slice('b', { problems: more }))
  expect(there).toEqual(codesOf(slice('b', { problems: more }), slice('a', { problems })))
  expect(there.indexOf('agents_are_one')).toBeLessThan(there.indexOf('frozen'))
  expect(there.slice(0, 1)).toEqual(['bad_request'])
})
