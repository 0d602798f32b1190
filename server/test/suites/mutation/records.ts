import { type Guard, guardsOf } from './guard.ts'

const secret = 'src/platform/secrets/secret.test.ts'
const logs = 'src/platform/logs/logs.test.ts'
const envelope = 'src/platform/secrets/envelope.test.ts'
const keyedHash = 'src/platform/secrets/keyed-hash.test.ts'
const keys = 'src/platform/secrets/keys.test.ts'
const auditChain = 'src/platform/audit/audit-chain.test.ts'
const verifyAudit = 'src/platform/audit/verify-audit.test.ts'
const closeChains = 'src/platform/audit/close-chains.test.ts'
const relay = 'src/platform/events/relay.test.ts'
const lateFollowers = 'src/platform/events/late-followers.test.ts'
const followerTrust = 'src/platform/events/follower-trust.test.ts'
const transaction = 'src/platform/database/transaction.test.ts'
const migrate = 'src/platform/database/migrate.test.ts'
const provenKeys = 'test/proven-keys.test.ts'
const foreignSettings = 'test/foreign-settings.test.ts'
const sweepDeliveries = 'src/domain/webhooks/destinations/sweep-deliveries.http.test.ts'
const sweepImports = 'src/domain/selling/catalog-imports/sweep-imports.http.test.ts'
const sweepChecks = 'src/domain/readiness/integration-checks/sweep-checks.http.test.ts'
const sweep = 'test/flows/sweep.test.ts'
const cardNumber = 'src/schema/card-number.test.ts'
const cardNumbers = 'test/conformance/card-numbers.test.ts'

