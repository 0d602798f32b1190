import type { Settings } from '../../../../contract/context.ts'
import type { RelyingParty } from '../../../../platform/passkeys/passkeys.ts'

/**
 * The origin at which people use the console. A passkey is of a name: on a machine of one's own the console is at `localhost`, whichever
 * number the API is reached by.
 */
export function consoleOrigin({ publicUrl }: Pick<Settings, 'publicUrl'>): string {
  const url = new URL(publicUrl)
  if (/^(?:127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)) url.hostname = 'localhost'
  return url.origin
}

/** Below the origin, where the console begins. */
export function consoleAddress(settings: Pick<Settings, 'publicUrl'>, rest = ''): string {
  const path = new URL(settings.publicUrl).pathname.replace(/\/+$/, '')
  return `${consoleOrigin(settings)}${path}/console${rest}`
}

export function partyOfPeople(settings: Pick<Settings, 'publicUrl'>): RelyingParty {
  const origin = consoleOrigin(settings)
  return { id: new URL(origin).hostname, origin }
}
