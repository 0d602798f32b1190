import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Secrets, and the audit chain. */
export const recordsGuards: readonly Listed[] = [
  ...missedBeside({
    'bounded-unpacking': [', maxOutputLength: Math.max(1, size)'],
    'secret-in-text': ['redacted', 'this.#value'],
    'secret-in-json': ['redacted', 'this.#value'],
    'secret-in-a-template': ['redacted', 'this.#value'],
    'secret-in-an-inspection': ['redacted', 'this.#value'],
    'record-is-bound-to-its-account': ['what, accountId, mode, id])', 'what, mode, id])'],
    'record-is-bound-to-its-mode': ['what, accountId, mode, id])', 'what, accountId, id])'],
    'record-is-bound-to-its-id': ['what, accountId, mode, id])', 'what, accountId, mode])'],
    'tokens-under-a-key': ['Buffer.concat([outer, hash(', 'Buffer.concat([hash('],
    'key-file-of-its-owner': ['& 0o077', '& 0'],
    'audit-batch-holds-its-link': 'gone',
    'audit-batch-holds-its-digests': 'gone',
    'audit-proof-of-the-event': ["digestOfStored(stored).equals(digest) ? null : 'event_changed'", 'null'],
    'audit-proof-of-what-follows': 'always',
    'open-credentials-are-not-named': [
      "hold.kind === 'credential' && hold.status === 'authorized' ? null : ",
      '',
    ],
    'audit-hash-of-the-link': 'gone',
    'audit-under-a-key': [
      "keys.sign(keyId, JSON.stringify(['entry-2', ...named, ...saidBy(entry)]))",
      "sha256(['entry-2', ...named, ...saidBy(entry)])",
    ],
  }),
  ...missedBy(['src/platform/logs/logs.test.ts'], {
    'secret-names-in-logs': 'never',
    'errors-in-logs': 'gone',
    'secrets-in-prepared-lines': ['mayHoldSecret(text)', 'text.length < 0'],
  }),
  ...missedBy(['test/proven-keys.test.ts'], {
    'marked-keys-are-compared': 'never',
    'oldest-key-is-first': 'never',
    'unmarked-keys-are-proven': 'never',
  }),
  ...missedBy(['test/foreign-settings.test.ts'], {
    'encoding-is-refused': 'never',
  }),
  ...missedBy(['src/platform/audit/verify-audit.test.ts', 'src/platform/audit/verify-batches.test.ts'], {
    'audit-link': 'always',
    'audit-hash': ["computed().equals(said) ? null : 'hash'", 'computed() ? null : null'],
    'audit-gap': 'gone',
    'audit-head': [" || head.position < position) return this.#broken('head', next)", ') return null'],
    'audit-event': ["?.equals(row.digest) ? null : 'event_changed'", ' ? null : null'],
    'audit-missing-event': 'never',
    'audit-exported-end': ["> position) return this.#broken('truncated', next)", '< 0n) return null'],
    'audit-exported-hash': 'never',
    'audit-exported-chain': 'gone',
    'audit-stray-event': ['(tail?.strays ?? []).map(strayOf)', '[]'],
  }),
  ...missedBy(['src/platform/audit/verify-batches.test.ts'], {
    'audit-event-of-a-batch': ['else if (!event.digest.equals(digest))', 'else if (!event.digest)'],
    'audit-whole-batch': [' || !isWhole(batch)'],
    'audit-end-inside-a-batch': ['if (exported.has(at)) return true'],
    'audit-event-twice': ['where first <= before limit', 'where first < 0 limit'],
    'audit-event-skipped': ['where c.first > c.before + 1', 'where c.first < 0'],
  }),
  ...missedBy(['src/platform/audit/chain-events.test.ts'], {
    'audit-continues-the-end': ['h.position = n.first_position - 1 and h.hash = n.previous_hash and '],
  }),
]
