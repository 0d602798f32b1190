import { expect, test } from 'vitest'
import type { Control } from '../reading/page-snapshot.ts'
import { control, snapshotWith } from '../reading/snapshot.testing.ts'
import { askedBy } from './ask-field.ts'

function asked(parts: Partial<Control>, ...others: Control[]) {
  const one = control({ isRequired: true, ...parts })
  return askedBy(snapshotWith({ controls: [one, ...others] }), one)
}

const options = (...texts: string[]): Control['options'] =>
  texts.map((text, at) => ({ value: at === 0 ? '' : `${at}`, text, isSelected: at === 0, isDisabled: false }))

test.each<[Partial<Control>, object]>([
  [{ label: 'Phone *' }, { name: 'phone', label: 'Phone', kind: 'text', max_length: 200 }],
  [
    { label: 'Bell:', maxLength: 20 },
    { name: 'bell', label: 'Bell', kind: 'text', max_length: 20 },
  ],
  [
    { label: 'Arrival', type: 'date' },
    { name: 'arrival', label: 'Arrival', kind: 'date' },
  ],
  [
    { label: 'Stairs', type: 'number' },
    { name: 'stairs', label: 'Stairs', kind: 'number' },
  ],
  [
    { label: 'Ton étage préféré ?', kind: 'select', options: options('Choisissez', 'Premier', 'Second') },
    {
      name: 'ton_étage_préféré',
      label: 'Ton étage préféré ?',
      kind: 'choice',
      options: ['Premier', 'Second'],
    },
  ],
  [
    { label: 'Day', group: 'Collection' },
    { name: 'collection_day', label: 'Collection: Day', kind: 'text' },
  ],
  [{ label: `Say <b>${'x'.repeat(200)}` }, { label: expect.stringMatching(/^Say x{70,75}…$/) }],
])('%j is asked', (parts, expected) => {
  expect(asked(parts)).toMatchObject(expected)
})

test('radios are one choice, by what is said above them', () => {
  const of = { kind: 'radio', name: 'r', group: 'Gift wrap?' } as const
  const other = control({ ...of, label: 'No' })
  expect(asked({ ...of, label: 'Yes' }, other)).toEqual({
    name: 'gift_wrap',
    label: 'Gift wrap?',
    kind: 'choice',
    options: ['Yes', 'No'],
  })
})

test.each<Partial<Control>>([
  { label: 'PIN' },
  { label: 'Your secret PIN code' },
  { label: 'Password', type: 'password' },
  { label: 'Passwort' },
  { label: 'Mot de passe' },
  { label: 'Contraseña' },
  { label: '暗証番号' },
  { label: 'Word', type: 'password' },
  { label: 'Word', autocomplete: 'one-time-code' },
  { label: 'Verification code' },
  { label: 'The code we sent you', name: 'c' },
  { label: 'Card number' },
  { label: 'Gift card' },
  { label: 'Nickname', name: 'cardNumber' },
  { label: 'Nickname', id: 'cc-number' },
  { label: 'Lucky number', placeholder: '1234 5678 9012 3456' },
  { label: 'IBAN' },
  { label: 'Bank account number' },
  { label: 'Kontonummer' },
  { label: 'Social security number' },
  { label: 'What is your mother’s maiden name?' },
  { label: 'Nom de jeune fille', name: 'security_question' },
  { label: '', group: 'PIN', placeholder: '****' },
])('%j is a secret', (parts) => {
  expect(asked(parts)).toBe('secret')
})

test.each<[string, Partial<Control>]>([
  ['what the buyer has', { label: 'Email address', type: 'email' }],
  ['what the buyer has', { label: 'City' }],
  ['a field without a word', { name: 'x_17' }],
  ['a file', { label: 'Photo', kind: 'file' }],
  ['a box', { label: 'I accept', kind: 'checkbox' }],
  ['two choices of one name', { label: 'Color?', kind: 'select', options: options('-', 'Red', 'Red') }],
  [
    'how it is paid',
    { label: 'Payment', kind: 'select', options: options('-', 'Credit card', 'Invoice', 'PayPal') },
  ],
])('nobody is asked about %s: %j', (_, parts) => {
  expect(asked(parts)).toBeNull()
})
