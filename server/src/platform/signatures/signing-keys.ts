import type { KeyObject } from 'node:crypto'
import type { Sealer, Tenant } from '../../contract/context.ts'
import type { Clock } from '../clock/clock.ts'
import type { Pools } from '../database/pool.ts'
import { aheadOf, type KeyState, nextSignsFrom, statesOf } from './key-states.ts'
import { type EcJwk, makeSigningKey, privateKeyOf } from './signing-key.ts'
import {
  insertSigningKey,
  removeSigningKeys,
  type SigningKeyRow,
  selectSigningKeys,
  withdrawSigningKey,
} from './signing-keys.sql.ts'

/** The keys by which the service signs what it sends to other services. They are made, and replaced, when they are needed. */
export type SigningKeys = {
  /** The public keys by which messages are checked, newest first. */
  published(): Promise<readonly EcJwk[]>
  /** Those by which anything is checked that was ever signed here: a document is looked at years later. */
  lasting(): Promise<readonly EcJwk[]>
  /** The key that signs now. */
  signer(): Promise<{ kid: string; key: KeyObject }>
}

export type ListedKey = {
  kid: string
  state: KeyState | 'withdrawn'
  created_at: Date
  signs_from: Date
  removed_at: Date | null
}

type Parts = {
  pools: Pick<Pools, 'read' | 'single'>
  clock: Pick<Clock, 'now'>
  sealer: (tenant: Tenant) => Sealer
}

/** For this long a process may sign with a key that was removed elsewhere. */
const freshMs = 10_000

/** They belong to no account. */
const owner: Tenant = { accountId: 'acct_service', mode: 'live' }
const sealedAs = 'signing_key'

export function createSigningKeys(parts: Parts): SigningKeys {
  let opened: { kid: string; key: KeyObject } | null = null
  let known: { rows: Promise<SigningKeyRow[]>; untilMs: number } | null = null

  function rows(): Promise<SigningKeyRow[]> {
    if (known && performance.now() < known.untilMs) return known.rows
    const reading = { rows: readDue(parts), untilMs: performance.now() + freshMs }
    known = reading
    // After a failure the next caller asks again.
    reading.rows.catch(() => {
      if (known === reading) known = null
    })
    return reading.rows
  }

  return {
    async published() {
      const keys = await rows()
      return statesOf(keys, await parts.clock.now()).flatMap(({ key, state }) =>
        state === 'removed' ? [] : [key.public_jwk],
      )
    },
    async lasting() {
      // guard withdrawn-keys-prove-nothing: what others can sign is no signature of the service, whenever it is said to be made
      return (await rows()).flatMap((key) => (key.withdrawn_at === null ? [key.public_jwk] : []))
    },
    async signer() {
      const keys = await rows()
      const signing = statesOf(keys, await parts.clock.now()).find(({ state }) => state === 'signing')
      const { kid, sealed } = signing?.key ?? {}
      if (kid === undefined || !sealed) throw new Error('the service has no key that signs')
      if (opened?.kid !== kid)
        opened = { kid, key: privateKeyOf(parts.sealer(owner).open(sealed, sealedAs, kid)) }
      return opened
    },
  }
}

/** All keys and their states, newest first. */
export async function listSigningKeys(parts: Parts): Promise<ListedKey[]> {
  const keys = await readDue(parts)
  return statesOf(keys, await parts.clock.now()).map(
    ({ key: { kid, created_at, signs_from, removed_at, withdrawn_at }, state }) => ({
      kid,
      state: withdrawn_at === null ? state : ('withdrawn' as const),
      created_at,
      signs_from,
      removed_at,
    }),
  )
}

/** Publishes a new key, which signs once nobody holds a profile without it. One that waits for that already is the new one. */
export async function rotateSigningKey(parts: Parts): Promise<ListedKey[]> {
  const now = await parts.clock.now()
  const rows = await readDue(parts)
  if (!statesOf(rows, now).some(({ state }) => state === 'published'))
    await make(parts, rows, { now, signsFrom: aheadOf(now) })
  return listSigningKeys(parts)
}

/** Withdraws a key at once: it has become known. Where it was the one that signs, the one before it, which everybody knows, or a new one signs from now on. Null: there is none, or it was withdrawn before. */
export async function removeSigningKey(parts: Parts, kid: string): Promise<ListedKey[] | null> {
  const now = await parts.clock.now()
  const withdrawn = await parts.pools.single(withdrawSigningKey({ kid, now }))
  return withdrawn.rows.length > 0 ? listSigningKeys(parts) : null
}

/** The keys, once the one that is due has been made. */
async function readDue(parts: Parts): Promise<SigningKeyRow[]> {
  const rows = await parts.pools.read(selectSigningKeys({}))
  const now = await parts.clock.now()
  const signsFrom = nextSignsFrom(rows, now)
  const over = statesOf(rows, now).filter(({ key, state }) => state === 'removed' && key.removed_at === null)
  if (signsFrom === null && over.length === 0) return rows
  if (over.length > 0)
    await parts.pools.single(removeSigningKeys({ kids: over.map(({ key }) => key.kid), now }))
  if (signsFrom !== null) await make(parts, rows, { now, signsFrom })
  return parts.pools.read(selectSigningKeys({}))
}

async function make(
  { pools, sealer }: Parts,
  rows: readonly SigningKeyRow[],
  { now, signsFrom }: { now: Date; signsFrom: Date },
): Promise<void> {
  const { jwk, pem } = makeSigningKey()
  const { kid } = jwk
  await pools.single(
    insertSigningKey({
      generation: (rows[0]?.generation ?? 0) + 1,
      kid,
      public_jwk: JSON.stringify(jwk),
      sealed: sealer(owner).seal(pem, sealedAs, kid),
      created_at: now,
      signs_from: signsFrom,
    }),
  )
}
