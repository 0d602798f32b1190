import { timingSafeEqual } from 'node:crypto'
import type { Sealer } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'

type Hasher = Pick<Sealer, 'hashToken'>

const form = /^pv_([0-9a-z]{26})_([\w-]{43})$/

/** What a page passes on for a proof: the id of the proof, signed. The row says the rest. */
export function assertionOf(hasher: Hasher, id: Id<'pver'>): string {
  return `pv_${id.slice('pver_'.length)}_${signatureOf(hasher, id)}`
}

/** The id of the proof; null: nobody here has signed this. */
export function readAssertion(hasher: Hasher, assertion: string): Id<'pver'> | null {
  const [, rest = '', signature = ''] = form.exec(assertion) ?? []
  const id: Id<'pver'> = `pver_${rest}`
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(hasher, id))]
  // guard signed-proofs: nobody makes the proof of a card but who has asked its holder
  return given.length === right.length && timingSafeEqual(given, right) ? id : null
}

function signatureOf({ hashToken }: Hasher, id: string): string {
  return hashToken(`payment verification ${id}`).toString('base64url')
}
