import { type Guard, guardsOf } from './guard.ts'

const responseAuthority = 'src/domain/webhooks/destinations/response-authority.http.test.ts'
const authenticate = 'src/surfaces/v1/credentials.http.test.ts'
const publishableKeys = 'src/surfaces/v1/publishable-keys.http.test.ts'
const requestDigest = 'src/platform/idempotency/request-digest.http.test.ts'
const createProfile = 'src/domain/buyers/profiles/create-profile.http.test.ts'
const getPurchaseIntent = 'src/domain/buying/intents/read/get-purchase-intent.http.test.ts'
const listPurchaseIntentEvents = 'src/domain/buying/intents/read/list-purchase-intent-events.http.test.ts'
const quoteResponses = 'src/domain/trade/quotes/responses.http.test.ts'
const identifySignedResponse = 'src/domain/webhooks/destinations/identify-signed-response.http.test.ts'
const destinations = 'src/domain/webhooks/destinations/destinations.http.test.ts'
const buyerDeliveries = 'src/domain/webhooks/destinations/buyer-deliveries.http.test.ts'
const eventTypes = 'src/domain/webhooks/destinations/event-types.test.ts'
const merchantOfUrl = 'src/domain/selling/merchant/merchant-of-url.test.ts'

/** Who calls, what the caller may do, and whether the call is a repeat. */
export const accessGuards: readonly Guard[] = [
  ...guardsOf('src/domain/accounts/api-keys/key-lookups.sql.ts', [authenticate], {
    'revoked-key': {
      keeps: 'a revoked key opens nothing',
      after: "'door_api_key',",
      find: ' and k.revoked_at is null',
      replace: '',
    },
    'account-of-a-key': {
      keeps: 'a key opens its own account',
      find: 'where k.hash in ($hash::bytea, sha256($hash::bytea))',
      replace: 'where $hash::bytea is not null',
      killers: [createProfile],
    },
  }),
  ...guardsOf('src/surfaces/v1/credentials.ts', [createProfile], {
    'expired-key': {
      keeps: 'an expired key opens nothing',
      find: 'expiresAt <= now ? null : grant',
      replace: 'grant',
      killers: [authenticate],
    },
    'unknown-key': {
      keeps: 'a key that nobody issued is refused',
      find: "if (!grant) return new Problem('unauthorized')",
      replace: 'if (!grant) return nobody',
      killers: [authenticate],
    },
    'publishable-key': {
      keeps: 'a key that stands in a web page does nothing here',
      find: "if (auth !== 'optional') return new Problem",
      replace: 'if (auth === null) return new Problem',
      only: 'no credentials',
    },
    'origin-of-a-page': {
      keeps: 'a key that stands in a web page works in no other page',
      find: 'if (origin !== undefined && origins.includes(origin)) return null',
      replace: 'if (origin !== undefined) return null',
      killers: [publishableKeys],
    },
    'mode-of-a-key': {
      keeps: 'a key of test mode moves nothing in live mode',
      find: 'mode: grant.mode }',
      replace: "mode: 'live' }",
      only: 'the other mode',
    },
  }),
  ...guardsOf('src/platform/calls/principal.ts', [createProfile], {
    'viewer-of-a-page': {
      keeps: 'a key that stands in a web page shows nothing private of its account',
      after: 'page: { calls:',
      find: 'seesUnpublished: false',
      replace: 'seesUnpublished: true',
      killers: [publishableKeys],
    },
    scope: {
      keeps: 'a key does what its scopes say',
      find: 'operation.scope && !scopes.has(operation.scope)',
      replace: "operation.scope === ''",
      only: 'no credentials',
    },
  }),
  ...guardsOf('src/platform/calls/arguments.ts', [quoteResponses], {
    'signature-has-its-form': {
      keeps: "a signed answer has every field of its form, and none of a key's",
      find: 'isSigned ? bodyOfSigners : bodyOfKeys',
      replace: 'bodyOfKeys',
      only: 'a signature comes with decision',
    },
  }),
  ...guardsOf('src/platform/calls/dispatch.ts', [createProfile], {
    'stream-ends-with-its-key': {
      keeps: 'a stream ends with the key that opened it',
      find: 'if (!(await this.#isStillAuthorized())) return',
      replace: '',
      killers: [listPurchaseIntentEvents],
      only: 'ends with the key',
    },
    'wait-ends-with-its-key': {
      keeps: 'a request that waits gets no answer once its key is revoked',
      find: "if (this.waited.ms > 0 && !(await this.#isStillAuthorized())) throw new Problem('unauthorized')",
      replace: '',
      killers: [getPurchaseIntent],
      only: 'while it waits gets nothing',
    },
    'key-means-one-request': {
      keeps: 'an idempotency key with another request is a conflict',
      find: '!this.#options.requestDigests.isOf(stored, scope, argumentsOf(args))',
      replace: 'stored.status === 0',
      only: 'idempotency key',
    },
    'key-is-claimed': {
      keeps: 'the second use of a key does nothing again',
      find: 'if (idempotencyKey === null) return null\n',
      replace: 'if (args) return null\n',
      only: 'idempotency key|one key',
    },
  }),
  ...guardsOf('src/platform/idempotency/request-digest.ts', [requestDigest], {
    'digest-of-the-body': {
      keeps: 'another body under the same key is another request',
      find: 'return [path, query, withoutKey(body)]',
      replace: 'return [path, query]',
      killers: [createProfile],
      only: 'idempotency key',
    },
    'digest-of-the-path': {
      keeps: 'another object in the path under the same key is another request',
      find: 'return [path, query, withoutKey(body)]',
      replace: 'return [query, withoutKey(body)]',
      killers: [authenticate],
    },
    'digest-is-keyed': {
      keeps: 'a reader of the database finds no birth date by trying all of them',
      find: 'keyed_digest: keyed(keys.currentId, scope, args)',
      replace:
        "keyed_digest: process.getBuiltinModule('node:crypto').hash('sha256', canonical(requestOf(args)), 'buffer')",
    },
    'digest-of-one-key': {
      keeps: 'a reader of the database does not see which requests are equal',
      find: 'operation, key, requestOf(args)]',
      replace: 'operation, requestOf(args)]',
      only: 'do not show as equal',
    },
    'digest-names-its-key': {
      keeps: 'a key of before a rotation of the encryption keys still means its one request',
      find: 'keyed(digest_key, scope, args)',
      replace: 'keyed(keys.currentId, scope, args)',
      only: 'rotated',
    },
  }),
  ...guardsOf('src/platform/idempotency/idempotency.ts', [authenticate], {
    'key-of-its-operation': {
      keeps: 'a key used for another operation replays nothing',
      find: ' and k.operation = $operation',
      replace: ' and $operation::text is not null',
    },
    'key-of-its-tenant': {
      keeps: 'the key of another account replays nothing',
      find: 'where k.account_id = $account_id and k.mode = $mode',
      replace: 'where $account_id::text is not null and k.mode = $mode',
    },
    'key-of-its-mode': {
      keeps: 'the key of the other mode replays nothing',
      find: 'k.mode = $mode and k.operation',
      replace: '$mode::mode is not null and k.operation',
    },
  }),
  ...guardsOf('migrations/0091_baseline.sql', [createProfile], {
    'key-is-unique': {
      keeps: 'of two equal requests at once one is done',
      find: 'primary key (account_id, mode, operation, key)',
      replace: 'check (true)',
      only: 'idempotency key|one key',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/identify-signed-response.ts', [identifySignedResponse], {
    'signature-of-an-answer': {
      keeps: 'an answer without the right signature is refused',
      find: 'checkSignature(request, door, signature)',
      replace: '',
    },
    'unknown-destination': {
      keeps: 'a destination that does not exist answers nothing',
      find: 'if (!door) throw refused(',
      replace: 'if (door === undefined) throw refused(',
    },
    'answer-of-its-type': {
      keeps: 'the echoed type is that of the delivery',
      find: ' || door.event_type !== eventType',
      replace: '',
    },
    'answer-to-its-order': {
      keeps: 'a response URL takes the answer to its own order',
      find: 'if (door.aggregate_id !== target)',
      replace: "if (door.aggregate_id === '')",
    },
    'answer-with-authority': {
      keeps: 'a destination that may not answer does not',
      find: "door.status !== 'enabled' || !mayAnswer",
      replace: "door.status !== 'enabled'",
    },
    'answer-while-enabled': {
      keeps: 'a disabled destination answers nothing',
      find: "door.status !== 'enabled' || !mayAnswer",
      replace: '!mayAnswer',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/response-door.sql.ts', [identifySignedResponse], {
    'answer-to-a-delivery': {
      keeps: 'a destination answers only events that were delivered to it',
      find: ' and v.destination_id = d.id',
      replace: '',
      killers: [responseAuthority],
    },
    'rotated-secrets-end': {
      keeps: 'a secret that was rotated away signs nothing after its day',
      find: '(s.expires_at is null or s.expires_at > prokura_now())',
      replace: 'true',
      killers: [responseAuthority],
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/deliveries.sql.ts', [identifySignedResponse], {
    'one-accepted-answer': {
      keeps: 'one answer per event is noted as accepted',
      find: '\n     and not exists (\n       select from deliveries o\n       where o.event_account_id = v.event_account_id and o.mode = v.mode and o.event_id = v.event_id and o.response_accepted\n     )',
      replace: '',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/follow-deliveries.sql.ts', [buyerDeliveries], {
    'audience-of-an-event': {
      keeps: 'a merchant and a buyer are each told their own side of an event',
      find: 'd.audience = e.audience and ',
      replace: '',
      only: 'shows each what it may see',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/event-types.ts', [eventTypes], {
    'buyers-answer-nothing': {
      keeps: 'a destination of a buyer may not answer',
      find: "audience === 'merchant' && orderResponderTypes",
      replace: 'orderResponderTypes',
    },
  }),
  ...guardsOf('migrations/0091_baseline.sql', [destinations], {
    'one-responder': {
      keeps: 'one merchant has one designated responder',
      find: 'create unique index destinations_one_responder',
      replace: 'create index destinations_one_responder',
      only: 'responder',
    },
  }),
  ...guardsOf('src/domain/selling/merchant/merchant-of-url.ts', [merchantOfUrl], {
    'verified-before-claimed': {
      keeps: 'a merchant that only claims a domain takes no purchases from the merchant that proved it',
      find: 'merchant.domain_verified_at ? 1000 : 0',
      replace: '0',
    },
    'domains-by-label': {
      keeps: 'a domain that only ends like another sells nothing for it',
      find: 'host.endsWith(`.',
      replace: 'host.endsWith(`',
    },
  }),
]
