/** What opens a frame. */
export type Bootstrap = { readonly bootstrap: string; readonly frameUrl: URL }

/** Why there is none, in the server's words where it said some. */
export class Refused extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export type Bootstraps = {
  /** A reload, and a component that is mounted again, use the same one as long as it surely opens a session. */
  get(component: string): Promise<Bootstrap>
  /** Another one: the last does not do any more. */
  renew(component: string): Promise<Bootstrap>
}

/** It is good for five minutes; so much of that is left for who waits for the frame, or fills in the form. */
const keptMs = 2 * 60_000

export function createBootstraps(publishableKey: string, origin: string): Bootstraps {
  const kept = new Map<string, { asked: number; answer: Promise<Bootstrap> }>()
  function renew(component: string): Promise<Bootstrap> {
    const asked = Date.now()
    const answer = ask(origin, { publishable_key: publishableKey, component })
    kept.set(component, { asked, answer })
    answer.catch(() => {
      if (kept.get(component)?.answer === answer) kept.delete(component)
    })
    return answer
  }
  return {
    renew,
    get(component) {
      const last = kept.get(component)
      return last !== undefined && Date.now() - last.asked < keptMs ? last.answer : renew(component)
    },
  }
}

async function ask(origin: string, body: object): Promise<Bootstrap> {
  let response: Response
  let said: unknown
  try {
    response = await fetch(`${origin}/elements/v1/bootstraps`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
    })
    said = await response.json()
  } catch {
    throw new Refused(
      'unreachable',
      `${origin} does not answer. Check that it is the elements origin of your Prokura, that this device is online, and that this page's Content-Security-Policy has it in connect-src.`,
    )
  }
  if (!response.ok) throw refusalOf(said, response.status)
  const { bootstrap, frame_url } = said as Record<string, unknown> // checked next
  if (typeof bootstrap === 'string' && typeof frame_url === 'string' && URL.canParse(frame_url)) {
    const frameUrl = new URL(frame_url)
    if (frameUrl.origin === origin) return { bootstrap, frameUrl }
  }
  throw new Refused('unreachable', `${origin} answers, and not as a Prokura's elements origin does.`)
}

/** One code and sentence, or a list of faults. */
function refusalOf(said: unknown, status: number): Refused {
  const detail = (said as { detail?: unknown } | null)?.detail
  if (Array.isArray(detail)) {
    const faults = detail.map(({ loc, msg }) => `${[loc].flat().join('.')}: ${msg}`)
    return new Refused('invalid_request', faults.join('; '))
  }
  const { code, message } = (detail ?? {}) as Record<string, unknown> // checked next
  return typeof code === 'string' && typeof message === 'string'
    ? new Refused(code, message)
    : new Refused('unreachable', `The elements origin answered ${status}.`)
}
