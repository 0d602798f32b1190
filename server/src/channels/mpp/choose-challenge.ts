import type { Call } from '../../domain/buying/rails/port.ts'
import type { Challenge } from '../../protocols/mpp/challenge.ts'
import { type ChargeRequest, readChargeRequest } from '../../protocols/mpp/charge-request.ts'
import { isDigestOf, type PaidRequest } from './paid-request.ts'
import type { PayingMethod } from './paying-method.ts'

/** A challenge that we can answer, and what it asks for. */
export type Usable = {
  readonly challenge: Challenge
  readonly charge: ChargeRequest
  readonly method: PayingMethod
  readonly expiresAt: Date
}

type Asking = {
  readonly request: PaidRequest
  readonly methods: readonly PayingMethod[]
  readonly mode: Call['mode']
  readonly now: Date
}

/**
 * Of several challenges, which are alternatives, the one of our first method, and of that one in the currency of the cart where there is
 * one. `why`: none can be answered, in a sentence.
 */
export function chooseChallenge(
  challenges: readonly Challenge[],
  asking: Asking,
  currency: string,
): { readonly chosen: Usable } | { readonly why: string } {
  const read = challenges.map((challenge) => readChallenge(challenge, asking))
  const usable = read.filter((one) => typeof one !== 'string')
  const ranked = asking.methods.flatMap((method) => usable.filter((one) => one.method === method))
  const chosen = ranked.find((one) => isCurrency(one.charge, currency)) ?? ranked[0]
  if (chosen) return { chosen }
  return { why: read.find((one) => typeof one === 'string') ?? 'It names no way to pay.' }
}

/** A challenge as it can be answered; else why it cannot. */
export function readChallenge(challenge: Challenge, asking: Asking): Usable | string {
  const method = asking.methods.find(({ name }) => name === challenge.method)
  if (!method || challenge.intent !== 'charge')
    return `It takes payments by ${challenge.method}/${challenge.intent}, which nothing here can make.`
  const charge = readChargeRequest(challenge.request)
  if (charge === null) return 'What it asks for cannot be read.'
  // guard paid-host: no host is paid for what another host sells
  if (!isRealmOf(challenge.realm, asking.request.url)) return 'It asks for a payment to another host.'
  // guard paid-body: no challenge of another body is paid
  if (challenge.digest !== undefined && !isDigestOf(asking.request, challenge.digest))
    return 'It asks for a payment of another request.'
  if (challenge.header !== undefined && !isHeaderName(challenge.header))
    return 'It wants to be paid in a way that is not safe.'
  const expiresAt = expiryOf(challenge)
  if (expiresAt === null) return 'It does not say until when it can be paid.'
  // guard paid-in-time: a challenge that is over is not paid
  if (expiresAt <= asking.now) return 'What it asks for has expired already.'
  return method.takes(charge, asking.mode)
    ? { challenge, charge, method, expiresAt }
    : `It takes payments by ${method.name} that nothing here can make.`
}

export function isCurrency({ currency }: Pick<ChargeRequest, 'currency'>, iso: string): boolean {
  return currency.toUpperCase() === iso
}

/** The library pays whatever realm a challenge names: a host that answers for another could collect what the other is owed. */
function isRealmOf(realm: string, { host, hostname }: URL): boolean {
  const named = realm.toLowerCase()
  return named === host || named === hostname
}

/** What carries the answer is never a header that means something else on the way. */
function isHeaderName(name: string): boolean {
  return /^(?:payment-)?authorization$/i.test(name)
}

function expiryOf({ expires }: Challenge): Date | null {
  if (
    expires === undefined ||
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(expires)
  )
    return null
  const at = new Date(expires)
  return Number.isNaN(at.getTime()) ? null : at
}
