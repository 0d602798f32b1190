import { randomBytes } from 'node:crypto'
import { newToken } from '../platform/secrets/keyed-hash.ts'
import type { CodeFacts, TakeCodeRequest, TakenCode } from '../platform/vault-client/vault-words.ts'
import type { SecurityCodes } from './security-codes.ts'

type Owner = Omit<TakeCodeRequest, 'token' | 'purchase'>

/** The codes that are printed on the test cards, which have no others. */
const codesOfTestCards: readonly string[] = ['111', '1111']

/** Keeps a code that a person has entered; its token is taken for one purchase of this profile. */
export function keepCode(codes: SecurityCodes, owner: Owner, code: string): string {
  const token = newToken(`pr_cvc_${owner.tenant.mode}_`, randomBytes)
  codes.keep(placeOf({ ...owner, token }), code)
  return token
}

export function takeCode(codes: SecurityCodes, asked: TakeCodeRequest): TakenCode {
  const place = placeOf(asked)
  const takenPlace = { ...place, id: `taken ${place.id}` }
  const taken = codes.look(takenPlace)
  if (taken !== null) {
    const { purchase, ...facts }: CodeFacts & { purchase: string } = JSON.parse(taken)
    // guard codes-are-taken-once: a security code proves one payment
    return purchase === asked.purchase ? { kind: 'taken', ...facts } : { kind: 'other_purchase' }
  }
  const code = codes.look(place)
  if (code === null) return { kind: 'none' }
  // Its digits are gone from here on; what the purchase was told of them is told again if its answer was lost.
  codes.forget(place)
  const isOfTestCards = asked.tenant.mode === 'test' && codesOfTestCards.includes(code)
  const facts: CodeFacts = { digits: code.length === 4 ? 4 : 3, isOfTestCards }
  codes.keep(takenPlace, JSON.stringify({ purchase: asked.purchase, ...facts }))
  return { kind: 'taken', ...facts }
}

function placeOf({ tenant: { accountId, mode }, profile, token }: Omit<TakeCodeRequest, 'purchase'>) {
  // guard codes-of-the-profile: the code of one person proves nothing for another
  return { accountId, mode, id: `${profile} ${token}` }
}
