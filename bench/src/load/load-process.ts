import { createInterface } from 'node:readline'
import { quantile } from '../statistics.ts'
import { HttpConnection } from './http-connection.ts'
import type { LoadOrder, LoadReport } from './load.ts'

// The load generator, in a process of its own: orders come in as lines of JSON, reports go out the same way.

let made = 0

async function carryOut(order: LoadOrder): Promise<LoadReport> {
  const { hostname, port } = new URL(order.url)
  const latencies: number[] = []
  const failures: string[] = []
  const connections = await Promise.all(
    Array.from({ length: order.concurrency }, () => HttpConnection.open(hostname, Number(port))),
  )
  const startedAt = performance.now()
  const endsAt = startedAt + order.seconds * 1000
  let left = order.operations ?? Number.POSITIVE_INFINITY
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < endsAt && left-- > 0 && failures.length === 0) {
        const sentAt = performance.now()
        const failure = await operate(connection, order, String(made++).padStart(9, '0'))
        if (failure) failures.push(failure)
        latencies.push(performance.now() - sentAt)
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  for (const connection of connections) connection.close()
  latencies.sort((a, b) => a - b)
  return {
    operations: latencies.length,
    seconds,
    latencyMs: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
    failure: failures[0] ?? null,
  }
}

/** The order's requests one after the other. A later one may name the id in the first one's answer. */
async function operate(connection: HttpConnection, order: LoadOrder, number: string): Promise<string | null> {
  let id = ''
  for (const request of order.requests) {
    const { method, path, headers = {}, body = '', status } = request
    const value = order.values?.[made % order.values.length] ?? ''
    const fill = (text: string) =>
      text
        .replaceAll('{{n}}', `${order.run}${number}`)
        .replaceAll('{{id}}', id)
        .replaceAll('{{value}}', value)
    const payload = fill(body)
    const lines = Object.entries(headers).map(([name, text]) => `${name}: ${fill(text)}\r\n`)
    const answer = await connection.send(
      `${method} ${fill(path)} HTTP/1.1\r\nhost: ${new URL(order.url).host}\r\n${lines.join('')}` +
        `content-length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}`,
    )
    if (answer.status !== status)
      return `${method} ${path} answered ${answer.status}: ${answer.body.slice(0, 500)}`
    if (id === '' && order.requests.length > 1) id = /"id":"([^"]+)"/.exec(answer.body)?.[1] ?? ''
  }
  return null
}

process.stdout.write('{"ready":true}\n')
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await carryOut(JSON.parse(line)))}\n`)
}
