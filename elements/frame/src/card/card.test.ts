import { expect, test } from 'vitest'
import { brandOf } from './brands.ts'
import { editNumber, groupedNumber, isNumberWhole } from './card-number.ts'
import { checkCard, emptyDraft } from './check-card.ts'
import { editExpiry, hasExpired, readExpiry } from './expiry.ts'

const november = new Date('2026-11-29T12:00:00Z')

/** `|` is the caret. */
function typed(shown: string, before = '') {
  const { text, caret } = editNumber({
    text: shown.replace('|', ''),
    caret: shown.indexOf('|'),
    before,
    isDeletion: before.length > shown.length - 1,
  })
  return `${text.slice(0, caret)}|${text.slice(caret)}`
}

test('a number is grouped as it is printed, however it was pasted', () => {
  for (const pasted of [
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '４２４２４２４２４２４２４２４２',
    '\t4242.4242.4242.4242 ',
  ])
    expect(typed(`${pasted}|`)).toBe('4242 4242 4242 4242|')
  expect(groupedNumber('378282246310005')).toBe('3782 822463 10005')
  expect(typed('3782822463100059|')).toBe('3782 822463 10005|')
  expect(typed('٤٢٤٢|')).toBe('4242|')
})

test('the caret stays at the digit that was edited', () => {
  expect(typed('42425| 4242 4242 424', '4242 4242 4242 424')).toBe('4242 5|424 2424 2424')
  expect(typed('4242 |242 4242 4242', '4242 4242 4242 4242')).toBe('4242| 2424 2424 242')
  // Only the space was deleted: the digit before it goes.
  expect(typed('4242|4242', '4242 4242')).toBe('424|4 242')
})

test('brands are known by their first digits', () => {
  const known = {
    4: 'visa',
    2720: 'mastercard',
    55: 'mastercard',
    37: 'amex',
    6011: 'discover',
    36: 'diners',
    3530: 'jcb',
    62: 'unionpay',
  }
  for (const [digits, name] of Object.entries(known)) expect(brandOf(digits)?.name).toBe(name)
  for (const digits of ['', '3', '27', '2721', '9']) expect(brandOf(digits)).toBeNull()
  expect(isNumberWhole('4242424242424242')).toBe(true)
  expect(isNumberWhole('4242424242424241')).toBe(false)
  expect(isNumberWhole('378282246310005')).toBe(true)
  expect(isNumberWhole('42424242424242')).toBe(false)
})

test('an expiry is read in every form that people write', () => {
  const forms = [
    '01/2027',
    '01/27',
    '0127',
    '1 / 27',
    '1/2027',
    '012027',
    '127',
    '01-27',
    '01.2027',
    '０１／２７',
    '2027-01',
    ' 01 / 27 ',
  ]
  for (const form of forms) expect([form, readExpiry(form)]).toEqual([form, { month: 1, year: 2027 }])
  for (const form of ['', '13/27', '00/27', '1', '01/2', '01/027', '1/1/27', 'soon'])
    expect([form, readExpiry(form)]).toEqual([form, null])
})

test('an expiry gets its separator while it is typed, and a deleted one stays deleted', () => {
  const keys = (text: string) =>
    [...text].reduce((before, key) => {
      const next = before + key
      return editExpiry({ text: next, caret: next.length, before, isDeletion: false }).text
    }, '')
  for (const text of ['0127', '01/27', '1/27', '1 / 27', '01 / 27'])
    expect([text, keys(text)]).toEqual([text, '01 / 27'])
  expect(keys('727')).toBe('07 / 27')
  expect(keys('01/2027')).toBe('01 / 2027')
  expect(editExpiry({ text: '2027-01', caret: 7, before: '', isDeletion: false }).text).toBe('01 / 27')
  expect(editExpiry({ text: '01 /', caret: 4, before: '01 / ', isDeletion: true }).text).toBe('01')
  expect(editExpiry({ text: '0 / 27', caret: 1, before: '01 / 27', isDeletion: true })).toEqual({
    text: '0 / 27',
    caret: 1,
  })
})

test('a card is good to the end of its month, everywhere', () => {
  expect(hasExpired({ month: 11, year: 2026 }, november)).toBe(false)
  expect(hasExpired({ month: 11, year: 2026 }, new Date('2026-12-01T11:00:00Z'))).toBe(false)
  expect(hasExpired({ month: 11, year: 2026 }, new Date('2026-12-01T12:00:00Z'))).toBe(true)
})

test('each field has its own fault, and a whole card is as the vault takes it', () => {
  expect(checkCard(emptyDraft, november).faults).toEqual({
    number: 'numberMissing',
    expiry: 'expiryMissing',
    code: 'codeMissing',
  })
  const wrong = { number: '4242 4242', expiry: '10 / 26', code: '12', name: '4242 4242 4242 4242' }
  expect(checkCard(wrong, november).faults).toEqual({
    number: 'numberWrong',
    expiry: 'expiryPast',
    code: 'codeWrong',
    name: 'nameIsNumber',
  })
  const amex = { number: '3782 822463 10005', expiry: '1/2030', code: '1111', name: ' Ada Lovelace ' }
  expect(checkCard({ ...amex, code: '111' }, november).faults).toEqual({ code: 'codeWrong' })
  expect(checkCard(amex, november).card).toEqual({
    number: '378282246310005',
    exp_month: 1,
    exp_year: 2030,
    cardholder_name: 'Ada Lovelace',
    cvc: '1111',
  })
})
