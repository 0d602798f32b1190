import { setTimeout as wait } from 'node:timers/promises'
import { BadRequest, type Fields, integer } from '../fields.ts'
import { type Answer, destroy, json } from '../json-server.ts'

const behaviors = [
  'ok',
  'slow',
  'hang',
  'garbage',
  'huge',
  'endless',
  'redirect',
  'wrong_schema',
  'wrong_currency',
  'error',
  'broken',
] as const

/** How the catalog answers until it is told otherwise. */
export type Behavior = { kind: (typeof behaviors)[number]; slowMs: number }

export const goodBehavior: Behavior = { kind: 'ok', slowMs: 2_000 }

export function parseBehavior(fields: Fields): Behavior {
  const kind = behaviors.find((known) => known === fields.behavior)
  if (kind === undefined) throw new BadRequest(`behavior must be one of ${behaviors.join(', ')}`)
  const slowMs =
    fields.slow_ms === undefined ? goodBehavior.slowMs : integer(fields, 'slow_ms', { min: 0, max: 60_000 })
  return { kind, slowMs }
}

/** An answer in place of the right one, or the right one made wrong; `answer` is what a catalog that behaves says. */
export async function misbehave(
  { kind, slowMs }: Behavior,
  answer: () => Answer,
  signal: AbortSignal,
): Promise<Answer> {
  switch (kind) {
    case 'ok':
      return answer()
    case 'slow':
      await wait(slowMs, undefined, { signal })
      return answer()
    case 'hang':
      return await never(signal)
    case 'garbage':
      return raw('application/json', ['{"ucp": {"version": "2026-08-25"}, "products": [{"id": <html>'])
    case 'huge':
      return raw('application/json', repeated('{"padding":"', 'x'.repeat(65_536), 64))
    case 'endless':
      return raw('application/json', repeated('[', ' '.repeat(1_024), Number.POSITIVE_INFINITY, 20))
    case 'redirect':
      return { kind: 'json', status: 302, body: {}, headers: { location: 'http://127.0.0.1:9/' } }
    case 'wrong_schema':
      return json(200, { ucp: { version: '2026-08-25' }, products: 'many' })
    case 'wrong_currency':
      return inCurrency(answer(), 'XTS')
    case 'error':
      return json(500, { code: 'internal', content: 'The catalog is failing on purpose' })
    case 'broken':
      return destroy
    default:
      return kind satisfies never
  }
}

function raw(type: string, chunks: Iterable<string> | AsyncIterable<string>): Answer {
  return { kind: 'raw', status: 200, type, chunks }
}

async function* repeated(start: string, chunk: string, times: number, everyMs = 0): AsyncIterable<string> {
  yield start
  for (let sent = 0; sent < times; sent++) {
    if (everyMs > 0) await wait(everyMs)
    yield chunk
  }
}

function never(signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(destroy), { once: true }))
}

/** Every price in money that nobody has. */
function inCurrency(answer: Answer, currency: string): Answer {
  if (answer.kind !== 'json') return answer
  const body: unknown = JSON.parse(
    JSON.stringify(answer.body).replaceAll(/"currency":"[A-Z]{3}"/g, `"currency":"${currency}"`),
  )
  return { ...answer, body }
}
