import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReaderPage } from '../../src/channels/browser/page-reader.ts'

/** A model of a test behind an endpoint of chat completions: it answers what the script says of the page that it is shown. */
export async function startModel(script: (page: ReaderPage) => unknown) {
  const asked: { authorization: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    asked.push({ authorization: request.headers.authorization, body })
    const { messages } = JSON.parse(body)
    const { page } = JSON.parse(messages.at(-1).content)
    const content = JSON.stringify(script(page))
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
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
