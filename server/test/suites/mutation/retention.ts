import { type Listed, missedBy } from './guard.ts'

/** What is removed when its time is over, and what is not. */
export const retentionGuards: readonly Listed[] = [
  ...missedBy(['src/domain/webhooks/destinations/sweep-deliveries.http.test.ts'], {
    'sweep-leaves-what-is-due': { how: [' and d.due_at is null'], only: 'still waits' },
    'sweep-leaves-what-was-redelivered': {
      how: ['d.updated_at < $before', '$before::timestamptz is not null'],
      only: 'ninety days',
    },
    'attempts-go-with-their-delivery': {
      how: ['a.delivery_id = o.id', 'a.delivery_id = o.mode::text'],
      only: 'ninety days',
    },
    'swept-is-not-lost': {
      how: ['v.id is null and e.created_at >=', 'v.id is null or e.created_at <'],
      only: 'ninety days',
    },
  }),
  ...missedBy(['src/domain/selling/catalog-imports/sweep-imports.http.test.ts'], {
    'sweep-leaves-files-to-be-read': [
      'i.due_at is null and i.updated_at < $before',
      '$before::timestamptz is not null',
    ],
  }),
  ...missedBy(['src/domain/readiness/integration-checks/sweep-checks.http.test.ts'], {
    'sweep-leaves-the-last-check': [' and later.id > c.id', ' and later.id >= c.id'],
  }),
  ...missedBy(['test/flows/sweep.test.ts'], {
    'keys-are-kept-for-their-time': {
      how: ['created_at < $before', '$before::timestamptz is not null'],
      only: 'thirty days',
    },
    'one-sweeper': {
      how: ['and (lease_until <= clock_timestamp() or holder = $holder)'],
      only: 'one process sweeps',
    },
  }),
]
