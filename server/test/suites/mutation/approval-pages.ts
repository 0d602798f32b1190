import { type Listed, missedBy } from './guard.ts'

/** What whoever has a link can do with it, and what only the person can on whose page it is opened; and pages on which people decide. */
export const approvalPageGuards: readonly Listed[] = [
  ...missedBy(['src/domain/buying/approval-links/approval-links.http.test.ts'], {
    'link-for-a-question': { how: 'never', only: 'made only for a purchase' },
    'no-strangers-page': { how: 'never', only: 'leads back only' },
    'links-of-writers': { how: 'always', only: 'who may make links' },
    'link-of-one-browser': { how: 'never', only: 'of the browser that has claimed it' },
    'link-for-its-question': { how: 'always', only: 'a link for one question' },
    'outcome-to-who-opened': { how: 'never', only: 'what became of it' },
    'asked-this-once': {
      how: [' and approval_expires_at = $asked_until', ' and $asked_until::timestamptz is not null'],
      only: 'a link for one question',
    },
    'session-ends-with-its-key/link': {
      how: [' and revoked_at is null'],
      only: 'end with the key',
    },
  }),
  ...missedBy(['src/domain/buying/intents/decide/approve-in-page.http.test.ts'], {
    'page-says-the-cap': { how: 'never', only: 'says the cap' },
    'no-test-code-on-a-page': { how: 'never', only: 'says the cap' },
    'no-test-proof-on-a-page': { how: 'never', only: 'says the cap' },
    'terms-that-were-shown': { how: 'never', only: 'after the terms were shown' },
    'card-of-the-person': { how: 'always', only: 'anybody may have added' },
    'added-by-anybody': { how: ["'page'", "'account'"], only: 'anybody may have added' },
    'page-asks-a-proof': { how: 'never', only: 'is proven by its' },
    'page-asks-each-time': { how: ['component !== null || '], only: 'a price that has risen' },
  }),
  ...missedBy(['test/elements/approval-page.test.ts'], {
    'page-in-no-frame': { how: [`origin: "'none'"`, `origin: '*'`], only: 'stands in no frame' },
  }),
  ...missedBy(['src/surfaces/console/pages.http.test.ts'], {
    'console-in-no-frame': {
      how: [`"frame-ancestors 'none'"`, `"frame-ancestors *"`],
      only: 'stands in no page of others',
    },
  }),
]
