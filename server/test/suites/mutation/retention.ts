import { type Guard, guardsOf } from './guard.ts'

const sweepDeliveries = 'src/domain/webhooks/destinations/sweep-deliveries.http.test.ts'
const sweepImports = 'src/domain/selling/catalog-imports/sweep-imports.http.test.ts'
const sweepChecks = 'src/domain/readiness/integration-checks/sweep-checks.http.test.ts'
const sweep = 'test/flows/sweep.test.ts'

/** What is removed when its time is over, and what is not. */
export const retentionGuards: readonly Guard[] = [
  ...guardsOf('src/domain/webhooks/destinations/sweep-deliveries.sql.ts', [sweepDeliveries], {
    'sweep-leaves-what-is-due': {
      keeps: 'a delivery that still waits is not swept away',
      find: ' and d.due_at is null',
      replace: '',
      only: 'still waits',
    },
    'sweep-leaves-what-was-redelivered': {
      keeps: 'a delivery that was made again lately is not swept away',
      find: ' and d.updated_at < $before',
      replace: ' and $before::timestamptz is not null',
      only: 'ninety days',
    },
    'attempts-go-with-their-delivery': {
      keeps: 'no attempt is left of a delivery that is gone',
      find: 'a.delivery_id = o.id',
      replace: 'a.delivery_id = o.mode::text',
      only: 'ninety days',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/invariants.sql.ts', [sweepDeliveries], {
    'swept-is-not-lost': {
      keeps: 'the audit takes no delivery that was swept for lost',
      find: 'v.id is null and e.created_at >=',
      replace: 'v.id is null or e.created_at <',
      only: 'ninety days',
    },
  }),
  ...guardsOf('src/domain/selling/catalog-imports/sweep-imports.sql.ts', [sweepImports], {
    'sweep-leaves-files-to-be-read': {
      keeps: 'a file that is still to be read is not swept away',
      find: 'and i.due_at is null and i.updated_at < $before',
      replace: 'and $before::timestamptz is not null',
    },
  }),
  ...guardsOf('src/domain/readiness/integration-checks/sweep-checks.sql.ts', [sweepChecks], {
    'sweep-leaves-the-last-check': {
      keeps: 'the check that a merchant stands on is not swept away',
      find: ' and later.id > c.id',
      replace: ' and later.id >= c.id',
    },
  }),
  ...guardsOf('src/platform/idempotency/sweep-keys.ts', [sweep], {
    'keys-are-kept-for-their-time': {
      keeps: 'an idempotency key replays for as long as it is promised',
      find: 'where created_at < $before order',
      replace: 'where $before::timestamptz is not null order',
      only: 'thirty days',
    },
  }),
  ...guardsOf('src/platform/retention/sweeps.sql.ts', [sweep], {
    'one-sweeper': {
      keeps: 'one process sweeps at a time',
      find: 'and (lease_until <= clock_timestamp() or holder = $holder)',
      replace: '',
      only: 'one process sweeps',
    },
  }),
]
