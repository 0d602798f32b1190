import { type Guard, guardsOf } from './guard.ts'

const webhookSignature = 'src/platform/signatures/webhook-signature.test.ts'
const strictJson = 'src/schema/strict-json.test.ts'
const address = 'src/platform/egress/address.test.ts'
const target = 'src/platform/egress/target.test.ts'
const egress = 'src/platform/egress/egress.test.ts'
const egressFaults = 'src/platform/egress/egress-faults.test.ts'
const decideAttempt = 'src/domain/webhooks/destinations/decide-attempt.test.ts'
const settleDeliveries = 'src/domain/webhooks/destinations/settle-deliveries.test.ts'
const confirmEndpoint = 'src/domain/webhooks/destinations/confirm-endpoint.http.test.ts'
const hostHour = 'src/domain/webhooks/destinations/host-hour.http.test.ts'
const unconfirmedResponder = 'src/domain/trade/quotes/unconfirmed-responder.http.test.ts'
const unconfirmedMerchant = 'test/flows/unconfirmed-merchant.test.ts'
const quotedPurchase = 'test/flows/quoted-purchase.test.ts'
const deliveries = 'src/domain/webhooks/destinations/deliveries.http.test.ts'
const strangerOrders = 'test/flows/stranger-orders.test.ts'

