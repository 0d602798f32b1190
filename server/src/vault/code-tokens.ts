import { randomBytes } from 'node:crypto'
import { newToken } from '../platform/secrets/keyed-hash.ts'
import type { TakeCodeRequest, TakenCode } from '../platform/vault-client/vault-words.ts'
import type { SecurityCodes } from './security-codes.ts'

type Owner = Omit<TakeCodeRequest, 'token'>

/** Keeps a code that a person has entered; the token takes it once, for this profile. */
export function keepCode(codes: SecurityCodes, owner: Owner, code: string): string {
  const token = newToken(`pr_cvc_${owner.tenant.mode}_`, randomBytes)
  codes.keep(placeOf({ ...owner, token }), code)
  return token
}

export function takeCode(codes: SecurityCodes, asked: TakeCodeRequest): TakenCode {
  const place = placeOf(asked)
  const code = codes.look(place)
  if (code === null) return { kind: 'none' }
  // guard codes-are-taken-once: a security code proves one payment
  codes.forget(place)
  return { kind: 'taken', digits: code.length === 4 ? 4 : 3 }
}

function placeOf({ tenant: { accountId, mode }, profile, token }: TakeCodeRequest) {
  // guard codes-of-the-profile: the code of one person proves nothing for another
  return { accountId, mode, id: `${profile} ${token}` }
}
