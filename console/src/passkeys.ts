import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { StepUp } from './api.ts'

/** The person has closed the browser's question, or it has no passkey for it. */
export class NoPasskey extends Error {}

/** What a browser is asked: the server has made it for exactly this. */
type Options = Readonly<Record<string, unknown>>

export async function askPasskey(options: Options): Promise<object> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return startAuthentication({ optionsJSON }).catch(none)
}

export async function makePasskey(options: Options): Promise<object> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return startRegistration({ optionsJSON }).catch(none)
}

/** The header that confirms a call. */
export async function confirmation({ id, options }: StepUp): Promise<string> {
  const credential = await askPasskey(options)
  return btoa(JSON.stringify({ id, credential }))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function none(cause: unknown): never {
  throw new NoPasskey('no passkey', { cause })
}
