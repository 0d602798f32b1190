import { type DestinationStream, type Logger, pino } from 'pino'

/** Structured log lines. The first argument holds the fields, the second says what happened. */
export type Log = Logger

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

export type LogOptions = {
  level: LogLevel
  /** Which role of the product writes: `api`, `worker`, `up` … */
  role: string
  /** Where the lines go; standard output when left out. */
  destination?: DestinationStream
}

/** Names that hold a secret or personal data wherever they occur; whatever is under them never reaches a line. */
const secretNames = [
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
]

/** JSON lines. `Secret` values print their placeholder by themselves; the names above are a second wall. */
export function createLog({ level, role, destination }: LogOptions): Log {
  const options = {
    level,
    base: { role },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, error: describeError },
    redact: {
      paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[redacted]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Writes nothing: for tests and tools. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}

type DescribedError = { type: string; message: string; code?: string; stack?: string; cause?: DescribedError }

const causesMax = 3

/**
 * An error without what hangs on it: database errors carry rows in `detail` and statements in `where`, HTTP errors whole requests.
 * Unique violations are known by their constraint's name.
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
