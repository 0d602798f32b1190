import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computingMs } from '../../../../test/gate/pace.ts'
import { CheckedStream } from './checked-stream.ts'
import { checkedText } from './checked-text.ts'

const known = [{ amount: 2499n, currency: 'EUR' }]

function streamed(deltas: readonly string[]): string {
  const stream = new CheckedStream(() => known, '[–]')
  return deltas.map((delta) => stream.push(delta)).join('') + stream.end()
}

test('a sentence is let out once the next one is complete, and a wrong amount never', () => {
  const stream = new CheckedStream(() => known, '[–]')
  expect(stream.push('Found one. It is 9')).toBe('')
  expect(stream.push(',99 € today. Shall I')).toBe('Found one. ')
  expect(stream.push(' order it? ')).toBe('')
  expect(stream.push('Or not? ')).toBe('[–] ')
  expect(stream.end()).toBe('Shall I order it? Or not? ')
  expect(stream.replaced).toBe(1)
})

test('what a tool returned meanwhile is known', () => {
  const later: { amount: bigint; currency: string }[] = []
  const stream = new CheckedStream(() => later)
  stream.push('I look. ')
  later.push({ amount: 999n, currency: 'EUR' })
  expect(stream.push('It is 9,99 €. ') + stream.end()).toBe('I look. It is 9,99 €. ')
})

const sentences = fc.constantFrom(
  'It is 24,99 €. ',
  'It is 9,99 €. ',
  'Das kostet Fr. 12.50. ',
  'Only $5! ',
  'Gut. ',
  'Shall I?\n',
  '- Kettle: 24,99 €\n',
  '- Kettle: 19,99 €\n',
  'Total 12\n€. ',
  '二千円です。',
  'e.g. a red one ',
)

test('whatever the pieces, the same sentences come out as of the whole text', () => {
  fc.assert(
    fc.property(
      fc.array(sentences, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 9 })),
      (texts, sizes) => {
        const text = texts.join('')
        const deltas: string[] = []
        for (let at = 0, index = 0; at < text.length; index++) {
          const size = sizes[index % Math.max(1, sizes.length)] ?? 3
          deltas.push(text.slice(at, at + size))
          at += size
        }
        expect(streamed(deltas).replace(/\s+/g, ' ')).toBe(
          checkedText(text, known, '[–]').text.replace(/\s+/g, ' '),
        )
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each(['A kettle. ', 'It is $5. ', 'a.a.', '1 ', '\n', '千'])(
  'a flood of %j takes no longer than its length',
  (piece) => {
    const stream = new CheckedStream(() => known)
    const used = computingMs(() => {
      for (let length = 0; length < 100_000; length += piece.length) stream.push(piece)
      stream.end()
    })
    expect(used).toBeLessThan(8_000)
  },
)
