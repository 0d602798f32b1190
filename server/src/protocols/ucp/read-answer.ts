import { isObject } from '../../schema/schema-node.ts'

/** The JSON of an answer, also where it came as a stream of events; null where it is none. */
export function readAnswer({ contentType, body }: { contentType: string; body: Buffer }): unknown {
  const text = body.toString('utf8')
  return /^\s*text\/event-stream\b/i.test(contentType) ? readEvents(text) : parsed(text)
}

/** What a tool returned, or the error that a call of it had; `result` null: it is no answer of a tool. */
export function readToolAnswer(
  said: unknown,
):
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: unknown } {
  if (!isObject(said)) return { kind: 'result', result: null }
  if (said.error !== undefined) return { kind: 'error', error: said.error }
  const { result } = said
  if (!isObject(result)) return { kind: 'result', result: null }
  // It stands beside its text, or in it alone.
  if (isObject(result.structuredContent)) return { kind: 'result', result: result.structuredContent }
  const [first]: unknown[] = Array.isArray(result.content) ? result.content : []
  const text = isObject(first) && typeof first.text === 'string' ? first.text : null
  return { kind: 'result', result: text === null ? null : parsed(text) }
}

/** The answer is the last message that has a result or an error; those before it report progress. */
function readEvents(text: string): unknown {
  const messages = text
    .split(/\r\n\r\n|\n\n|\r\r/)
    .map((event) =>
      event
        .split(/\r\n|\n|\r/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).replace(/^ /, ''))
        .join('\n'),
    )
    .filter((data) => data !== '')
  return messages.map(parsed).findLast((one) => isObject(one) && ('result' in one || 'error' in one)) ?? null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
