import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Bytes that come in, and connections that go out. */
export const outsideGuards: readonly Listed[] = [
  ...missedBeside({
    'signature-is-compared': ['if (isEqual && matched === -1)', 'if (matched === -1)'],
    'signature-in-time': 'never',
    'signature-from-the-future': [
      'Math.abs(input.nowSeconds - Number(parsed.timestamp))',
      'input.nowSeconds - Number(parsed.timestamp)',
    ],
    'one-timestamp': ['timestamp !== undefined || !timestampPattern', '!timestampPattern'],
    'timestamp-is-signed': ['.update(`', ".update(true ? '' : `"],
    'digests-are-few': [' || digests.length > digestsMax'],
    'duplicate-keys': 'gone',
    'duplicate-keys-among-many': 'gone',
    'forbidden-keys': 'never',
    'exact-numbers': 'gone',
    'nesting-ends': ['return scanArray(bytes, at, depth + 1)', 'return scanArray(bytes, at, depth)'],
    'no-nul': 'gone',
    'public-v4': ["range() === 'unicast' && address."],
    'cloud-agents': [' && address.toString() !== azureHostAgent'],
    'public-v6': [" && address.range() === 'unicast'"],
    'mapped-v4': ['return isPublicV4(address.toIPv4Address())', 'return true'],
    nat64: ['return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(12)))', 'return true'],
    'private-names': 'always',
    'https-only': 'gone',
    'http-to-loopback-alone': ['policy.allowLoopback && isHere', 'policy.allowLoopback'],
    'no-userinfo': 'never',
    'own-ports': ["if (!this.#ownPorts.has(portOf(url))) return 'loopback'", "return 'loopback'"],
    'sandbox-webhooks-alone': ['sandboxWebhook.test(url.pathname)', 'true'],
    'target-is-checked': [
      'verdict.ok) {\n      const { url } = verdict',
      "input.url) {\n      const url = new URL(input.url)\n      if (url.protocol !== 'ftp:') return { url, gate: 'peer' }",
    ],
    'loopback-for-test-mode': 'gone',
    'trusted-peers': ['url === null || !this.#trustedOrigins.has(url.origin)', 'url === null'],
    'own-framing': 'gone',
    'redirects-are-failures': ['httpStatus < 300', 'httpStatus < 400'],
    'deliveries-end': 'gone',
    'failing-destinations-end': ['>= failingDaysMax * 86_400_000', '< 0'],
  }),
  ...missedBy(['src/platform/egress/egress.test.ts'], {
    'resolved-addresses': 'gone',
    'every-resolved-address': ['addresses.every(gate.admits)', 'addresses.some(gate.admits)'],
  }),
  ...missedBy(['src/models/ai-sdk-model.test.ts'], {
    'model-answers-are-bounded': { how: 'never', only: 'of a flood' },
    'what-a-model-says-is-bounded': { how: 'never', only: 'says more than' },
  }),
  ...missedBy(['src/platform/egress/stream-exchange.test.ts'], { 'streams-are-bounded': 'never' }),
  ...missedBy(['src/platform/egress/egress-faults.test.ts'], {
    'answers-are-bounded': { how: 'never', only: 'gigabyte|exactly the limit' },
  }),
  ...missedBy(
    [
      'src/domain/webhooks/destinations/confirm-endpoint.http.test.ts',
      'src/domain/webhooks/destinations/host-hour.http.test.ts',
    ],
    {
      'unconfirmed-gets-tests-alone': 'always',
      'another-endpoint-confirms-itself': 'gone',
      'test-takes-a-place': ['if (place?.booked) return true', 'if (place) return true'],
      'moved-is-unconfirmed': ['confirmed_at: null, endpoint_changes', 'endpoint_changes'],
    },
  ),
  ...missedBy(['src/domain/webhooks/destinations/host-hour.http.test.ts'], {
    'host-hour-is-bounded': [' and key <> $test) < $limit', ' and key <> $test) < 1000 + $limit'],
  }),
  ...missedBy(['src/domain/trade/quotes/unconfirmed-responder.http.test.ts'], {
    'responder-has-confirmed': ['where one.confirmed_at is not null`', '`'],
  }),
  ...missedBy(['test/flows/unconfirmed-merchant.test.ts'], {
    'seller-has-confirmed': { how: 'never', only: 'no money is held' },
  }),
  ...missedBy(['test/flows/quoted-purchase.test.ts'], {
    'quoting-seller-has-confirmed': { how: 'never', only: 'has still to confirm' },
  }),
  ...missedBy(['src/domain/webhooks/destinations/settle-deliveries.test.ts'], {
    'delivery-under-its-lease': [' and q.lease_token = o.token'],
  }),
  ...missedBy(['src/domain/webhooks/destinations/deliveries.http.test.ts'], {
    'deliveries-in-order': {
      how: ['e.sequence < q.sequence and not e.is_tried', 'false'],
      only: 'none takes a later one',
    },
  }),
  ...missedBy(['test/flows/stranger-orders.test.ts'], {
    'no-message-is-left-kept': {
      how: [' and not exists (select from stranger_orders where checkout = $checkout and sender = $sender)'],
      only: 'never left kept',
    },
  }),
]
