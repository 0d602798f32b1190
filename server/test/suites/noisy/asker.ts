import { Pool } from 'undici'
import { memberOf } from '../client.ts'
import type { Report } from './wire.ts'

export type Ask = {
  method: 'GET' | 'POST'
  path: string
  key?: string | null
  body?: string
  headers?: Record<string, string>
}

/** Sends requests without pause, counts the answers, and compares every refusal with its documented shape. */
export type Asker = {
  ask(ask: Ask): Promise<{ status: number; body: unknown } | null>
  /** Counts an answer that came in another way. */
  note(answer: Heard): void
  /** The other side closed the connection. */
  cutOff(): void
  report(): Report
  close(): Promise<void>
}

type Heard = { status: number; headers: Readonly<Record<string, unknown>>; text: string; what: string }

const connections = 96
const hangMs = 120_000
/**
 * The refusals that this kind of noise may get. Any other means that the noise tried nothing. 400 and 408 are the answers to a connection
 * that sent nothing, or not enough, for too long.
 */
const refusals = [400, 401, 404, 408, 409, 413, 415, 429, 503]

export function openAsker(baseUrl: string, localAddress: string): Asker {
  const pool = new Pool(baseUrl, {
    connections,
    pipelining: 1,
    headersTimeout: hangMs,
    bodyTimeout: hangMs,
    connect: { localAddress },
  })
  const report: Report = { asked: 0, answers: {}, cutOff: 0, faults: [] }
  const count = (name: string) => {
    report.answers[name] = (report.answers[name] ?? 0) + 1
  }

  function note(heard: Heard): void {
    count(String(heard.status))
    const scope = scopeOf(heard.text)
    if (scope !== null) count(scope)
    const fault = faultOfAnswer(heard)
    if (fault !== null && report.faults.length < 20) report.faults.push(fault)
  }

  return {
    note,
    cutOff() {
      report.cutOff += 1
    },
    async ask({ method, path, key = null, body, headers }) {
      report.asked += 1
      try {
        const response = await pool.request({
          method,
          path,
          headers: {
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body }),
        })
        const text = await response.body.text()
        note({ status: response.statusCode, headers: response.headers, text, what: `${method} ${path}` })
        return { status: response.statusCode, body: bodyIn(text) }
      } catch {
        report.cutOff += 1
        return null
      }
    },
    report: () => report,
    close: () => pool.destroy(),
  }
}

/** 429 `rate_limited` with its scope and `Retry-After`; 503 `busy`; 409 `object_limit_reached`. No other refusal means "too much". */
export function faultOfAnswer({ status, headers, text, what }: Heard): string | null {
  const told = `${what} answered ${status} ${text.slice(0, 200)}`
  if (status < 400) return null
  if (!refusals.includes(status)) return told
  const detail = detailOf(text)
  const code = memberOf(detail, 'code')
  const seconds = Number(headers['retry-after'])
  if (status === 429) {
    const isWhole =
      typeof memberOf(detail, 'scope') === 'string' && typeof memberOf(detail, 'limit') === 'number'
    const isSame = memberOf(detail, 'retry_after_seconds') === seconds
    return code === 'rate_limited' && isWhole && isSame && seconds >= 1 ? null : told
  }
  if (status === 503) return code === 'busy' && seconds >= 1 ? null : told
  return typeof code === 'string' ? null : told
}

function scopeOf(text: string): string | null {
  const detail = detailOf(text)
  const scope = memberOf(detail, 'scope') ?? memberOf(detail, 'code')
  return typeof scope === 'string' ? scope : null
}

/** Over MCP, a refusal of a whole request has the body of REST beside its text. */
function detailOf(text: string): unknown {
  const body = bodyIn(text)
  return memberOf(memberOf(memberOf(body, 'error'), 'data') ?? body, 'detail')
}

function bodyIn(text: string): unknown {
  // Whole pages are only counted: parsing megabytes would slow the noise down.
  if (text.length > 20_000) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
