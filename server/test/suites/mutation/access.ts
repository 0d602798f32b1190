import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Who calls, what the caller may do, and whether the call is a repeat. */
export const accessGuards: readonly Listed[] = [
  ...missedBeside({
    'expired-key': ['expiresAt <= now ? null : grant', 'grant'],
    'unknown-key': ["if (!grant) return new Problem('unauthorized')", 'if (!grant) return nobody'],
    'digest-is-keyed': [
      'keyed(keys.currentId, scope, args)',
      "process.getBuiltinModule('node:crypto').hash('sha256', canonical(requestOf(args)), 'buffer')",
    ],
    'digest-of-one-key': {
      how: ['operation, key, requestOf(args)]', 'operation, requestOf(args)]'],
      only: 'do not show as equal',
    },
    'digest-names-its-key': {
      how: ['keyed(digest_key, scope, args)', 'keyed(keys.currentId, scope, args)'],
      only: 'rotated',
    },
    'signature-of-an-answer': 'gone',
    'unknown-destination': ['if (!door) throw refused(', 'if (door === undefined) throw refused('],
    'answer-of-its-type': [' || door.event_type !== eventType'],
    'answer-to-its-order': 'never',
    'answer-with-authority': ["door.status !== 'enabled' || !mayAnswer", "door.status !== 'enabled'"],
    'answer-while-enabled': ["door.status !== 'enabled' || !mayAnswer", '!mayAnswer'],
    'buyers-answer-nothing': ["audience === 'merchant' && orderResponderTypes", 'orderResponderTypes'],
    'verified-before-claimed': ['merchant.domain_verified_at ? 1000 : 0', '0'],
    'domains-by-label': ['host.endsWith(`.', 'host.endsWith(`'],
  }),
  ...missedBy(['src/surfaces/v1/credentials.http.test.ts'], {
    'revoked-key': [' and k.revoked_at is null'],
    'digest-of-the-path': ['path, '],
    'key-of-its-operation': [' and k.operation = $operation', ' and $operation::text is not null'],
    'key-of-its-tenant': ['k.account_id = $account_id', '$account_id::text is not null'],
    'key-of-its-mode': ['k.mode = $mode and k.operation', '$mode::mode is not null and k.operation'],
  }),
  ...missedBy(['src/domain/buyers/profiles/create-profile.http.test.ts'], {
    'account-of-a-key': ['k.hash in ($hash::bytea, sha256($hash::bytea))', '$hash::bytea is not null'],
    'publishable-key': { how: 'never', only: 'no credentials' },
    'mode-of-a-key': { how: ['mode: grant.mode }', "mode: 'live' }"], only: 'the other mode' },
    scope: { how: 'never', only: 'no credentials' },
    'key-means-one-request': { how: 'never', only: 'idempotency key' },
    'key-is-claimed': { how: 'always', only: 'idempotency key|one key' },
    'digest-of-the-body': {
      how: ['return [path, query, withoutKey(body)]', 'return [path, query]'],
      only: 'idempotency key',
    },
  }),
  ...missedBy(['src/surfaces/v1/publishable-keys.http.test.ts'], {
    'origin-of-a-page': [' && origins.includes(origin)'],
    'viewer-of-a-page': ['seesUnpublished: false', 'seesUnpublished: true'],
  }),
  ...missedBy(['src/domain/trade/quotes/responses.http.test.ts'], {
    'signature-has-its-form': { how: 'never', only: 'a signature comes with decision' },
  }),
  ...missedBy(['src/domain/buying/intents/read/list-purchase-intent-events.http.test.ts'], {
    'stream-ends-with-its-key': { how: 'gone', only: 'ends with the key' },
  }),
  ...missedBy(['src/domain/buying/intents/read/get-purchase-intent.http.test.ts'], {
    'wait-ends-with-its-key': { how: 'gone', only: 'while it waits gets nothing' },
  }),
  ...missedBy(['src/domain/webhooks/destinations/response-authority.http.test.ts'], {
    'answer-to-a-delivery': [' and v.destination_id = d.id'],
    'rotated-secrets-end': ['(s.expires_at is null or s.expires_at > prokura_now())', 'true'],
  }),
  ...missedBy(['src/domain/webhooks/destinations/identify-signed-response.http.test.ts'], {
    'one-accepted-answer': [
      '\n     and not exists (\n       select from deliveries o\n       where o.event_account_id = v.event_account_id and o.mode = v.mode and o.event_id = v.event_id and o.response_accepted\n     )',
    ],
  }),
  ...missedBy(['src/domain/webhooks/destinations/buyer-deliveries.http.test.ts'], {
    'audience-of-an-event': { how: ['d.audience = e.audience and '], only: 'shows each what it may see' },
  }),
]