/** Secrets, the audit chain, and what follows events. */
export const recordsGuards: readonly Guard[] = [
  ...guardsOf('src/platform/secrets/secret.ts', [secret], {
    'secret-in-text': {
      keeps: 'a secret that becomes text is a placeholder',
      find: 'toString(): string {\n    return redacted',
      replace: 'toString(): string {\n    return this.#value',
    },
    'secret-in-json': {
      keeps: 'a secret that becomes JSON is a placeholder',
      find: 'toJSON(): string {\n    return redacted',
      replace: 'toJSON(): string {\n    return this.#value',
    },
    'secret-in-a-template': {
      keeps: 'a secret that is joined to text is a placeholder',
      find: '[Symbol.toPrimitive](): string {\n    return redacted',
      replace: '[Symbol.toPrimitive](): string {\n    return this.#value',
    },
    'secret-in-an-inspection': {
      keeps: 'a secret that is printed is a placeholder',
      find: '[inspect.custom](): string {\n    return redacted',
      replace: '[inspect.custom](): string {\n    return this.#value',
    },
  }),
  ...guardsOf('src/platform/logs/logs.ts', [logs], {
    'secret-names-in-logs': {
      keeps: 'what is called a secret reaches no log',
      find: "secretNames.has(name) ? '[redacted]' : shownOf(value, depth)",
      replace: 'shownOf(value, depth)',
    },
    'errors-in-logs': {
      keeps: 'what hangs on an error reaches no log',
      find: 'serializers: { err: describeError, error: describeError },',
      replace: '',
    },
  }),
  ...guardsOf('src/platform/secrets/prove-keys.ts', [provenKeys], {
    'marked-keys-are-compared': {
      keeps: 'another key of the same id is not taken for the one that the database was filled under',
      find: 'if (!timingSafeEqual(proof, proofOf(keys, keyId)))',
      replace: 'if (proof.length === 0)',
    },
    'oldest-key-is-first': {
      keeps: 'tokens are hashed under the key that they were hashed under before',
      find: 'if (isRoot && keys.rootId !== keyId)',
      replace: 'if (isRoot && keyId === null)',
    },
    'unmarked-keys-are-proven': {
      keeps: 'a database without marks is marked only by keys that open what is in it',
      find: 'if (!holds(keys))',
      replace: 'if (holds === null)',
    },
  }),
  ...guardsOf('src/platform/database/look.ts', [foreignSettings], {
    'encoding-is-refused': {
      keeps: 'a database that cannot hold every name is not begun',
      find: "if (encoding !== 'UTF8')",
      replace: "if (encoding === '')",
    },
  }),
  ...guardsOf('src/platform/secrets/envelope.ts', [envelope], {
    'record-is-bound-to-its-account': {
      keeps: 'a sealed record opens for its account only',
      find: 'what, accountId, mode, id])',
      replace: 'what, mode, id])',
    },
    'record-is-bound-to-its-mode': {
      keeps: 'a sealed record opens in its mode only',
      find: 'what, accountId, mode, id])',
      replace: 'what, accountId, id])',
    },
    'record-is-bound-to-its-id': {
      keeps: 'a sealed record does not open in the place of another',
      find: 'what, accountId, mode, id])',
      replace: 'what, accountId, mode])',
    },
  }),
  ...guardsOf('src/platform/secrets/keyed-hash.ts', [keyedHash], {
    'tokens-under-a-key': {
      keeps: 'who reads the table finds no token by guessing',
      find: 'Buffer.concat([outer, hash(',
      replace: 'Buffer.concat([hash(',
    },
  }),
  ...guardsOf('src/platform/secrets/keys.ts', [keys], {
    'key-file-of-its-owner': {
      keeps: 'a key file that others can read is refused',
      find: '& 0o077',
      replace: '& 0',
    },
  }),
  ...guardsOf('src/platform/audit/walk-chain.ts', [verifyAudit, closeChains], {
    'audit-link': {
      keeps: 'an entry follows the one before it',
      find: "if (!previousHash.equals(this.#previous.hash)) return 'link'",
      replace: '',
    },
    'audit-hash': {
      keeps: 'an entry that was changed, or that another key has signed, is found',
      find: "hashOf(this.#keys ?? noKeys, entry).equals(entry.hash) ? null : 'hash'",
      replace: 'hashOf(this.#keys ?? noKeys, entry) ? null : null',
    },
    'audit-unkeyed': {
      keeps: 'a chain that is written anew without a key is found',
      find: "if (position > 0n && scheme === schemes.plain) return this.#broken('unkeyed', position)",
      replace: '',
      only: 'a chain without a key is named',
    },
    'audit-gap': {
      keeps: 'an entry that was taken out is found',
      find: "if (position !== this.#previous.position + 1n) return 'gap'",
      replace: '',
    },
    'audit-head': {
      keeps: 'a chain that does not end where its head says is found',
      find: "if (head === null || head.position < position) return this.#broken('head', next)",
      replace: 'if (head === null) return null',
    },
    'audit-event': {
      keeps: 'an event that was changed afterwards is found',
      find: "digestOf(event).equals(row.digest) ? null : 'event_changed'",
      replace: 'digestOf(event) ? null : null',
    },
    'audit-missing-event': {
      keeps: 'an event that was removed, and no erasure says so, is found',
      find: "if (missing) return this.#broken('event_missing'",
      replace: "if (missing && false) return this.#broken('event_missing'",
    },
    'audit-exported-end': {
      keeps: 'a tail that was cut off is found by the exported heads',
      find: "if (beyond > position) return this.#broken('truncated', next)",
      replace: 'if (beyond < 0n) return null',
    },
    'audit-exported-hash': {
      keeps: 'a tail that was cut off and grew again is found by the exported heads',
      find: "if (exported !== undefined && exported !== hash.toString('hex')) return 'rewritten'",
      replace: '',
    },
  }),
  ...guardsOf('src/platform/audit/verify-audit.ts', [verifyAudit], {
    'audit-exported-chain': {
      keeps: 'a chain that was erased is found by the exported heads',
      find: "breaks.push({ accountId, mode, position: '1', eventId: null, reason: 'erased' })",
      replace: '',
    },
    'audit-stray-event': {
      keeps: 'an event that nobody will chain is found',
      find: '(tail?.strays ?? []).map(strayOf)',
      replace: '[]',
    },
  }),
  ...guardsOf('src/platform/audit/audit-chain.ts', [auditChain], {
    'audit-hash-of-the-link': {
      keeps: 'the hash of an entry holds the one before it',
      find: "    entry.previousHash.toString('hex'),\n",
      replace: '',
    },
    'audit-under-a-key': {
      keeps: 'who does not hold the key makes no entry',
      find: "return keys.sign(keyId, JSON.stringify(['entry-2', ...named, ...saidBy(entry)]))",
      replace: "return sha256(['entry-2', ...named, ...saidBy(entry)])",
    },
  }),
  ...guardsOf('src/platform/audit/chain-events.ts', [closeChains], {
    'audit-signs-no-open-chain': {
      keeps: 'a chain that has lost its closing entry is not signed on',
      find: 'if (head.position > 0n && head.scheme === schemes.plain)',
      replace: 'if (head.position < 0n)',
    },
  }),
  ...guardsOf('migrations/0037_keyed_audit.sql', [closeChains], {
    'audit-refuses-unkeyed': {
      keeps: 'an older worker appends nothing without a key to a chain that is closed',
      find: 'when (new.scheme = 1)',
      replace: 'when (new.scheme = 0)',
    },
  }),
  ...guardsOf('src/platform/events/relay.sql.ts', [relay], {
    'relay-epoch': {
      keeps: 'a relay that was taken over writes nothing',
      find: 'where shard = $shard and epoch = $epoch for share',
      replace: 'where shard = $shard and $epoch::bigint is not null for share',
    },
  }),
  ...guardsOf('src/platform/events/relay-batch.ts', [relay], {
    'relay-takes-all': {
      keeps: 'what follows an event is written once',
      find: 'if (taken?.taken !== rows.length) throw',
      replace: 'if (taken === null) throw',
    },
  }),
  ...guardsOf('src/platform/events/shard-relay.ts', [lateFollowers], {
    'late-events-keep-their-order': {
      keeps: 'what waits for a follower is not overtaken by what comes later',
      find: 'isTrusted(name) || keys.has(',
      replace: 'isTrusted(name) || new Set<string>().has(',
      only: 'once the follower works again',
    },
    'a-split-batch-goes-on': {
      keeps: 'a follower that fails does not hold up the others',
      after: "result: 'split' })",
      find: 'return null',
      replace: 'throw error',
      only: 'fails for 4 s',
    },
    'session-endings-are-somebodys': {
      keeps: 'a follower that ends the session does not hold up the others',
      find: 'const endingsMax = 3',
      replace: 'const endingsMax = 3000',
      only: 'ends the session',
    },
  }),
  ...guardsOf('src/platform/events/backlog.sql.ts', [lateFollowers], {
    'late-epoch': {
      keeps: 'a relay that lost its shard while it caught up writes nothing',
      after: "'relay_take_backlog'",
      find: 'where shard = $shard and epoch = $epoch for share',
      replace: 'where shard = $shard and $epoch::bigint is not null for share',
      only: 'nobody has caught up yet',
    },
    'behind-waits-for-its-head': {
      keeps: 'what waits behind an event that fails waits as long as it',
      find: 'and b.aggregate_id = $aggregate_id and b.sequence >= $sequence',
      replace: 'and b.aggregate_id = $aggregate_id and b.sequence < 0',
      only: 'tries follow later',
    },
    'parked-after-hours': {
      keeps: 'an event that has failed for hours is named as parked',
      find: 'then coalesce(b.parked_at, $now::timestamptz) else b.parked_at end',
      replace: 'then b.parked_at else b.parked_at end',
      only: 'tries follow later',
    },
  }),
  ...guardsOf('src/platform/events/late-followers.ts', [lateFollowers], {
    'late-in-sequence': {
      keeps: 'late events of an aggregate come in sequence',
      find: 'if (!(await this.#alone(follower, row))) break',
      replace: 'if (!(await this.#alone(follower, row))) continue',
      only: 'fails half of the time',
    },
  }),
  ...guardsOf('src/platform/events/relay-batch.ts', [lateFollowers], {
    'left-behind-is-written': {
      keeps: 'what a follower failed at is not lost',
      find: 'if (sharing.leftBehind.length > 0) transaction.write',
      replace: 'if (sharing.leftBehind.length < 0) transaction.write',
      only: 'fails for 4 s',
    },
    'late-takes-all': {
      keeps: 'what follows an event late is written once',
      find: 'if (taken.length !== events.length) throw',
      replace: 'if (taken === undefined) throw',
      only: 'held up while it caught up',
    },
    'checked-at-once': {
      keeps: 'a constraint that is checked at the commit fails whoever broke it',
      after: 'sharing: Sharing,\n): Promise<void> {',
      find: 'transaction.write(checkAtOnce({}))',
      replace: '',
      only: 'checked at the commit',
    },
  }),
  ...guardsOf('src/platform/events/follower-trust.ts', [followerTrust], {
    'follower-or-event': {
      keeps: 'a follower that fails at everything costs the others nothing',
      find: 'const aggregatesMax = 3',
      replace: 'const aggregatesMax = 3000',
    },
  }),
  ...guardsOf('src/platform/audit/chain-events.ts', [lateFollowers], {
    'chain-has-a-row-to-lock': {
      keeps: 'two who begin a chain at once do not both write its first entry',
      find: 'if (heads.length < tenants.size)',
      replace: 'if (heads.length > tenants.size)',
      only: 'two relays at once',
    },
  }),
  ...guardsOf('src/platform/database/transaction.ts', [transaction], {
    'commit-is-a-commit': {
      keeps: 'a transaction that was rolled back does not answer as if it had happened',
      find: "if (command !== 'COMMIT') throw",
      replace: "if (command === '') throw",
    },
    'a-failed-attempt-is-undone': {
      keeps: 'what somebody failed at is undone for him alone',
      find: "await rows(savepoint('undo'))",
      replace: "await rows(savepoint('release'))",
    },
  }),
  ...guardsOf('src/platform/database/migrate.ts', [migrate], {
    'migrations-do-not-change': {
      keeps: 'a migration that was applied is never another one',
      find: 'if (known === undefined || known.checksum === row.checksum) continue',
      replace: 'continue',
      only: 'text has changed',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/sweep-deliveries.sql.ts', [sweepDeliveries], {
    'sweep-leaves-what-is-due': {
      keeps: 'what still waits to be delivered is not swept away',
      find: ' and d.due_at is null',
      replace: '',
      only: 'still waits',
    },
    'sweep-leaves-what-was-redelivered': {
      keeps: 'what was delivered again lately is not swept away',
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
    'doubled-digests-for-an-hour': {
      keeps: 'a process of the version before can compare what it needs',
      after: 'const isOver',
      find: '> unkeyed_until',
      replace: "> '-infinity'::timestamptz",
      only: 'version before',
    },
    'no-doubled-digest-stays': {
      keeps: 'no unkeyed digest stays once nobody needs it',
      find: 'set request_digest = null',
      replace: 'set request_digest = k.request_digest',
      only: 'version before',
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
  ...guardsOf('src/schema/digit-groups.ts', [cardNumber], {
    'card-numbers-of-any-script': {
      keeps: 'a card number in other digits is seen',
      find: 'digitValues().get(code) ?? letter',
      replace: 'letter',
      only: 'do not hide',
    },
    'card-numbers-with-what-nobody-sees': {
      keeps: 'a card number with invisible characters in it is seen',
      find: 'if (invisible.test(char)) return unseen',
      replace: 'if (invisible.test(char)) return letter',
      only: 'do not hide',
    },
  }),
  ...guardsOf('src/schema/card-number.ts', [cardNumber], {
    'card-numbers-with-marks': {
      keeps: 'a card number with dots, slashes or underscores in it is seen',
      find: '(between & mark) === 0 || isGroupedLikeOne(groups)',
      replace: '(between & mark) === 0',
      only: 'do not hide',
    },
    'short-ones-beside-a-word': {
      keeps: 'a short card number beside a word that says so is seen',
      find: ' || words.areBeside(number.groups)',
      replace: '',
      only: 'a shorter number',
    },
    'barcodes-are-none': {
      keeps: 'a barcode in a text is not refused as a card number',
      find: 'if (isBarcode(number.digits)) continue',
      replace: '',
      only: 'by chance',
    },
    'phones-are-none': {
      keeps: 'a phone number in a note is not refused as a card number',
      find: 'isPhone(digits, groups, text) || ',
      replace: '',
      only: 'by chance',
    },
  }),
  ...guardsOf('src/contract/schemas.ts', [cardNumbers], {
    'texts-are-looked-at': {
      keeps: 'a card number in a name, a note or a label is refused',
      find: 'return Type.String({ minLength: 1, maxLength, noCardNumber: true, ...options })',
      replace: 'return Type.String({ minLength: 1, maxLength, ...options })',
      only: 'every text',
    },
  }),
  ...guardsOf('src/schema/schema-node.ts', [cardNumbers], {
    'card-numbers-within': {
      keeps: 'a card number deep in what a merchant shows of a booking is refused',
      find: 'value.some(holdsCardNumber)',
      replace: 'false',
      only: 'not repeated',
    },
  }),
]
