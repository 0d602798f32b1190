import { timingSafeEqual } from 'node:crypto'
import type { Statement } from '../../contract/statement.ts'
import { insertKeyMarks, type KeyMark, selectKeyMarks } from './key-marks.sql.ts'
import { keyedHashes } from './keyed-hash.ts'
import { type KeyProvider, UnknownKeyError } from './keys.ts'

/** Runs a statement in the database of the installation whose keys are to be proven. */
export type Ask = <Row>(statement: Statement<Row>) => Promise<Row[]>

/** Something that was made under a key, and whether the given keys make it again or open it. */
export type KeyWitness = { keyId: string; what: string; holds: (keys: KeyProvider) => boolean }

/** What is wrong with the given keys. */
export type KeyFault =
  /** There are none, and the database was filled under others. */
  | { kind: 'none'; needed: readonly string[] }
  | { kind: 'missing'; keyId: string; what: string }
  | { kind: 'other'; keyId: string; what: string }
  | { kind: 'order'; rootId: string }

/**
 * Proves that the given keys are those of the database, by the marks that it holds of them. Without marks, the keys are
 * proven by what was made under them, and then marked. Null: they are the right ones.
 */
export async function proveKeys(
  ask: Ask,
  keys: KeyProvider | null,
  options: {
    witnesses: () => Promise<readonly KeyWitness[]>
    /** Whether the database holds anything that was made under keys. */
    isKeyed: () => Promise<boolean>
    marks: boolean
  },
): Promise<KeyFault | null> {
  const marks = await ask(selectKeyMarks({}))
  if (marks.length > 0) return (await againstMarks(ask, keys, marks, options.marks)) ?? null
  const witnesses = await options.witnesses()
  if (keys === null) {
    const isKeyed = await options.isKeyed()
    const needed = [...new Set(witnesses.map(({ keyId }) => keyId))]
    return isKeyed || needed.length > 0 ? { kind: 'none', needed } : null
  }
  for (const { keyId, what, holds } of witnesses) {
    if (!isHeld(keys, keyId)) return { kind: 'missing', keyId, what }
    // guard unmarked-keys-are-proven: a database without marks is marked only by keys that open what is in it
    if (!holds(keys)) return { kind: 'other', keyId, what }
  }
  if (!options.marks) return null
  await mark(ask, keys, [keys.rootId, keys.currentId])
  // Where several processes began at once, the first has marked it.
  return againstMarks(ask, keys, await ask(selectKeyMarks({})), false)
}

async function againstMarks(
  ask: Ask,
  keys: KeyProvider | null,
  marks: readonly KeyMark[],
  writes: boolean,
): Promise<KeyFault | null> {
  if (keys === null) return { kind: 'none', needed: marks.map(({ key_id }) => key_id) }
  for (const { key_id: keyId, is_root: isRoot, proof } of marks) {
    const what = isRoot ? 'the hashes of API keys' : 'what was sealed since it was added'
    if (!isHeld(keys, keyId)) return { kind: 'missing', keyId, what }
    // guard marked-keys-are-compared: another key of the same id is not taken for the one that the database was filled under
    if (!timingSafeEqual(proof, proofOf(keys, keyId))) return { kind: 'other', keyId, what }
    // guard oldest-key-is-first: tokens are hashed under the key that they were hashed under before
    if (isRoot && keys.rootId !== keyId) return { kind: 'order', rootId: keyId }
  }
  if (writes && !marks.some(({ key_id }) => key_id === keys.currentId))
    await mark(ask, keys, [keys.currentId])
  return null
}

async function mark(ask: Ask, keys: KeyProvider, ids: readonly string[]): Promise<void> {
  const key_ids = [...new Set(ids)]
  await ask(
    insertKeyMarks({
      key_ids,
      are_root: key_ids.map((id) => id === keys.rootId),
      proofs: key_ids.map((id) => proofOf(keys, id)),
    }),
  )
}

function proofOf(keys: KeyProvider, keyId: string): Buffer {
  return keyedHashes(keys, 'prokura/key-mark/v1')(keyId, keyId)
}

function isHeld(keys: KeyProvider, keyId: string): boolean {
  try {
    keys.key(keyId)
    return true
  } catch (error) {
    if (error instanceof UnknownKeyError) return false
    throw error
  }
}
