import { expect, test } from 'vitest'
import { questionsOf } from './question-of.ts'
import { control, option, snapshotWith } from './snapshot.testing.ts'

const asked = (...controls: ReturnType<typeof control>[]) =>
  questionsOf(snapshotWith({ controls }), { form: 1, filled: new Set() })

test('what is required and open is asked, each kind with what it takes', () => {
  const { questions, barred } = asked(
    control({ label: 'Phone number *', name: 'tel', isRequired: true, maxLength: 15 }),
    control({
      label: 'Delivery slot',
      name: 'slot',
      kind: 'select',
      isRequired: true,
      options: [option('Please choose', ''), option('Morning', 'am')],
    }),
    control({ label: 'Earliest day', name: 'day', type: 'date', isRequired: true }),
    control({ label: 'Floors', name: 'floors', type: 'number', isRequired: true }),
    control({ label: 'Company', name: 'company' }),
    control({ label: 'Name', name: 'name', isRequired: true, isEmpty: false }),
  )
  expect(barred).toBeNull()
  expect(questions).toEqual([
    { name: 'phone', label: 'Phone number', kind: 'text', max_length: 15 },
    { name: 'slot', label: 'Delivery slot', kind: 'choice', options: [{ value: 'am', label: 'Morning' }] },
    { name: 'day', label: 'Earliest day', kind: 'date' },
    { name: 'floors', label: 'Floors', kind: 'number' },
  ])
})

test('the buttons of one choice are one question', () => {
  const radio = (label: string) =>
    control({ label, name: 'title', kind: 'radio', group: 'Title', isRequired: true })
  const { questions } = asked(radio('Mr'), radio('Ms'))
  expect(
    questions.map(({ label, kind, options }) => [label, kind, options?.map((one) => one.label)]),
  ).toEqual([['Title', 'choice', ['Mr', 'Ms']]])
})

test.each([
  [{ label: 'Password', type: 'password' }],
  [{ label: 'Online banking PIN' }],
  [{ label: 'IBAN' }],
  [{ label: 'Kennwort' }],
  [{ label: 'Code', autocomplete: 'one-time-code' }],
  [{ label: 'Card number' }],
  [{ label: 'Security question' }],
])('%o is never asked', (parts) => {
  const { questions, barred } = asked(control({ ...parts, isRequired: true }))
  expect(questions).toEqual([])
  expect(barred).not.toBeNull()
})

test('a label is one short line without marks of a program', () => {
  const { questions } = asked(
    control({ label: `<b>Your\u202e floor</b>\n${'x'.repeat(200)}`, isRequired: true }),
  )
  expect(questions[0]?.label.length).toBeLessThanOrEqual(80)
  expect(questions[0]?.label).not.toMatch(/[<>\p{Cc}\p{Cf}]/u)
})
