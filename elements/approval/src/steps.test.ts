import { expect, test } from 'vitest'
import { backTo, noticeOf, overAfter } from './steps.ts'

const refused = (code: string) =>
  ({ kind: 'refused', code, message: '', param: null, retryAfterS: null }) as const
const of = { id: 'pi_1', status: 'approved', name: 'Shop' }

test('the way back says which purchase it was and how it stands, beside what stood in the address', () => {
  expect(backTo('https://shop.example/done?status=x&from=link#top', of)).toEqual({
    url: 'https://shop.example/done?status=approved&from=link&purchase_intent_id=pi_1#top',
    name: 'Shop',
  })
  for (const url of [null, 'javascript:alert(1)', '/done']) expect(backTo(url, of)).toBeNull()
})

test('a link that is over says so, and what may come later says that', () => {
  expect(overAfter(refused('link_claimed'))).toEqual({ kind: 'over', why: 'claimed' })
  expect(overAfter(refused('link_over'))).toEqual({ kind: 'over', why: 'over' })
  expect(overAfter(refused('unavailable'))).toBeNull()
  expect(overAfter({ kind: 'no_answer' })).toBeNull()
  expect([
    noticeOf({ kind: 'no_answer' }),
    noticeOf(refused('rate_limited')),
    noticeOf(refused('frozen')),
  ]).toEqual(['offline', 'failed', 'notAllowed'])
})
