/** A way of paying that an answer 402 names, as it was written: an answer to it repeats it unchanged. */
export type Challenge = {
  readonly id: string
  readonly realm: string
  readonly method: string
  readonly intent: string
  /** What is asked for, in base64url. */
  readonly request: string
  readonly expires?: string
  readonly digest?: string
  readonly description?: string
  /** The header that takes the answer, where it is not `Authorization`. */
  readonly header?: string
  readonly opaque?: string
}

const headerMax = 16_384
const challengesMax = 20

/**
 * The challenges of the scheme `Payment` in `WWW-Authenticate`, which may come as several values or joined by commas, beside challenges
 * of other schemes. What cannot be read is left out.
 */
export function readChallenges(header: string | readonly string[] | undefined): Challenge[] {
  const values = header === undefined ? [] : typeof header === 'string' ? [header] : header
  return values
    .flatMap((value) => (value.length > headerMax ? [] : challengesIn(value)))
    .slice(0, challengesMax)
}

function challengesIn(value: string): Challenge[] {
  const found: Map<string, string>[] = []
  let current: Map<string, string> | null = null
  // A scheme is a word that a parameter, and no equals sign, follows.
  const token =
    /\s*(?:,\s*)*(?:([A-Za-z0-9-]+)\s+(?=[A-Za-z0-9_-]+\s*=)|([A-Za-z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))/y
  for (let match = token.exec(value); match !== null; match = token.exec(value)) {
    const [, scheme, name, quoted, bare] = match
    if (scheme !== undefined) {
      current = scheme.toLowerCase() === 'payment' ? new Map() : null
      if (current) found.push(current)
    } else if (current && name !== undefined && !current.has(name.toLowerCase())) {
      current.set(name.toLowerCase(), bare ?? unquoted(quoted ?? ''))
    }
  }
  return found.flatMap(challengeOf)
}

/** The library that most services use writes what no header can carry as `\u2014`, and a backslash of the text as two. */
function unquoted(text: string): string {
  return text.replaceAll(/\\(?:u([0-9A-Fa-f]{4})|(.))/g, (_, code: string | undefined, one: string) =>
    code === undefined ? one : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function challengeOf(one: Map<string, string>): Challenge[] {
  const [id, method, intent] = ['id', 'method', 'intent'].map((name) => one.get(name) ?? '')
  if (!method || !intent || !id || !/^[a-z][a-z0-9:_-]{0,63}$/.test(method) || intent.length > 40) return []
  const others = optional.flatMap((name) => {
    const said = one.get(name)
    return said === undefined ? [] : [[name, said] as const]
  })
  const { realm = '', request = '' } = Object.fromEntries(one)
  return [{ id, realm, method, intent, request, ...Object.fromEntries(others) }]
}

const optional = ['expires', 'digest', 'description', 'header', 'opaque'] as const
