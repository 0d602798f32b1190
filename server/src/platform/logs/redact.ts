/** Names of fields that hold a secret or personal data wherever they occur, in any case and with any separators. */
const secretNames: ReadonlySet<string> = new Set([
  'auth',
  'body',
  'dob',
  'email',
  'emailaddress',
  'envelope',
  'hash',
  'key',
  'number',
  'object',
  'otp',
  'pan',
  'phone',
  'phonenumber',
  'pin',
  'pwd',
  'rawbody',
  'rawheaders',
])

/** A name that has one of these is one as well, such as `stripe_api_key` and `X-Access-Token`. */
const secretParts =
  /authorization|apikey|privatekey|secret|accesskey|signingkey|masterkey|encryptionkey|token|passw|passphrase|cookie|signature|credential|cvc|cvv|securitycode|cardnumber|accountnumber|birthdate|dateofbirth|iban$/

const hidden = '[redacted]'
/** What nests deeper is not written at all. */
const depthMax = 16
const causesMax = 3

type Fields = Record<string, unknown>

/**
 * The fields of a line without what is secret. Returns the fields themselves when they hold nothing secret, which is nearly always; the
 * logger's own redaction takes ten times as long.
 */
export function redactedFields(fields: Fields): Fields {
  return redacted(fields, depthMax)
}

function redacted(fields: Fields, depth: number): Fields {
  let copy: Fields | null = null
  for (const [name, value] of Object.entries(fields)) {
    // guard secret-names-in-logs: a field with the name of a secret reaches no log
    const shown = isSecret(name) && !isEmpty(value) ? hidden : shownOf(value, depth)
    if (shown !== value) copy = { ...(copy ?? fields), [name]: shown }
  }
  return copy ?? fields
}

/** It says whether there is one, and not which. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'boolean'
}

function shownOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactedText(value)
  if (typeof value !== 'object' || value === null) return value
  // guard errors-in-logs: fields of an error reach no log
  if (value instanceof Error) return describeError(value)
  if (value instanceof URL) return redactedText(value.href)
  if (depth <= 1) return '[too deep]'
  if (Array.isArray(value)) return redactedList(value, depth)
  return 'toJSON' in value ? value : redacted(value as Fields, depth - 1) // any object's own fields
}

/** Headers also come as a list of names and values in turn, or of pairs. */
function redactedList(list: readonly unknown[], depth: number): readonly unknown[] {
  const shown = list.map((member, index) => {
    const before = list[index - 1]
    const isValue = typeof member === 'string' && typeof before === 'string' && isSecret(before)
    return isValue ? hidden : shownOf(member, depth - 1)
  })
  return shown.some((member, index) => member !== list[index]) ? shown : list
}

const judged = new Map<string, boolean>()
const judgedMax = 2_000

/** Whether a field of this name holds a secret. */
export function isSecret(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  const plain = plainName(name)
  const isOne = secretNames.has(plain) || secretParts.test(plain)
  if (judged.size < judgedMax) judged.set(name, isOne)
  return isOne
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Signs without which a text has nothing that is looked for. */
const suspicious = /[=@]|%3d|pr_[ps]k_|bearer|basic/i

/** Whether there is anything in a text that `redactedText` would have to look at. */
export function mayHoldSecret(text: string): boolean {
  return suspicious.test(text)
}

/** A text without the secrets that stand in it by name, as in a query, and without keys that can be told by their form. */
export function redactedText(text: string): string {
  if (!mayHoldSecret(text)) return text
  return text
    .replace(/\b(pr_[ps]k_(?:test|live)_)[A-Za-z0-9_-]+/g, `$1${hidden}`)
    .replace(/\b(bearer|basic)(\s+)[A-Za-z0-9._~+/=-]{6,}/gi, `$1$2${hidden}`)
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*:[^\s/?#@]*@/gi, `$1${hidden}@`)
    .replace(
      /([A-Za-z0-9_.%[\]-]{1,64})(=|%3d)([^\s&;,"'<>)}\]]+)/gi,
      (_, name: string, sign: string, value: string) =>
        `${name}${sign}${isSecret(lastName(name)) ? hidden : redactedText(value)}`,
    )
}

/** An address in a query is encoded: the name is what stands behind the last of its signs. */
function lastName(name: string): string {
  return (
    decoded(name)
      .split(/[?&;/#]/)
      .at(-1) ?? name
  )
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

type DescribedError = { type: string; message: string; code?: string; stack?: string; cause?: DescribedError }

/**
 * An error without its other properties: database errors carry rows in `detail` and statements in `where`, HTTP errors whole requests. A
 * unique violation is known by its constraint's name.
 */
function describeError(error: unknown, depth = 0): DescribedError | unknown {
  if (!(error instanceof Error)) return redactedText(String(error))
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: name,
    message: redactedText(message),
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack: redactedText(stack) }),
    ...(cause === undefined || depth >= causesMax ? {} : { cause: describeError(cause, depth + 1) }),
  }
}
