import { type Listed, missedBy } from './guard.ts'

/** What a page and the component in it may do with a key that anybody can copy. */
export const elementsGuards: readonly Listed[] = [
  ...missedBy(['src/surfaces/elements/elements.http.test.ts'], {
    'capability-of-a-page': { how: 'never', only: 'reads nothing' },
    'key-for-components': { how: 'never', only: 'begins nothing' },
    'origin-of-a-component': { how: 'always', only: 'learns how its origin is allowed' },
    'frames-host-serves-frames': {
      how: ['url.startsWith(below) ? url : nowhere', 'url'],
      only: 'the frame of a beginning',
    },
    'frames-on-their-origin': {
      how: [
        'host.isHere(request.headers.host) ? await elementDoor.bootstrap(bootstrap) : null',
        'await elementDoor.bootstrap(bootstrap)',
      ],
      only: 'the frame of a beginning',
    },
    'one-embedding-origin': {
      how: ['`frame-ancestors ${origin}`', '`frame-ancestors *`'],
      only: 'the frame of a beginning',
    },
    'session-of-its-bootstrap': { how: 'never', only: 'a beginning is for its key' },
    'bootstrap-of-its-key': {
      how: ['b.hash = $hash and b.key_id = $key_id', 'b.hash = $hash and $key_id::text is not null'],
      only: 'a beginning is for its key',
    },
    'component-that-applies': { how: 'never', only: 'a component for a purchase' },
    'secret-of-one-page': {
      how: [' and (bootstrap_hash is null or bootstrap_hash = $bootstrap_hash)'],
      only: 'a client secret is for its profile',
    },
    'session-ends-with-its-key': {
      how: [' and revoked_at is null'],
      only: 'a session ends',
    },
    'default-by-the-account': {
      how: ["ctx.actor.type !== 'cardholder' && (body", '(body'],
      only: 'a session adds a card',
    },
  }),
  ...missedBy(['src/domain/buyers/card-setups/card-setups.http.test.ts'], {
    'setups-are-bounded': { how: 'gone', only: 'in an hour' },
  }),
  ...missedBy(['src/surfaces/elements/card-page.http.test.ts'], {
    'cards-on-their-origin': { how: 'never', only: 'nowhere else' },
    'cards-in-our-frame': {
      how: ['host !== null && isOrigin(host)', 'host !== null'],
      only: 'stands in no page',
    },
  }),
  ...missedBy(['src/domain/buyers/payment-methods/refusals.http.test.ts'], {
    'bank-refusals-in-a-row': { how: 'never', only: 'after three cards' },
  }),
  ...missedBy(['src/platform/config/config.test.ts'], {
    'passkeys-of-the-own-domain': { how: 'always', only: 'passkeys are of the host' },
    'cards-on-an-origin-of-their-own': { how: 'never', only: 'one that takes cards' },
  }),
  ...missedBy(['src/domain/buyers/payment-methods/add-billing-address.http.test.ts'], {
    'addresses-by-the-server-of-the-page': { how: 'never', only: 'without a client secret' },
  }),
  ...missedBy(['src/domain/buying/standing-budgets/standing-budgets.http.test.ts'], {
    'session-with-its-secret': { how: ['isKnown', 'true'], only: 'did not open' },
    'budgets-by-the-server-of-the-page': { how: 'never', only: 'did not open' },
    'no-test-code-for-a-live-budget': { how: 'never', only: 'identifier of a test code' },
    'budgets-for-proven-cards': { how: 'never', only: 'proven by them' },
    'proven-where-it-was-added': { how: 'always', only: 'proven elsewhere' },
  }),
  ...missedBy(['src/domain/buyers/elements/first-purchases.http.test.ts'], {
    'first-live-purchases': 'never',
  }),
  ...missedBy(['src/domain/buying/verifications/who-proves.http.test.ts'], {
    'proof-that-the-card-asks': {
      how: [' agentic_credentials_preference: _,', ''],
      only: 'a weaker proof',
    },
    'codes-that-somebody-checks': { how: 'always', only: 'in live mode no code' },
    'proofs-of-cards-in-sight': { how: 'never', only: 'that it does not see' },
    'refused-proofs-of-a-card': { how: 'never', only: 'are bounded' },
    'three-codes-a-proof': { how: [' || wrong_tries >= wrongTriesMax'], only: 'are bounded' },
    'cards-stay-enrolled': { how: 'never', only: 'leave the card' },
    'enrolled-by-its-holder': { how: 'never', only: 'enrolls the cards' },
  }),
  ...missedBy(['src/domain/buying/verifications/banks.http.test.ts'], {
    'word-of-the-bank': { how: 'always', only: 'in the name of the bank' },
  }),
  ...missedBy(['src/domain/buying/verifications/verifications.http.test.ts'], {
    'proof-of-the-card': {
      how: ['proof?.paymentMethodId === method.id', 'proof !== null'],
      only: 'of one card',
    },
    'proof-of-the-cap': { how: 'never', only: 'of one card' },
    'proofs-in-time': { how: ['row.expires_at <= ctx.now || ', ''], only: 'of one card' },
    'codes-approve-once': { how: 'never', only: 'security code that a person has typed' },
    'proofs-of-their-purchase': { how: 'never', only: 'a code that the bank has sent' },
    'signed-proofs': {
      how: 'always',
      only: 'a code that the bank has sent',
    },
    'proof-for-its-page': {
      how: [' || row.key_id !== ctx.keyId || row.page !== ctx.component?.page', ''],
      only: 'pages of other keys',
    },
    'challenge-of-the-window': { how: 'never', only: 'earlier opening' },
    'passkey-of-the-card': {
      how: [
        ' and payment_method_id = $payment_method_id order',
        ' and $payment_method_id::text is not null order',
      ],
      only: 'a passkey of another card',
    },
    'passkeys-go-with-their-card': { how: 'gone', only: 'goes with its card' },
    'passkeys-ask-the-person': {
      how: ['requireUserVerification: true', 'requireUserVerification: false'],
      only: 'a passkey of another card',
    },
    'proofs-are-used-once': { how: 'never', only: 'a proof that approved once' },
    provers: { how: 'never', only: 'a component for something else' },
    'windows-prove-in-components': { how: 'never', only: 'a component for something else' },
    'right-typed-code': {
      how: ['typedCode.digits === digits && (row.test_card === null || typedCode.isOfTestCards)', 'true'],
      only: 'security code that a person has typed',
    },
  }),
  ...missedBy(['src/domain/buying/credential-tickets/credential-tickets.http.test.ts'], {
    'ticket-at-a-wall': { how: 'never', only: 'none once it waits no longer' },
    'own-tickets': { how: [' and intent_id in (${intentsOfProfile})'], only: 'was never there' },
    'sealed-for-its-purchase': { how: 'never', only: 'a ticket is sealed once' },
    'sealed-once': { how: 'never', only: 'a ticket is sealed once' },
    'tickets-end-with-their-time': { how: 'never', only: 'whose time is over' },
    'component-sends-a-ticket': { how: 'never', only: 'a component sends a ticket' },
  }),
  ...missedBy(['src/domain/buying/intents/decide/redeem-ticket.test.ts'], {
    'ticket-of-its-kind': { how: 'never', only: 'what becomes of a ticket' },
  }),
]
