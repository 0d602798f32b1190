import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { kinds, type Said } from './utterance.ts'

type Told = Pick<Said, 'says' | 'spoken'> & {
  readonly language: string
  readonly kind: string
  readonly readings: readonly Said['means'][]
}

const program = fileURLToPath(new URL('print-utterances.ts', import.meta.url))
const tell = (set: string) => JSON.parse(execFileSync(process.execPath, [program, set], { encoding: 'utf8' }))
const known: readonly Told[] = tell('known')
const fresh: readonly Told[] = tell('fresh')
const never: Readonly<Record<string, readonly string[]>> = tell('never-buying')
const languages = ['en', 'de', 'fr', 'es', 'ja']

/** Options have English names in every language. */
const named = {
  color: /^(?:beige|black|blue|brown|gray|green|ivory|orange|pink|purple|red|white|yellow)$/,
  material: /^(?:cast iron|cotton|leather|linen|silk|wood|wool)$/,
}

const countOf = (all: readonly Told[], language: string, kind?: string) =>
  all.filter((one) => one.language === language && (kind === undefined || one.kind === kind)).length

test.each(languages)(
  '%s has 80 utterances of every kind, 20 that are kept fresh, and words of buying',
  (language) => {
    expect(countOf(known, language)).toBe(80)
    expect(countOf(fresh, language)).toBe(20)
    expect(kinds.filter((kind) => countOf(known, language, kind) < 2)).toEqual([])
    expect(never[language]?.length).toBeGreaterThanOrEqual(20)
  },
)

test('no text is there twice: what was read is not fresh', () => {
  const texts = [...known, ...fresh].map(({ says }) => says)
  const all = [...texts, ...Object.values(never).flat()].map((says) => says.toLowerCase())
  expect(all.filter((says, index) => all.indexOf(says) !== index)).toEqual([])
})

test('every reading has a wish, options have their English names, and who is asked speaks of something', () => {
  const all = [...known, ...fresh]
  const wishes = all.flatMap(({ readings }) => readings.flat())
  const options = wishes.flatMap((wish) => ('options' in wish && wish.options ? [wish.options] : []))
  expect(options.length).toBeGreaterThan(100)
  expect(options.filter(({ color = 'red' }) => !named.color.test(color))).toEqual([])
  expect(options.filter(({ material = 'wool' }) => !named.material.test(material))).toEqual([])
  expect(all.filter(({ readings }) => readings.some((wishes) => wishes.length === 0))).toEqual([])
  expect(all.filter(({ spoken }) => spoken?.asked !== undefined && !spoken.hasSubject)).toEqual([])
})

test('whoever does not buy is never right to be read as buying', () => {
  const calm = [...known, ...fresh].filter(({ kind }) => kind === 'not_buying' || kind === 'yes_no')
  expect(calm.length).toBeGreaterThan(30)
  const buying = calm.filter(({ readings }) => readings.flat().some(({ action }) => action === 'buy'))
  expect(buying).toEqual([])
})
