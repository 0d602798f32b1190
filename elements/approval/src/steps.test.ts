import { expect, test } from 'vitest'
import { backTo, isOutdated, noticeOf, noticeOfBeginning, overAfter } from './steps.ts'

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
    noticeOf({ ...refused('rate_limited'), retryAfterS: 90 }),
    noticeOf(refused('frozen')),
  ]).toEqual(['offline', { minutes: 2 }, 'notAllowed'])
})

test('why a card is not asked for its proof is said as the server says it, and one that is gone loads the page again', () => {
  const said = { ...refused('payment_verification_required'), message: 'Ask for its code.' }
  expect([
    noticeOfBeginning(said),
    noticeOfBeginning(refused('unavailable')),
    noticeOfBeginning({ kind: 'no_answer' }),
  ]).toEqual([{ said: 'Ask for its code.' }, 'failed', 'offline'])
  const gone = { ...refused('not_found'), param: 'profile_payment_method_id' }
  expect([isOutdated(gone), isOutdated(refused('not_found'))]).toEqual([true, false])
})

test('a shop that is another now is told in the words of the server, and loads nothing again', () => {
  const changed = { ...refused('merchant_changed'), message: 'Its shop is another now.' }
  expect([noticeOf(changed), isOutdated(changed)]).toEqual([{ said: 'Its shop is another now.' }, false])
})
