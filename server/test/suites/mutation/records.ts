import { type Guard, guardsOf } from './guard.ts'

const secret = 'src/platform/secrets/secret.test.ts'
const logs = 'src/platform/logs/logs.test.ts'
const envelope = 'src/platform/secrets/envelope.test.ts'
const keyedHash = 'src/platform/secrets/keyed-hash.test.ts'
const keys = 'src/platform/secrets/keys.test.ts'
const auditChain = 'src/platform/audit/audit-chain.test.ts'
const tables = 'test/tables.test.ts'
const verifyAudit = 'src/platform/audit/verify-audit.test.ts'
const verifyBatches = 'src/platform/audit/verify-batches.test.ts'
const chainEvents = 'src/platform/audit/chain-events.test.ts'
const auditBatch = 'src/platform/audit/audit-batch.test.ts'
const proveEvent = 'src/platform/audit/prove-event.test.ts'
const provenKeys = 'test/proven-keys.test.ts'
const foreignSettings = 'test/foreign-settings.test.ts'

/** Secrets, and the audit chain. */
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
  ...guardsOf('src/platform/logs/redact.ts', [logs], {
    'secret-names-in-logs': {
      keeps: 'a field with the name of a secret reaches no log',
      find: 'isSecret(name) && !isEmpty(value) ? hidden : shownOf(value, depth)',
      replace: 'shownOf(value, depth)',
    },
    'errors-in-logs': {
      keeps: 'fields of an error reach no log',
      find: 'if (value instanceof Error) return describeError(value)',
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
      keeps: 'a reader of the table finds no token by guessing',
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
  ...guardsOf('src/platform/audit/check-links.ts', [verifyAudit, verifyBatches], {
    'audit-link': {
      keeps: 'an entry follows the one before it',
      find: "link.previousHash.equals(this.#previous.hash) ? null : 'link'",
      replace: 'null',
    },
    'audit-hash': {
      keeps: 'an entry that was changed, or that another key has signed, is found',
      find: "computed().equals(said) ? null : 'hash'",
      replace: 'computed() ? null : null',
    },
    'audit-gap': {
      keeps: 'an entry that was taken out is found',
      find: "if (link.firstPosition !== this.#previous.position + 1n) return 'gap'",
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
    'audit-event-of-a-batch': {
      keeps: 'an event of a batch that was changed afterwards is found',
      find: 'else if (!event.digest.equals(digest))',
      replace: 'else if (!event.digest)',
      killers: [verifyBatches],
    },
    'audit-whole-batch': {
      keeps: 'a batch that speaks of more events than it has digests is found',
      find: ' || !isWhole(batch)',
      replace: '',
      killers: [verifyBatches],
    },
    'audit-end-inside-a-batch': {
      keeps: 'a tail that was cut off and grew again is found where a batch stands over its old end',
      find: 'if (exported.has(at)) return true',
      replace: '',
      killers: [verifyBatches],
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
      find: "return known !== undefined && known !== hash.toString('hex')",
      replace: 'return known === null',
    },
  }),
  ...guardsOf('src/platform/audit/verify-audit.ts', [verifyAudit, verifyBatches], {
    'audit-exported-chain': {
      keeps: 'a chain that was erased is found by the exported heads',
      find: "breaks.push({ accountId, mode, position: '1', ...noEvent, reason: 'erased' })",
      replace: '',
    },
    'audit-stray-event': {
      keeps: 'an event that nobody will chain is found',
      find: '(tail?.strays ?? []).map(strayOf)',
      replace: '[]',
    },
  }),
  ...guardsOf('src/platform/audit/batches.sql.ts', [chainEvents], {
    'audit-continues-the-end': {
      keeps: 'a process that remembers an earlier end of a chain does not continue it there',
      find: 'where h.position = n.first_position - 1 and h.hash = n.previous_hash and',
      replace: 'where',
    },
  }),
  ...guardsOf('src/platform/audit/claims.sql.ts', [verifyBatches], {
    'audit-event-twice': {
      keeps: 'an event that a chain holds twice is found',
      find: 'where first <= before limit',
      replace: 'where first < 0 limit',
    },
    'audit-event-skipped': {
      keeps: 'an event that was removed before it was chained is found',
      find: 'where c.first > c.before + 1',
      replace: 'where c.first < 0',
    },
  }),
  ...guardsOf('src/platform/audit/audit-batch.ts', [auditBatch], {
    'audit-batch-holds-its-link': {
      keeps: 'the hash of a batch holds the one before it',
      find: "      batch.previousHash.toString('hex'),\n",
      replace: '',
    },
    'audit-batch-holds-its-digests': {
      keeps: 'the hash of a batch holds the digests of its events',
      find: "      hash('sha256', batch.digests, 'hex'),\n",
      replace: '',
    },
  }),
  ...guardsOf('src/platform/audit/prove-event.ts', [proveEvent], {
    'audit-proof-of-the-event': {
      keeps: 'an event that was changed is not proven',
      find: "stored.digest.equals(digest) ? null : 'event_changed'",
      replace: 'null',
    },
    'audit-proof-of-what-follows': {
      keeps: 'an event is not proven where the chain goes on with something else',
      find: "after.previous_hash.equals(hash) ? null : 'link'",
      replace: 'null',
    },
  }),
  ...guardsOf('src/platform/audit/audit-chain.ts', [auditChain], {
    'audit-hash-of-the-link': {
      keeps: 'the hash of an entry holds the one before it',
      find: "    entry.previousHash.toString('hex'),\n",
      replace: '',
    },
    'audit-under-a-key': {
      keeps: 'an entry cannot be made without the key',
      find: "return keys.sign(keyId, JSON.stringify(['entry-2', ...named, ...saidBy(entry)]))",
      replace: "return sha256(['entry-2', ...named, ...saidBy(entry)])",
    },
  }),
  ...guardsOf('migrations/0093_only_what_is_used.sql', [tables], {
    'audit-refuses-unkeyed': {
      keeps: 'an entry of the audit chain is under a key',
      find: 'scheme > 1 and range_first is not null',
      replace: 'scheme > 0 or range_first is not null',
    },
  }),
]
