import { expect, test } from 'vitest'
import { type CapabilityEntry, negotiate, relevantTo } from './negotiate.ts'

type Given = Record<string, CapabilityEntry[]>
const release = '2026-08-25'
const at = (version: string, more: Partial<CapabilityEntry> = {}): CapabilityEntry => ({ version, ...more })
const names = (business: Given, platform: Given) =>
  Object.fromEntries(
    [
      ...negotiate({
        business: new Map(Object.entries(business)),
        platform: new Map(Object.entries(platform)),
        release,
      }),
    ].map(([name, { version }]) => [name, version]),
  )

test('what both have in the same version remains, in the newest', () => {
  const business = { a: [at('2026-01-01'), at('2026-08-25')], b: [at('2026-01-01')], c: [at('2026-01-01')] }
  const platform = { a: [at('2026-08-25'), at('2026-01-01')], b: [at('2026-01-02')], d: [at('2026-01-01')] }
  expect(names(business, platform)).toEqual({ a: '2026-08-25' })
})

test('an extension falls with all that it extends, and what extends it falls too', () => {
  const extension = { a: [at('1')], b: [at('1', { extends: ['a'] })], c: [at('1', { extends: ['b'] })] }
  expect(names(extension, { b: [at('1')], c: [at('1')] })).toEqual({})
  expect(names(extension, { a: [at('1')], c: [at('1')] })).toEqual({ a: '1' })
  const many = { a: [at('1')], z: [at('1')], b: [at('1', { extends: ['z', 'a'] })] }
  expect(names(many, { a: [at('1')], b: [at('1')] })).toEqual({ a: '1', b: '1' })
})

test('an extension falls where its ranges do not hold, and then what extends it', () => {
  const needing = (requires: CapabilityEntry['requires']) => ({
    a: [at('2026-08-25')],
    b: [at('1', { extends: ['a'], ...(requires ? { requires } : {}) })],
    c: [at('1', { extends: ['b'] })],
  })
  const platform = { a: [at('2026-08-25')], b: [at('1')], c: [at('1')] }
  expect(names(needing({ protocol: { min: '2026-04-08' } }), platform)).toHaveProperty('c')
  expect(names(needing({ protocol: { min: '2026-04-08', max: '2026-08-25' } }), platform)).toHaveProperty('c')
  expect(names(needing({ protocol: { min: '2027-01-01' } }), platform)).toEqual({ a: '2026-08-25' })
  expect(names(needing({ protocol: { min: '2026-01-01', max: '2026-08-24' } }), platform)).toEqual({
    a: '2026-08-25',
  })
  expect(names(needing({ capabilities: { a: { min: '2026-09-01' } } }), platform)).toEqual({
    a: '2026-08-25',
  })
  expect(names(needing({ capabilities: { x: { min: '2026-01-01' } } }), platform)).toEqual({
    a: '2026-08-25',
  })
})

test('a response names the capability of its operation with its extensions alone', () => {
  const all = new Map([
    ['deep', at('1', { extends: ['extension'] })],
    ['extension', at('1', { extends: ['checkout', 'cart'] })],
    ['checkout', at('1')],
    ['order', at('1')],
  ])
  expect([...relevantTo('checkout', all).keys()].toSorted()).toEqual(['checkout', 'deep', 'extension'])
  expect([...relevantTo('order', all).keys()]).toEqual(['order'])
  expect(relevantTo('absent', all).size).toBe(0)
})
