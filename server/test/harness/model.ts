import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReaderPage } from '../../src/channels/browser/page-reader.ts'

/** A model of a test behind an endpoint of chat completions: it calls its tool with what the script says of the page that it is shown. */
export async function startModel(script: (page: ReaderPage) => unknown) {
  const asked: { authorization: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    asked.push({ authorization: request.headers.authorization, body })
    const { messages, tools, model } = JSON.parse(body)
    const { page } = JSON.parse(messages.at(-1).content)
    const called = { name: tools[0].function.name, arguments: JSON.stringify(script(page)) }
    const deltas = [
      { role: 'assistant', tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: called }] },
      {},
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [at, delta] of deltas.entries()) {
      const choices = [{ index: 0, delta, finish_reason: at === 0 ? null : 'tool_calls' }]
      response.write(
        `data: ${JSON.stringify({ id: 'answer', object: 'chat.completion.chunk', created: 1, model, choices })}\n\n`,
      )
    }
    response.end('data: [DONE]\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Model = Awaited<ReturnType<typeof startModel>>