/** Bytes that come in, and connections that go out. */
export const outsideGuards: readonly Guard[] = [
  ...guardsOf('src/platform/signatures/webhook-signature.ts', [webhookSignature], {
    'signature-is-compared': {
      keeps: 'only the holder of the secret can sign',
      find: 'if (isEqual && matched === -1)',
      replace: 'if (matched === -1)',
    },
    'signature-in-time': {
      keeps: 'an old signature is worth nothing',
      find: 'Math.abs(input.nowSeconds - Number(parsed.timestamp)) > input.toleranceSeconds',
      replace: 'Number(parsed.timestamp) < 0',
    },
    'signature-from-the-future': {
      keeps: 'a signature of tomorrow is worth nothing today',
      find: 'Math.abs(input.nowSeconds - Number(parsed.timestamp))',
      replace: 'input.nowSeconds - Number(parsed.timestamp)',
    },
    'one-timestamp': {
      keeps: 'the time that is checked is the time that was signed',
      find: 'timestamp !== undefined || !timestampPattern',
      replace: '!timestampPattern',
    },
    'timestamp-is-signed': {
      keeps: 'a signature holds for its own time only',
      find: '.update(`',
      replace: ".update(true ? '' : `",
    },
    'digests-are-few': {
      keeps: 'sending many digests at once does not help to guess one',
      find: ' || digests.length > digestsMax',
      replace: '',
    },
  }),
  ...guardsOf('src/schema/strict-json.ts', [strictJson], {
    'duplicate-keys': {
      keeps: 'no request means one thing to one reader and another to the next',
      find: "if (earlier === stringAt(bytes, start, at)) throw new JsonRefused('duplicate key', start)",
      replace: '',
    },
    'duplicate-keys-among-many': {
      keeps: 'a duplicate key is found among many, too',
      find: "if (seen.has(key)) throw new JsonRefused('duplicate key', start)",
      replace: '',
    },
    'forbidden-keys': {
      keeps: 'no request reaches a prototype',
      find: 'if (FORBIDDEN_KEYS.has(key)) throw',
      replace: 'if (at < 0) throw',
    },
    'exact-numbers': {
      keeps: 'no amount is rounded on its way in',
      find: 'if (exponent || integerDigits > 15) refuseInexact(bytes, start, at)',
      replace: '',
    },
    'nesting-ends': {
      keeps: 'a deep document does not end the process',
      find: 'return scanArray(bytes, at, depth + 1)',
      replace: 'return scanArray(bytes, at, depth)',
    },
    'no-nul': {
      keeps: 'no text comes in that the database cannot hold',
      find: "if (unit === 0) throw new JsonRefused('NUL character in a string', at)",
      replace: '',
    },
  }),
  ...guardsOf('src/platform/egress/address.ts', [address], {
    'public-v4': {
      keeps: 'nothing of ours is reached by its IPv4 address',
      find: "address.range() === 'unicast' && address.toString() !== azureHostAgent",
      replace: 'address.toString() !== azureHostAgent',
    },
    'cloud-agents': {
      keeps: 'the metadata service of a cloud host is out of reach',
      find: ' && address.toString() !== azureHostAgent',
      replace: '',
    },
    'public-v6': {
      keeps: 'nothing of ours is reached by its IPv6 address',
      find: "address.match(globalUnicast, 3) && address.range() === 'unicast'",
      replace: 'address.match(globalUnicast, 3)',
    },
    'mapped-v4': {
      keeps: 'an IPv4 address in the clothes of an IPv6 address is one',
      find: 'return isPublicV4(address.toIPv4Address())',
      replace: 'return true',
    },
    nat64: {
      keeps: 'a NAT64 address is judged by the address that it leads to',
      find: 'return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(12)))',
      replace: 'return true',
    },
  }),
  ...guardsOf('src/platform/egress/target.ts', [target], {
    'private-names': {
      keeps: 'no name of a private network is called',
      find: 'return !privateZones.some(',
      replace: 'return true || privateZones.some(',
    },
    'https-only': {
      keeps: 'nothing is told to anybody in clear text',
      find: "if (!isSchemeAllowed(parsed, policy)) return refused('scheme')",
      replace: '',
    },
    'http-to-loopback-alone': {
      keeps: 'plain http goes nowhere but to this machine, also where loopback is open',
      find: 'policy.allowLoopback && isHere',
      replace: 'policy.allowLoopback',
    },
    'no-userinfo': {
      keeps: 'no URL hides its host behind a user name',
      find: "parsed.username !== '' || parsed.password !== ''",
      replace: "parsed.username === ':'",
    },
  }),
  ...guardsOf('src/platform/egress/connector.ts', [egress], {
    'resolved-addresses': {
      keeps: 'a public name that points inside is not called',
      find: "if (!addresses.every(gate.admits)) throw new ConnectFailure('blocked_address')",
      replace: '',
    },
    'every-resolved-address': {
      keeps: 'one bad address condemns a name',
      find: 'addresses.every(gate.admits)',
      replace: 'addresses.some(gate.admits)',
    },
  }),
  ...guardsOf('src/platform/egress/egress.ts', [egress], {
    'own-ports': {
      keeps: 'an address that a tenant names reaches no port of ours',
      find: "if (!this.#ownPorts.has(portOf(url))) return 'loopback'",
      replace: "return 'loopback'",
    },
    'sandbox-webhooks-alone': {
      keeps: "of the sandbox merchants' port nothing but their webhooks is reached",
      find: 'sandboxWebhook.test(url.pathname)',
      replace: 'true',
    },
    'target-is-checked': {
      keeps: 'a literal address inside is not called',
      find: 'if (verdict.ok) {\n      const { url } = verdict',
      replace:
        "if (input.url) {\n      const url = new URL(input.url)\n      if (url.protocol !== 'ftp:') return { url, gate: 'peer' }",
    },
    'loopback-for-test-mode': {
      keeps: 'live mode never calls this machine',
      find: "if (!allowLoopback) return 'public'",
      replace: '',
    },
    'trusted-peers': {
      keeps: 'only a configured peer is exempt from the filter',
      find: 'url === null || !this.#trustedOrigins.has(url.origin)',
      replace: 'url === null',
    },
    'own-framing': {
      keeps: 'no header of a tenant decides where a message ends',
      find: 'assertOwnHeaders(input.headers)\n',
      replace: '\n',
    },
  }),
  ...guardsOf('src/platform/egress/exchange.ts', [egressFaults], {
    'answers-are-bounded': {
      keeps: 'no answer fills the memory',
      find: 'if (this.#bytes > this.#limits.maxResponseBytes)',
      replace: 'if (this.#bytes < 0)',
      only: 'gigabyte|exactly the limit',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/confirm-endpoint.ts', [confirmEndpoint, hostHour], {
    'unconfirmed-gets-tests-alone': {
      keeps: 'an endpoint that never opted in is sent nothing but tests',
      find: 'if (delivery.confirmed) return true',
      replace: 'if (true) return true',
    },
    'another-endpoint-confirms-itself': {
      keeps: 'the answer of the endpoint before confirms nothing of the one after',
      find: 'if (row.endpoint_changes !== endpoint_changes) return',
      replace: '',
    },
    'test-takes-a-place': {
      keeps: 'a host gets its hour of tests and no more',
      find: 'if (place?.booked) return true',
      replace: 'if (place) return true',
    },
    'moved-is-unconfirmed': {
      keeps: 'the endpoint of another URL has to confirm itself',
      find: 'confirmed_at: null, endpoint_changes',
      replace: 'endpoint_changes',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/confirmations.sql.ts', [hostHour], {
    'host-hour-is-bounded': {
      keeps: 'the tests of all tenants to one host are counted together',
      find: ' and key <> $test) < $limit',
      replace: ' and key <> $test) < 1000 + $limit',
    },
  }),
  ...guardsOf('src/domain/trade/quotes/target.sql.ts', [unconfirmedResponder], {
    'responder-has-confirmed': {
      keeps: 'a merchant that has not confirmed its endpoint is not asked for a price',
      find: 'where one.confirmed_at is not null`',
      replace: '`',
    },
  }),
  ...guardsOf('src/domain/buying/execution/native/native.ts', [unconfirmedMerchant], {
    'seller-has-confirmed': {
      keeps: 'no money is held for a merchant whose backend has not confirmed its endpoint',
      find: 'if (found.some((one) => one?.merchant.awaits_confirmation))',
      replace: 'if (found.length < 0)',
      only: 'no money is held',
    },
  }),
  ...guardsOf('src/domain/buying/execution/native/quoted-offer.ts', [quotedPurchase], {
    'quoting-seller-has-confirmed': {
      keeps: 'no money is held for a quote either while the backend has not confirmed its endpoint',
      find: 'if (merchant?.awaits_confirmation)',
      replace: 'if (false)',
      only: 'has still to confirm',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/decide-attempt.ts', [decideAttempt], {
    'redirects-are-failures': {
      keeps: 'a redirect leads nowhere and acknowledges nothing',
      find: 'httpStatus < 300',
      replace: 'httpStatus < 400',
    },
    'deliveries-end': {
      keeps: 'a delivery is tried as often as it says, and then visibly no more',
      find: "if (wait === undefined) return { result: 'exhausted', isGone }",
      replace: '',
    },
    'failing-destinations-end': {
      keeps: 'a destination that only fails is disabled',
      find: '>= failingDaysMax * 86_400_000',
      replace: '< 0',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/delivery-work.sql.ts', [settleDeliveries], {
    'delivery-under-its-lease': {
      keeps: 'a worker that lost a delivery writes nothing about it',
      find: ' and q.lease_token = o.token',
      replace: '',
    },
    'deliveries-in-order': {
      keeps: 'the first deliveries of an order come in its order',
      find: 'e.sequence < q.sequence and not e.is_tried',
      replace: 'false',
      killers: [deliveries],
      only: 'none takes a later one',
    },
  }),
  ...guardsOf('src/domain/buying/stranger-orders/stranger-orders.sql.ts', [strangerOrders], {
    'no-message-is-left-kept': {
      keeps: 'what a merchant says of an order is applied though it comes while the order is placed',
      find: ' and not exists (select from stranger_orders where checkout = $checkout and sender = $sender)',
      replace: '',
      only: 'never left kept',
    },
  }),
]
