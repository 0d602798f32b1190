import { createServer } from 'node:net'

/** A port of the loopback interface that nobody listens on; `wanted` when it is free. */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted !== undefined && (await listensOn(wanted)) !== null) return wanted
  const port = await listensOn(0)
  if (port === null) throw new Error('no port of the loopback interface is free')
  return port
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
