import { type Guard, guardsOf } from './guard.ts'

const secret = 'src/platform/secrets/secret.test.ts'
const logs = 'src/platform/logs/logs.test.ts'
const envelope = 'src/platform/secrets/envelope.test.ts'
const keyedHash = 'src/platform/secrets/keyed-hash.test.ts'
const keys = 'src/platform/secrets/keys.test.ts'
const auditChain = 'src/platform/audit/audit-chain.test.ts'
const verifyAudit = 'src/platform/audit/verify-audit.test.ts'
const relay = 'src/platform/events/relay.test.ts'
const transaction = 'src/platform/database/transaction.test.ts'
const migrate = 'src/platform/database/migrate.test.ts'

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
  ...guardsOf('src/platform/audit/verify-audit.ts', [verifyAudit], {
    'audit-link': {
      keeps: 'an entry follows the one before it',
      find: "if (!entry.previousHash.equals(previous.hash)) return 'link'",
      replace: '',
    },
    'audit-hash': {
      keeps: 'an entry that was changed is found',
      find: "return hashOf(entry).equals(entry.hash) ? null : 'hash'",
      replace: 'return null',
    },
    'audit-gap': {
      keeps: 'an entry that was taken out is found',
      find: "if (entry.position !== previous.position + 1n) return 'gap'",
      replace: '',
    },
    'audit-head': {
      keeps: 'a chain that was cut short is found',
      find: 'last.position === head.position && last.hash.equals(head.hash)',
      replace: 'last.position <= head.position',
    },
    'audit-event': {
      keeps: 'an event that was changed afterwards is found',
      find: "(isEventChanged(row) ? 'event' : null)",
      replace: 'null',
    },
  }),
  ...guardsOf('src/platform/audit/audit-chain.ts', [auditChain], {
    'audit-hash-of-the-link': {
      keeps: 'the hash of an entry holds the one before it',
      find: "    entry.previousHash.toString('hex'),\n",
      replace: '',
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
      find: 'if (answers[0]?.taken !== rows.length) throw',
      replace: 'if (answers === undefined) throw',
    },
  }),
  ...guardsOf('src/platform/events/shard-relay.ts', [relay], {
    'relay-gives-up': {
      keeps: 'an event that always fails is set aside where somebody sees it',
      find: 'const failuresMax = 5',
      replace: 'const failuresMax = 500',
      only: 'parks',
    },
  }),
  ...guardsOf('src/platform/database/transaction.ts', [transaction], {
    'commit-is-a-commit': {
      keeps: 'a transaction that was rolled back does not answer as if it had happened',
      find: "if (command !== 'COMMIT') throw",
      replace: "if (command === '') throw",
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
]
