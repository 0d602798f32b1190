import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { isSecret, mayHoldSecret, redactedFields, redactedText } from './redact.ts'

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

/** The log of a running process, with all that its lines are written to. */
export type LogSink = Required<LogOptions>

/** JSON lines. `Secret` values print their placeholder by themselves; the names of fields are a second wall. */
export function createLog({ level, role, destination }: LogOptions): Log {
  const options = {
    level,
    base: { role },
    timestamp: () => `,${timeNow()}`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: redactedFields,
    },
    // Errors have been described with the other fields.
    serializers: { err: (described: unknown) => described },
    hooks: {
      logMethod(this: Log, args: Parameters<LogFn>, write: LogFn) {
        write.apply(
          this,
          args.map((given) => (typeof given === 'string' ? redactedText(given) : given)) as typeof args,
        )
      },
    },
  }
  return withRedactedChildren(destination ? pino(options, destination) : pino(options))
}

type PlainValue = string | number | boolean | null | undefined

/**
 * Writes a line that is written all the time and always has these fields, at the level `info`: its names are judged once, and its texts
 * together. It is the same line as `log.info(fields, message)`, for a third of the time.
 */
export function preparedLine<Name extends string>(
  { level, role, destination }: LogSink,
  message: string,
  names: readonly Name[],
): (fields: { readonly [N in Name]?: PlainValue }) => void {
  const log = createLog({ level, role, destination })
  if (!log.isLevelEnabled('info')) return () => undefined
  const prefixes = names.map((name) => `,${JSON.stringify(name)}:`)
  for (const name of names) if (isSecret(name)) throw new Error(`${name} is the name of a secret`)
  const head = '{"level":"info",'
  const base = `,"role":${JSON.stringify(role)}`
  const tail = `,"msg":${JSON.stringify(message)}}\n`
  return (fields) => {
    let text = ''
    for (let at = 0; at < names.length; at++) {
      const value = fields[names[at] as Name]
      if (value !== undefined) text += `${prefixes[at]}${JSON.stringify(value)}`
    }
    // guard secrets-in-prepared-lines: a line whose texts may hold a secret goes the way of all lines
    if (mayHoldSecret(text))
      log.info(fields as object, message) // pino's types know no names that are parameters
    else destination.write(`${head}${timeNow()}${base}${text}${tail}`)
  }
}

function timeNow(): string {
  return `"time":"${new Date().toISOString()}"`
}

/** Writes nothing: for tests and tools. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}

/** Formatters see the fields of lines; those of child loggers pass here. */
function withRedactedChildren(log: Log): Log {
  const makeChild = log.child
  log.child = function child(this: Log, fields: Record<string, unknown>, options?: object) {
    return makeChild.call(this, redactedFields(fields), options)
  } as Log['child']
  return log
}
