import { expect, test } from 'vitest'
import { budgetOf } from '../calls/standing-budget.ts'
import { type Language, languages } from '../locales/choose-locale.ts'
import { formWords } from '../locales/form-words.ts'
import { loadWords } from '../locales/load-words.ts'
import { budgetText } from './budget.ts'

const budget = { amount: 5000, currency: 'eur', interval: 'month', expires_at: '2027-03-01T12:00:00Z' }
const read = { amount: 5000, currency: 'EUR', interval: 'month', expiresAt: '2027-03-01T12:00:00Z' } as const
const wordsIn = async (language: Language) => {
  const { texts } = await loadWords(language, formWords)
  return { language, dir: 'ltr', sentences: texts, isTest: false } as const
}

test('a budget is what the API takes, and anything else is none', () => {
  expect(budgetOf({})).toBeNull()
  expect(budgetOf({ budget })).toEqual(read)
  expect(budgetOf({ budget: { ...budget, expires_at: null } })).toEqual({ ...read, expiresAt: null })
  for (const wrong of [
    'EUR 50',
    { ...budget, amount: 0 },
    { ...budget, amount: 0.5 },
    { ...budget, amount: '5000' },
    { ...budget, currency: 'euro' },
    { ...budget, interval: 'hour' },
    { ...budget, expires_at: 'soon' },
  ])
    expect(budgetOf({ budget: wrong })).toBeUndefined()
})

test('each language says how much, how often and until when', async () => {
  expect(budgetText(read, await wordsIn('en'))).toBe(
    'Your agents may spend up to €50.00 a month with this card, until March 1, 2027.',
  )
  expect(budgetText({ ...read, expiresAt: null, interval: 'all_time' }, await wordsIn('en'))).toBe(
    'Your agents may spend up to €50.00 in all with this card.',
  )
  for (const language of languages) {
    const words = await wordsIn(language)
    const text = budgetText(read, words)
    expect(text).toMatch(/50[.,]00/)
    expect(text).toContain('2027')
    const all = (['day', 'week', 'month', 'year', 'all_time'] as const).map((interval) =>
      budgetText({ ...read, interval }, words),
    )
    expect(new Set(all).size).toBe(5)
  }
})

test.each([
  ['JPY', '¥5,000'],
  ['HUF', 'HUF 50.00'],
  ['KWD', 'KWD 5.000'],
])('an amount in %s has the decimals of its minor unit', async (currency, shown) => {
  const text = budgetText({ ...read, currency }, await wordsIn('en'))
  expect(text.replaceAll('\u00a0', ' ')).toContain(`up to ${shown} a month`)
})
