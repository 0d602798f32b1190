import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readyUntilParentEnds } from '../child.ts'

// The smallest JSON service on Node: it parses the body and sends it back.

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString('utf8')))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo // of a TCP server that listens
await readyUntilParentEnds({ url: `http://127.0.0.1:${port}` })
process.exit()
