import { expect, test } from 'vitest'
import type { GivenAnswer } from '../../channels/browser/shopping-words.ts'
import type { Control } from '../reading/page-snapshot.ts'
import { control, snapshotWith } from '../reading/snapshot.testing.ts'
import { answeredEntries, answeredRadios, requestAt } from './answered-fields.ts'
import type { ShopTask } from './shop-task.ts'

const host = 'shop.example'
const told = (name: string, value: string, at = host): GivenAnswer => ({ host: at, name, value })

function typed(answers: GivenAnswer[], ...controls: Control[]): string[] {
  return typedBy({ answers, insisted: new Set() }, ...controls)
}

function typedBy(known: Pick<ShopTask, 'answers' | 'insisted'>, ...controls: Control[]): string[] {
  const task = known as unknown as ShopTask // nothing else of it is looked at
  const page = snapshotWith({ controls })
  return [
    ...answeredEntries(task, page, []).map(({ text }) => text),
    ...answeredRadios(task, page).map(({ label }) => label),
  ]
}

const bell = (parts: Partial<Control> = {}) => control({ label: 'Bell', isRequired: true, ...parts })

test('an answer is typed where the same is asked, at its host, where it has room', () => {
  expect(typed([told('bell', 'Ada')], bell())).toEqual(['Ada'])
  expect(typed([told('bell', 'Ada', 'other.example')], bell())).toEqual([])
  expect(typed([told('bell', 'Ada')], bell({ label: 'Doorbell' }))).toEqual([])
  expect(typed([told('bell', 'Ada')], bell({ isRequired: false }))).toEqual([])
  expect(typed([told('bell', 'Ada Lovelace')], bell({ maxLength: 5 }))).toEqual([])
  const insisted = { answers: [told('bell', 'Ada')], insisted: new Set(['bell']) }
  expect(typedBy(insisted, bell({ isRequired: false }))).toEqual(['Ada'])
})

test('a field that has become one for a card or a secret gets no answer', () => {
  const answers = [told('bell', 'Ada')]
  expect(typed(answers, bell({ autocomplete: 'cc-number' }))).toEqual([])
  expect(typed(answers, bell({ name: 'cardnumber' }))).toEqual([])
  expect(typed(answers, bell({ type: 'password' }))).toEqual([])
})

test('a choice is made by its words, and one that is no longer offered is not', () => {
  const option = (value: string, text: string) => ({ value, text, isSelected: false, isDisabled: false })
  const list = (...options: Control['options']) => bell({ kind: 'select', options })
  expect(typed([told('bell', 'Loud')], list(option('1', 'Quiet'), option('2', 'Loud')))).toEqual(['2'])
  expect(typed([told('bell', 'Loud')], list(option('1', 'Quiet')))).toEqual([])
  const radio = (label: string) => bell({ kind: 'radio', name: 'b', group: 'Bell', label })
  expect(typed([told('bell', 'Loud')], radio('Quiet'), radio('Loud'))).toEqual(['Loud'])
})

test.each([
  ['+49 30 901820', 'US', '+4930901820'],
  ['0049 30 901820', 'US', '+4930901820'],
  ['030 901820', 'DE', '+4930901820'],
  ['(503) 555-0123', 'US', '+15035550123'],
  ['ask my neighbor', 'US', null],
])('the phone %s of a buyer in %s becomes %s', (phone, country, expected) => {
  const request = { buyer: { phone: null, shipTo: { country, postalCode: null } } }
  const task = {
    request,
    answers: [told('phone', phone), told('postal_code', '10115')],
  } as unknown as ShopTask // of a request only these are looked at
  const { buyer } = requestAt(task, snapshotWith({}))
  expect([buyer.phone, buyer.shipTo?.postalCode]).toEqual([expected, '10115'])
})

test('what the buyer has is not replaced by an answer', () => {
  const request = { buyer: { phone: '+15035550100', shipTo: null } }
  const task = { request, answers: [told('phone', '+15035550199')] } as unknown as ShopTask // the same
  expect(requestAt(task, snapshotWith({})).buyer.phone).toBe('+15035550100')
})
