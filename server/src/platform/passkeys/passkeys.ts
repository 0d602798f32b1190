import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'

/** Whose passkeys they are: a host of ours, and the origin of the page that asks. */
export type RelyingParty = { readonly id: string; readonly origin: string }

/** A passkey as it is kept. */
export type Passkey = {
  readonly id: string
  readonly public_key: Buffer
  readonly counter: bigint
  readonly transports: readonly string[]
}

type Known = Pick<Passkey, 'id' | 'transports'>

const waitMs = 5 * 60_000

/** What the browser is asked in order to use a passkey: one of these, or, where none is named, any that it has for the host. */
export async function optionsToUse(asked: {
  party: RelyingParty
  challenge: Uint8Array
  passkeys: readonly Known[]
}): Promise<{ readonly challenge: string }> {
  return await generateAuthenticationOptions({
    challenge: bytesOf(asked.challenge),
    rpID: asked.party.id,
    allowCredentials: asked.passkeys.map(described),
    userVerification: 'required',
    timeout: waitMs,
  })
}

/** What the browser is asked in order to make a passkey. `isFound`: it is found later without anybody saying whose it is. */
export async function optionsToMake(asked: {
  party: RelyingParty
  challenge: Uint8Array
  passkeys: readonly Known[]
  /** Random, or an id: browsers keep one passkey for each. */
  user: Uint8Array
  /** What the browser calls it. */
  name: string
  isFound: boolean
}): Promise<{ readonly challenge: string }> {
  return await generateRegistrationOptions({
    challenge: bytesOf(asked.challenge),
    rpID: asked.party.id,
    rpName: 'Prokura',
    userID: bytesOf(asked.user),
    userName: asked.name,
    userDisplayName: asked.name,
    excludeCredentials: asked.passkeys.map(described),
    attestationType: 'none',
    authenticatorSelection: {
      residentKey: asked.isFound ? 'required' : 'discouraged',
      userVerification: 'required',
    },
    timeout: waitMs,
  })
}

type Signed = {
  readonly party: RelyingParty
  readonly challenge: string
  readonly credential: Readonly<Record<string, unknown>>
}

/** The passkey that a browser has made; null: it has made none for this question. */
export async function checkCreated({ party, challenge, credential }: Signed): Promise<Passkey | null> {
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

/** The passkey, of these, that has signed, with its new counter; null: none has. */
export async function checkUsed<Kept extends Passkey>(
  { party, challenge, credential }: Signed,
  passkeys: readonly Kept[],
): Promise<{ passkey: Kept; counter: bigint } | null> {
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
        ...described(passkey),
        publicKey: bytesOf(passkey.public_key),
        counter: Number(passkey.counter),
      },
    })
    return verified ? { passkey, counter: BigInt(authenticationInfo.newCounter) } : null
  } catch {
    return null
  }
}

type Transport = NonNullable<RegistrationResponseJSON['response']['transports']>[number]

function described({ id, transports }: Known) {
  return { id, transports: transports as Transport[] } // as the browser said them
}

function bytesOf(part: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(part)
}
