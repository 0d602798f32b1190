import { expect, test } from 'vitest'
import { noticeOf } from './steps.ts'

const refused = (code: string, param: string | null) =>
  ({ kind: 'refused', code, message: 'No.', param, retryAfterS: null }) as const

test('a purchase that is over is told as one, and a card that is gone is not', () => {
  const about = (code: string, param: string | null) => noticeOf(refused(code, param), true)?.about
  expect(about('not_approvable', null)).toBe('purchase_over')
  expect(about('not_found', 'purchase_intent_id')).toBe('purchase_over')
  expect(about('not_found', 'profile_payment_method_id')).toBe('not_proven')
})
