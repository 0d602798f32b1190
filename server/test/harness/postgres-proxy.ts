import { connect, createServer, type Socket } from 'node:net'

export type PostgresProxy = {
  url: string
  /** Ends every connection and refuses new ones until `open`. */
  cut(): void
  open(): void
  /** Keeps notifications back from now on, as a pooler between sessions does. */
  swallowNotifications(): void
  close(): Promise<void>
}

/** Stands between a client and a test's database, to fail like a network and like a pooler. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const sockets = new Set<Socket>()
  let isOpen = true
  let swallows = false
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy()
    const upstream = connect(addressOf(databaseUrl))
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    forwardMessages(upstream, client, (type) => !(swallows && type === 'A'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = typeof address === 'object' && address ? String(address.port) : ''
  return {
    url: url.href,
    cut() {
      isOpen = false
      for (const socket of sockets) socket.destroy()
    },
    open() {
      isOpen = true
    },
    swallowNotifications() {
      swallows = true
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function addressOf(databaseUrl: string): { path: string } | { host: string; port: number } {
  const url = new URL(databaseUrl)
  const port = Number(url.port || 5432)
  const folder = url.searchParams.get('host')
  return folder?.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port }
}

/** The server's messages are a type byte and a length; the ones that pass are written on whole. */
function forwardMessages(from: Socket, to: Socket, passes: (type: string) => boolean): void {
  let held: Buffer = Buffer.alloc(0)
  from.on('data', (chunk) => {
    held = Buffer.concat([held, Buffer.from(chunk)])
    while (held.length >= 5) {
      const length = 1 + held.readUInt32BE(1)
      if (held.length < length) return
      const message = held.subarray(0, length)
      held = held.subarray(length)
      if (passes(String.fromCharCode(message[0] ?? 0)) && !to.destroyed) to.write(message)
    }
  })
}
