import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'

/** Listens on addresses of this machine to which no process of ours may ever connect. */
export type Canary = {
  ports: readonly number[]
  hits(): number
  /** The addresses that it listens on and those that were hit, for the text of a failure. */
  seen(): string
  stop(): Promise<void>
}

const hosts = ['127.0.0.1', '127.0.0.2', '::1']
/** The ports that attackers try first, too. Ports that are taken or that we may not use are left out. */
const wellKnown = [80, 443, 6379, 8080, 8443, 9200]

export async function startCanary(): Promise<Canary> {
  const servers: Server[] = []
  const ports = new Set<number>()
  const seen: string[] = []
  for (const port of [...wellKnown, 0, 0, 0]) {
    for (const host of hosts) {
      const server = createServer((socket) => {
        seen.push(`${socket.localAddress}:${socket.localPort}`)
        socket.on('error', () => undefined)
        socket.destroy()
      })
      const taken = await listen(server, port, host)
      if (taken === null) continue
      servers.push(server)
      ports.add(taken)
    }
  }
  // A canary that cannot be hit would prove nothing.
  const [first = 0] = ports
  const probe = connect(first, '127.0.0.1')
  probe.on('error', () => undefined)
  await once(probe, 'close')
  if (seen.splice(0).length !== 1) throw new Error('the canary does not notice a connection')
  return {
    ports: [...ports],
    hits: () => seen.length,
    seen: () => seen.slice(0, 10).join(' '),
    async stop() {
      await Promise.all(
        servers.map(async (server) => {
          server.close()
          await once(server, 'close')
        }),
      )
    },
  }
}

async function listen(server: Server, port: number, host: string): Promise<number | null> {
  const failed = once(server, 'error').then(() => null)
  server.listen(port, host)
  await Promise.race([once(server, 'listening'), failed])
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : null
}
