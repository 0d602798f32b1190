import type { Guard } from './guard.ts'

type Quoted = Pick<Extract<Guard, { mark: null }>, 'keeps' | 'how' | 'only'>

/** What the database itself refuses. A migration that was shipped keeps every byte, so its guards are quoted here and not marked there. */
export const migrationGuards: readonly Guard[] = [
  ...quoted('migrations/0091_baseline.sql', ['test/tables.test.ts'], {
    'cap-of-an-intent-in-the-database': {
      keeps: 'an intent is never charged above its cap, even if the code is wrong',
      how: [
        'constraint purchase_intents_actual_within_cap check (actual_amount <= max_allowed_amount)',
        'check (true)',
      ],
    },
    'cap-of-a-cart-in-the-database': {
      keeps: 'a cart is never charged above its share of the cap',
      how: ['constraint carts_actual_within_cap check (actual_amount <= max_allowed_amount)', 'check (true)'],
    },
    'lifelong-key': {
      keeps: 'an idempotency key never buys twice, also after its reply was forgotten',
      how: [
        'create unique index purchase_intents_lifelong_key',
        'create index purchase_intents_lifelong_key',
      ],
    },
    'attempts-in-the-database': {
      keeps: 'no cart is tried more often than it may',
      how: ['check (attempt_number between 1 and max_attempts)'],
    },
    'capture-within-authorization': {
      keeps: 'no capture above what was authorized is ever recorded',
      how: ['check (captured_amount >= 0 and captured_amount <= amount)', 'check (captured_amount >= 0)'],
    },
    'captured-only-when-captured': {
      keeps: 'a voided or expired authorization was not charged',
      how: ["check (status in ('captured', 'refunded') or captured_amount = 0)", 'check (true)'],
    },
    'one-effect-per-step': {
      keeps: 'one capture, one order and one authorization per attempt of a cart',
      how: ['primary key (account_id, mode, cart_id, attempt, step),'],
    },
    'one-effect-per-key': {
      keeps: 'one key is one effect at the callee',
      how: ['unique (account_id, mode, key)', 'check (true)'],
    },
    'one-hold-per-attempt': {
      keeps: 'one authorization or credential per attempt of a cart',
      how: ['primary key (account_id, mode, cart_id, attempt),'],
    },
    'one-order-per-attempt': {
      keeps: 'one order per attempt of a cart',
      how: ['create unique index orders_attempt on orders', 'create index orders_attempt on orders'],
    },
    'one-open-reservation': {
      keeps: 'a purchase holds one reservation under a policy',
      how: ['create unique index policy_reservations_open', 'create index policy_reservations_open'],
    },
    'settled-within-reserved': {
      keeps: 'no purchase settles above its reservation',
      how: ['check (actual_amount <= amount)'],
    },
    'refunds-in-the-database': {
      keeps: 'refunds never add up to more than was captured, even if the code is wrong',
      how: ['refunds_amount >= 0 and refunds_amount <= total_amount', 'refunds_amount >= 0'],
    },
    'price-in-the-database': {
      keeps: 'no order costs more than its authorization, even if the code is wrong',
      how: ['authorized_amount is null or total_amount <= authorized_amount', 'true'],
    },
  }),
  ...quoted('migrations/0091_baseline.sql', ['src/domain/trade/orders/create-order-response.http.test.ts'], {
    'confirmation-reference-once': {
      keeps: 'a confirmation reference names one order of a merchant',
      how: [
        'create unique index orders_confirmation_reference',
        'create index orders_confirmation_reference',
      ],
      only: 'confirmation reference',
    },
  }),
  ...quoted('migrations/0091_baseline.sql', ['src/domain/buyers/profiles/create-profile.http.test.ts'], {
    'key-is-unique': {
      keeps: 'of two equal requests at once one is done',
      how: ['primary key (account_id, mode, operation, key)', 'check (true)'],
      only: 'idempotency key|one key',
    },
  }),
  ...quoted('migrations/0091_baseline.sql', ['src/domain/webhooks/destinations/destinations.http.test.ts'], {
    'one-responder': {
      keeps: 'one merchant has one designated responder',
      how: ['create unique index destinations_one_responder', 'create index destinations_one_responder'],
      only: 'responder',
    },
  }),
  ...quoted('migrations/0093_only_what_is_used.sql', ['test/tables.test.ts'], {
    'audit-refuses-unkeyed': {
      keeps: 'an entry of the audit chain is under a key',
      how: ['scheme > 1 and range_first is not null', 'scheme > 0 or range_first is not null'],
    },
  }),
  ...quoted('migrations/0111_buyer_of_a_purchase.sql', ['test/tables.test.ts'], {
    'buyer-in-the-database': {
      keeps: 'nothing is bought for somebody whom the purchase does not name',
      how: ['buyer is not null or', 'true or'],
    },
  }),
]

function quoted(
  file: string,
  killers: readonly string[],
  entries: Readonly<Record<string, Quoted>>,
): Guard[] {
  return Object.entries(entries).map(([id, entry]) => ({ id, mark: null, file, killers, ...entry }))
}
