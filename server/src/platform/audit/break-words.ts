import type { BreakReason } from './walk-chain.ts'

/** What each break of a chain means, for people. */
export const breakWords: Record<BreakReason, string> = {
  gap: 'an entry is missing',
  link: 'the entry does not follow the one before it: entries were put in or changed places',
  hash: 'the entry was changed, or whoever wrote it did not hold the key',
  unkeyed:
    'the entry has no key where it must have one: the chain was written anew without it, or no worker of this version has closed it yet',
  unknown_key: 'the entry names a key that is not among the configured keys',
  format: 'the entry says what this version does not know, or cannot be',
  event_changed: 'its event was changed',
  event_missing: 'its event is not there, and no erasure says so',
  event_unchained:
    'the event is in no chain, and no relay will put it there: it was put in, or its entry removed',
  head: 'the chain does not end where its head says',
  truncated: 'the chain was cut: an exported head lies beyond its end',
  rewritten: 'the entry is another than an exported head says: the chain was cut or changed, and went on',
  erased: 'the chain of an exported head is gone',
}
