import { type DestinationStream, type Logger, pino } from 'pino'

/** Structured log lines. The first argument holds the fields, the second says what happened. */
export type Log = Logger

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

type LogOptions = {
  level: LogLevel
  /** The role of the process that writes: `api`, `worker`, `up` … */
  role: string
  /** Where the lines go; standard output when left out. */
  destination?: DestinationStream
}

/** Names of fields that hold a secret or personal data wherever they occur; their values never reach a line. */
const secretNames: ReadonlySet<string> = new Set([
  'authorization',
  'token',
  'secret',
  'password',
  'cvc',
  'number',
  'card_number',
  'pan',
  'key',
  'api_key',
  'hash',
  'signature',
  'envelope',
  'object',
  'body',
  'rawBody',
  'dob',
  'email',
  'phone',
  'cookie',
])

/** How deep the names are looked for in a line's fields. */
const secretDepth = 3

/** JSON lines. `Secret` values print their placeholder by themselves; the names above are a second wall. */
export function createLog({ level, role, destination }: LogOptions): Log {
  const options = {
    level,
    base: { role },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Fields) => redacted(fields, secretDepth),
    },
    serializers: { err: describeError, error: describeError },
  }
  return withRedactedChildren(destination ? pino(options, destination) : pino(options))
}

/** Writes nothing: for tests and tools. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}

/** Formatters see the fields of lines; those of child loggers pass here. */
function withRedactedChildren(log: Log): Log {
  const makeChild = log.child
  log.child = function child(this: Log, fields: Fields, options?: object) {
    return makeChild.call(this, redacted(fields, secretDepth), options)
  } as Log['child']
  return log
}

type Fields = Record<string, unknown>

/**
 * Returns the fields themselves when they hold nothing secret, which is nearly always; the logger's own redaction takes ten times as
 * long.
 */
function redacted(fields: Fields, depth: number): Fields {
  let copy: Fields | null = null
  for (const [name, value] of Object.entries(fields)) {
    const shown = secretNames.has(name) ? '[redacted]' : shownOf(value, depth)
    if (shown !== value) copy = { ...(copy ?? fields), [name]: shown }
  }
  return copy ?? fields
}

/** Errors have a serializer of their own, which leaves out their other properties. */
function shownOf(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || depth <= 1) return value
  if (Array.isArray(value)) return value.map((member) => shownOf(member, depth - 1))
  return 'toJSON' in value ? value : redacted(value as Fields, depth - 1) // any object's own fields
}

type DescribedError = { type: string; message: string; code?: string; stack?: string; cause?: DescribedError }

const causesMax = 3

/**
 * An error without its other properties: database errors carry rows in `detail` and statements in `where`, HTTP errors whole requests. A
 * unique violation is known by its constraint's name.
 */
function describeError(error: unknown, depth = 0): DescribedError | unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined || depth >= causesMax ? {} : { cause: describeError(cause, depth + 1) }),
  }
}
