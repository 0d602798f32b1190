import { expect, test } from 'vitest'
import { payoutOf } from './payout.ts'
import type { PayoutFacts } from './payouts.sql.ts'

const undecided: PayoutFacts = {
  is_decided: false,
  is_stopped: false,
  decided_account: null,
  account: null,
  charges_enabled: null,
}

function said(facts: Partial<PayoutFacts>): string {
  const payout = payoutOf({ ...undecided, ...facts })
  return payout.to === 'account' ? payout.account : payout.to
}

const opened = { account: 'acct_1' }
const ready = { ...opened, charges_enabled: true }
const named = { is_decided: true, decided_account: 'acct_1' }

test.each([
  ['nothing is decided, and no account is open', {}, 'nobody'],
  ['the merchant has opened an account that nobody has asked about', opened, 'nobody'],
  ['it may not be charged', { ...opened, charges_enabled: false }, 'nobody'],
  ['it may be charged', ready, 'acct_1'],
  ['the operator is the merchant of record', { is_decided: true }, 'operator'],
  ['the operator is, although the merchant has an account', { ...ready, is_decided: true }, 'operator'],
  [
    'the operator has stopped it, although its account may be charged',
    { ...ready, is_decided: true, is_stopped: true },
    'nobody',
  ],
  ['the operator has named an account that nobody has asked about', { ...named, ...opened }, 'acct_1'],
  [
    'the operator has named an account that may not be charged',
    { ...named, ...opened, charges_enabled: false },
    'nobody',
  ],
  [
    'the operator has named an account, and what is known is of another one',
    { ...named, account: 'acct_2', charges_enabled: false },
    'acct_1',
  ],
])('who is paid: %s', (_, facts, who) => {
  expect(said(facts)).toBe(who)
})
