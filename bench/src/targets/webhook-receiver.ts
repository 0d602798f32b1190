import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { quantile } from '../statistics.ts'

/** What the receiver got since the last report. Latencies are those of healthy endpoints, from bodies with the time of their making. */
export type ReceiverReport = { requests: number; latencyMs: { p50: number; p99: number } }

// Merchants' backends, one for each name below `localhost`: `ok-…` takes everything, `busy-…` too but is not timed, `fail-…` answers 500,
// `hang-…` never answers. Every line on standard input requests a report, which also ends the connections that hang.

let latencies: number[] = []
let requests = 0
let hanging: ServerResponse[] = []

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    requests++
    const host = request.headers.host ?? ''
    if (host.startsWith('hang')) {
      hanging.push(response)
    } else if (host.startsWith('fail')) {
      response.writeHead(500, { 'content-length': 6 }).end('broken')
    } else {
      const madeAt = /"made_at_ms":([\d.]+)/.exec(Buffer.concat(chunks).toString('latin1'))?.[1]
      if (madeAt && host.startsWith('ok'))
        latencies.push(performance.timeOrigin + performance.now() - Number(madeAt))
      response.writeHead(200, { 'content-length': 2 }).end('ok')
    }
  })
})
server.keepAliveTimeout = 600_000
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo // of a TCP server that listens
process.stdout.write(`${JSON.stringify({ port })}\n`)

process.on('SIGINT', () => undefined)
for await (const _ of createInterface({ input: process.stdin })) {
  for (const response of hanging) response.destroy()
  latencies.sort((a, b) => a - b)
  const report: ReceiverReport = {
    requests,
    latencyMs: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
  }
  hanging = []
  latencies = []
  requests = 0
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
process.exit()
