import { type Listed, missedBeside, missedBy } from './guard.ts'

/** What keeps one tenant from stopping all others. */
export const sharesGuards: readonly Listed[] = [
  ...missedBeside({
    'strangers-apart': ['actsForAccount({ kind })', 'own'],
    'share-of-a-tenant': [' && this.#insideOf(tenant) < this.#share'],
    'share-below-all': ['Math.min(options.share, options.places - 1)', 'options.share'],
  }),
  ...missedBy(['src/platform/calls/neighbours.http.test.ts'], {
    'door-of-its-own': { how: ['door', 'read'], only: 'keys are still accepted' },
    'long-reads-apart': { how: ["=== 'short", "!== 'bulk"], only: 'four slow calculations' },
    'deep-pages-apart': {
      how: ['offsetOf(query) > deepFrom', 'offsetOf(query) < 0'],
      only: 'deep pages are read apart',
    },
    'share-of-writers': { how: [', share'], only: 'transactions of one tenant' },
    'out-of-time-is-busy': { how: 'gone', only: 'runs out of time' },
    'health-of-callers': {
      how: ['Promise.all([keyDoor.probe(), readDatabaseTime(parts.pools)])', 'keyDoor.probe()'],
      only: 'calls get no answer',
    },
  }),
  ...missedBy(['src/domain/discovery/listings/discovery-rates.http.test.ts'], {
    'pages-apart': ['actsForAccount', 'actsForAccount || keyId !== null'],
  }),
  ...missedBy(['src/platform/calls/visible-texts.http.test.ts'], {
    'seen-texts-alone': ['body: visibleJson(body)', 'body'],
  }),
  ...missedBy(['src/protocols/ucp/message-signature.test.ts'], {
    'old-signatures': [' || Math.abs(created - now.getTime()) <= offMaxMs', ' || created > 0'],
  }),
  ...missedBy(['src/platform/signatures/signing-keys.http.test.ts'], {
    'withdrawn-keys-prove-nothing': ['key.withdrawn_at === null ? [key.public_jwk] : []', '[key.public_jwk]'],
  }),
  ...missedBy(['src/surfaces/ucp/caller-profiles.test.ts'], {
    'refused-run-out-first': 'always',
    'address-first': [' || spending.refused >= ofAddress.refused)', ')'],
    'worth-before-age': ["['refused', 'read', 'verified']", "['verified', 'read', 'refused']"],
  }),
]
