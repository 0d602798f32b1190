import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { CallContext } from '../../../contract/context.ts'
import type { PasskeyRow } from './verifications.sql.ts'

/** Whose passkeys they are: the host of the elements origin. */
export type RelyingParty = { readonly id: string; readonly origin: string }

type Asking = {
  readonly party: RelyingParty
  readonly passkeys: readonly PasskeyRow[]
  readonly card: { readonly card_brand: string; readonly card_last4: string }
  readonly random: CallContext['random']
}

const waitMs = 5 * 60_000

/** What the browser is asked: to make a passkey for the card, or to use one that was made for it. */
export function optionsFor(
  purpose: 'approval' | 'enrollment',
  { party, passkeys, card, random }: Asking,
): Promise<{ readonly challenge: string }> {
  const challenge = bytesOf(random(32))
  const known = passkeys.map(({ id, transports }) => ({ id, transports: transports as Transport[] })) // as the browser said them
  if (purpose === 'approval')
    return generateAuthenticationOptions({
      challenge,
      rpID: party.id,
      allowCredentials: known,
      userVerification: 'required',
      timeout: waitMs,
    })
  const name = `${card.card_brand} •• ${card.card_last4}`
  return generateRegistrationOptions({
    challenge,
    rpID: party.id,
    rpName: 'Prokura',
    userID: bytesOf(random(16)),
    userName: name,
    userDisplayName: name,
    excludeCredentials: known,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
    timeout: waitMs,
  })
}

type Signed = {
  readonly party: RelyingParty
  readonly challenge: string
  readonly credential: Readonly<Record<string, unknown>>
}

type MadePasskey = Pick<PasskeyRow, 'id' | 'public_key' | 'counter' | 'transports'>

/** The passkey that a browser has made; null: it has made none for this question. */
export async function checkCreated({ party, challenge, credential }: Signed): Promise<MadePasskey | null> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // The library reads every field of it before it believes one.
      response: credential as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (!verified) return null
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return { id, public_key: Buffer.from(publicKey), counter: BigInt(counter), transports }
  } catch {
    return null
  }
}

/** The passkey of the card that has signed, with its new counter; null: none has. */
export async function checkUsed(
  { party, challenge, credential }: Signed,
  passkeys: readonly PasskeyRow[],
): Promise<{ passkey: PasskeyRow; counter: bigint } | null> {
  const passkey = passkeys.find(({ id }) => id === credential.id)
  if (passkey === undefined) return null
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // guard passkeys-ask-the-person: who only holds the device proves nothing
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: bytesOf(passkey.public_key),
        counter: Number(passkey.counter),
        transports: passkey.transports as Transport[],
      },
    })
    return verified ? { passkey, counter: BigInt(authenticationInfo.newCounter) } : null
  } catch {
    return null
  }
}

type Transport = NonNullable<RegistrationResponseJSON['response']['transports']>[number]

function bytesOf(part: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(part)
}
