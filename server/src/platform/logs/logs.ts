import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { redactedFields, redactedText } from './redact.ts'

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

/** JSON lines. `Secret` values print their placeholder by themselves; the names of fields are a second wall. */
export function createLog({ level, role, destination }: LogOptions): Log {
  const options = {
    level,
    base: { role },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
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
