import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the range that systems use for outgoing connections, so that none of these takes the port before it is listened on. */
const quiet = { from: 20_000, to: 32_000 }
const triesMax = 20

/** A port of the loopback interface that nobody listens on, and none of `chosen`; `wanted` when it is free. */
export async function freePort(wanted?: number, chosen: readonly number[] = []): Promise<number> {
  if (wanted !== undefined && !chosen.includes(wanted) && (await listensOn(wanted)) !== null) return wanted
  for (let tries = 0; tries < triesMax; tries++) {
    const drawn = randomInt(quiet.from, quiet.to)
    const port = chosen.includes(drawn) ? null : await listensOn(drawn)
    if (port !== null) return port
  }
  throw new Error('no port of the loopback interface is free')
}

export function listensOn(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })
}
