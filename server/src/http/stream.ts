import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerSentEvent } from '../contract/operation.ts'

/** How soon a client should come back when the server drains. */
const drainRetryMs = 1000

type StreamOptions = {
  source: AsyncIterable<ServerSentEvent>
  head: Readonly<Record<string, string>>
  draining: AbortSignal
}

/** Writes server-sent events until the source ends, the caller goes away, or the server drains. */
export async function writeStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { source, head, draining }: StreamOptions,
): Promise<FastifyReply> {
  reply.hijack()
  const out = reply.raw
  out.writeHead(200, {
    ...head,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'request-id': request.id,
  })
  out.flushHeaders()
  const iterator = source[Symbol.asyncIterator]()
  const gone = new Promise<'gone'>((resolve) => out.once('close', () => resolve('gone')))
  const drained = new Promise<'drained'>((resolve) => {
    if (draining.aborted) resolve('drained')
    else draining.addEventListener('abort', () => resolve('drained'), { once: true })
  })
  try {
    for (;;) {
      const step = await Promise.race([iterator.next(), gone, drained])
      if (step === 'gone') break
      if (step === 'drained') {
        out.write(format({ retryMs: drainRetryMs, comment: 'draining' }))
        break
      }
      if (step.done) break
      // A slow reader holds the source back instead of filling our memory; and what it does not take is not hidden by further
      // heartbeats, so that its time runs out.
      const event = format(step.value)
      const taken = new Promise<'taken'>((resolve) => out.write(event, () => resolve('taken')))
      if ((await Promise.race([taken, gone])) === 'gone') break
    }
  } finally {
    await iterator.return?.()
    out.end()
  }
  return reply
}

function format({ id, event, data, comment, retryMs }: ServerSentEvent): string {
  const lines = [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(retryMs === undefined ? [] : [`retry: ${retryMs}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : data.split('\n').map((line) => `data: ${line}`)),
  ]
  return `${lines.join('\n')}\n\n`
}
