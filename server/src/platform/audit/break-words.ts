import type { BreakReason } from './check-links.ts'

/** What each break of a chain means, for people. */
export const breakWords: Record<BreakReason, string> = {
  gap: 'an entry is missing',
  link: 'the entry does not follow the one before it: entries were inserted or moved',
  hash: 'the entry was changed, or was written without the key',
  unknown_key: 'the entry names a key that is not among the configured keys',
  format: 'the entry holds a value that this version does not know, or that cannot be right',
  event_changed: 'its event was changed',
  event_missing: 'its event is missing, and no erasure says that it was removed',
  event_unchained:
    'the event is in no chain, and the relay will not put it there: the event was inserted, or its entry was removed',
  event_twice: 'the chain holds the event more than once',
  event_skipped:
    'the chain holds a later event of the same object and not this one, which does not exist: it was removed before it was chained',
  head: 'the chain does not end where its head says',
  truncated: 'the end of the chain was cut off: an exported head is beyond its end',
  rewritten: 'the entry differs from an exported head: the chain was cut or changed, and then continued',
  erased: 'the chain of an exported head is missing',
}
