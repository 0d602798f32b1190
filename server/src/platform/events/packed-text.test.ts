import { hash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventDictionary, examples } from '../../../test/event-dictionary.ts'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import texts from './dictionaries.json' with { type: 'json' }
import { packText, sizeOfText, unpackText } from './packed-text.ts'

let spine: Spine
beforeAll(async () => {
  spine = await startSpine()
})
afterAll(() => spine.close())

const order = JSON.stringify(examples()('v1_get_order'))

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  // As events are: what is known, and what is not.
  fc
    .array(
      fc.oneof(
        fc.string(),
        fc.nat(order.length).map((at) => order.slice(at, at + 300)),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
)

test('a text is read as it was packed, and what is packed is shorter', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const packed = packText(text.toWellFormed())
      expect(unpackText(packed)).toBe(text.toWellFormed())
      expect(packed.length).toBeLessThanOrEqual(Buffer.byteLength(text.toWellFormed()))
    }),
  )
  expect(packText(order).length).toBeLessThan(order.length / 3)
  expect(unpackText(Buffer.from(order))).toBe(order)
})

test('the database reads what is packed as the code does, also long texts, and knows their sizes', async () => {
  const random = fc.sample(anyText, { numRuns: 60, seed: 7 })
  const long = JSON.stringify(Array.from({ length: 300 }, (_, at) => order.replace('ord_', `${at ** 3}`)))
  for (const text of [order, long, ...random].map((one) => one.replaceAll('\0', '').toWellFormed() || 'a')) {
    const [row] = await spine.sql<{ text: string; size: number }>(
      `select unpack_text(b) as text, ${sizeOfText('b')} as size from (select $1::bytea as b) as one`,
      [packText(text)],
    )
    expect(row).toEqual({ text, size: Buffer.byteLength(text) })
  }
})

test('a text that the database would unpack for seconds stays as it is', () => {
  const long = 'a'.repeat(8193)
  expect(packText(long)).toEqual(Buffer.from(long))
  expect(packText(long.slice(1)).length).toBeLessThan(200)
})

test('bytes that were not packed here end in an error or in a text, and take no more memory than they say', () => {
  const packed = packText(order)
  for (let length = 1; length < packed.length; length++)
    expect(() => unpackText(packed.subarray(0, length)), `${length}`).toThrow(/^a packed text is broken/)
  const bomb = Buffer.from(packText('a'.repeat(8_000)))
  bomb.writeUIntBE(1_000, 2, 3)
  expect(() => unpackText(bomb)).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }) }),
  )
  const unknown = Buffer.from(packed)
  unknown[1] = 250
  expect(() => unpackText(unknown)).toThrow('needs dictionary 250')
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.boolean(), (bytes, isMarked) => {
      const hostile = isMarked ? Buffer.concat([packed.subarray(0, 5), bytes]) : Buffer.from(bytes)
      try {
        expect(typeof unpackText(hostile)).toBe('string')
      } catch (error) {
        expect((error as Error).message).toMatch(/^a (?:packed|stored) text (?:is broken|needs dictionary)/)
      }
    }),
  )
})

test('the database ends broken bytes with an error, too', async () => {
  const packed = packText(order)
  const broken = [
    packed.subarray(0, 3),
    packed.subarray(0, 5),
    packed.subarray(0, 40),
    Buffer.concat([packed.subarray(0, 5), Buffer.alloc(50, 0xff)]),
    Buffer.concat([packed.subarray(0, 5), Buffer.alloc(50)]),
    Buffer.concat([packed.subarray(0, 5), Buffer.from([0x1b, 0xfb, 0xff, 0xff, 0xff])]),
  ]
  for (const bytes of broken)
    await expect(spine.sql('select unpack_text($1)', [bytes]), bytes.toString('hex')).rejects.toThrow()
})

/** What events are packed with for good: one that changes, or goes, takes with it what was packed. */
const digests = { 1: 'b93b3f655b6cf1dcbc979ad707b29f38bb3007787bf7ff1a56462f0bb16691f4' }

test('no dictionary has changed, and the database has the same ones', async () => {
  const digestOf = (text: string) => hash('sha256', text)
  expect(Object.fromEntries(Object.entries(texts).map(([number, text]) => [number, digestOf(text)]))).toEqual(
    digests,
  )
  for (const [number, text] of Object.entries(texts)) {
    const [row] = await spine.sql<{ bytes: Buffer }>('select event_dictionary($1) as bytes', [number])
    expect(row?.bytes.toString(), number).toBe(text)
  }
})

test('the newest dictionary fits the examples of today nearly as well as one that is made of them', () => {
  const [newest = ''] = Object.values(texts).slice(-1)
  expect(eventDictionary()).toBe(eventDictionary())
  const sharedWith = (dictionary: string) =>
    linesOf(eventDictionary()).filter((part) => dictionary.includes(part)).length
  expect(linesOf(eventDictionary()).length).toBeGreaterThan(200)
  expect(sharedWith(newest)).toBeGreaterThan(0.95 * sharedWith(eventDictionary()))
})

/** Its names with their values. */
function linesOf(dictionary: string): string[] {
  return dictionary.split(',')
}
