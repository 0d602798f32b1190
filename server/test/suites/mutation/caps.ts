import { type Guard, guardsOf } from './guard.ts'

const railCall = 'src/domain/buying/execution/rail/rail-call.test.ts'
const tables = 'test/tables.test.ts'
const cap = 'src/domain/buying/intents/create/cap.test.ts'
const decisions = 'src/domain/buying/intents/decisions.test.ts'
const money = 'src/core/money.test.ts'
const createPurchaseIntent = 'src/domain/buying/intents/create/create-purchase-intent.http.test.ts'

/** Caps, amounts and currencies, in code and in the database. */
export const capsGuards: readonly Guard[] = [
  ...guardsOf('src/domain/buying/execution/rail/rail-call.ts', [railCall], {
    'cap-before-a-charge': {
      keeps: 'no charge above the cap of its cart leaves the process',
      find: 'amount > cart.max_allowed_amount',
      replace: 'amount < 0n',
    },
    'cap-before-an-authorization': {
      keeps: 'no authorization and no credential above the cap is asked for',
      find: "assertWithinCap(locked.cart, hold.step === 'authorize' ? hold.input.amount : hold.input.limit)",
      replace: '',
    },
    'cap-before-a-capture': {
      keeps: 'no capture above the cap is asked for',
      find: 'assertWithinCap(locked.cart, input.amount)',
      replace: '',
    },
  }),
  ...guardsOf('migrations/0091_baseline.sql', [tables], {
    'cap-of-an-intent-in-the-database': {
      keeps: 'an intent is never charged above its cap, even if the code is wrong',
      find: 'constraint purchase_intents_actual_within_cap check (actual_amount <= max_allowed_amount)',
      replace: 'check (true)',
      killers: [tables],
    },
    'cap-of-a-cart-in-the-database': {
      keeps: 'a cart is never charged above its share of the cap',
      find: 'constraint carts_actual_within_cap check (actual_amount <= max_allowed_amount)',
      replace: 'check (true)',
    },
    'lifelong-key': {
      keeps: 'an idempotency key never buys twice, also after its reply was forgotten',
      find: 'create unique index purchase_intents_lifelong_key',
      replace: 'create index purchase_intents_lifelong_key',
    },
    'attempts-in-the-database': {
      keeps: 'no cart is tried more often than it may',
      find: 'check (attempt_number between 1 and max_attempts)',
      replace: '',
    },
  }),
  ...guardsOf('migrations/0091_baseline.sql', [tables], {
    'capture-within-authorization': {
      keeps: 'no capture above what was authorized is ever recorded',
      find: 'check (captured_amount >= 0 and captured_amount <= amount)',
      replace: 'check (captured_amount >= 0)',
    },
    'captured-only-when-captured': {
      keeps: 'a voided or expired authorization was not charged',
      find: "check (status in ('captured', 'refunded') or captured_amount = 0)",
      replace: 'check (true)',
    },
    'one-effect-per-step': {
      keeps: 'one capture, one order and one authorization per attempt of a cart',
      find: 'primary key (account_id, mode, cart_id, attempt, step),',
      replace: '',
    },
    'one-effect-per-key': {
      keeps: 'one key is one effect at the callee',
      find: 'unique (account_id, mode, key)',
      replace: 'check (true)',
    },
    'one-hold-per-attempt': {
      keeps: 'one authorization or credential per attempt of a cart',
      find: 'primary key (account_id, mode, cart_id, attempt),',
      replace: '',
    },
  }),
  ...guardsOf('migrations/0091_baseline.sql', [tables], {
    'one-order-per-attempt': {
      keeps: 'one order per attempt of a cart',
      find: 'create unique index orders_attempt on orders',
      replace: 'create index orders_attempt on orders',
    },
  }),
  ...guardsOf('src/domain/buying/intents/create/cap.ts', [cap], {
    'cap-is-divided': {
      keeps: 'the shares of carts never sum to more than the cap',
      find: 'sum <= most ? [...caps]',
      replace: 'sum >= 0n ? [...caps]',
    },
    'new-price-within-the-maximum': {
      keeps: 'a person is never asked about a price above the limits of the caller and the policies',
      find: 'if (cartCap < newExpected) return null',
      replace: '',
    },
  }),
  ...guardsOf('src/domain/buying/intents/create/decide-create.ts', [decisions], {
    'callers-maximum': {
      keeps: 'the maximum that the caller named holds',
      find: 'terms.callerMax === null ? full : min(full, terms.callerMax)',
      replace: 'full',
    },
    'policies-lower-the-cap': {
      keeps: 'the cap of an intent is at most what its policies leave',
      find: 'min(own, verdict.cap)',
      replace: 'own',
    },
  }),
  ...guardsOf('src/core/money.ts', [money], {
    'shares-keep-the-sum': {
      keeps: 'an amount that is divided into shares keeps its sum to the minor unit',
      find: 'shares[index] = (shares[index] ?? 0n) + 1n',
      replace: 'shares[index] = shares[index] ?? 0n',
    },
  }),
  ...guardsOf('src/domain/buying/intents/create/create-request.ts', [createPurchaseIntent], {
    'one-currency-per-intent': {
      keeps: 'all items of an intent share its currency',
      find: '(one) => one !== currency',
      replace: "(one) => one === ''",
      only: 'must share it',
    },
  }),
]
