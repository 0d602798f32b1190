import { type ChaosProxy, type Filter, startChaosProxy } from './chaos-proxy.ts'

type PostgresProxy = Omit<ChaosProxy, 'port'> & {
  /** The database's URL by way of the proxy. */
  url: string
  /** Keeps notifications back from now on, as a pooler between sessions does. */
  swallowNotifications(): void
}

/** Stands between a client and a database, to fail like a network and like a pooler. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  let swallows = false
  const { port, ...proxy } = await startChaosProxy({
    target: addressOf(databaseUrl),
    filter: (direction) =>
      direction === 'down' ? byMessage((type) => !(swallows && type === 'A')) : (chunk) => chunk,
  })
  const url = new URL(databaseUrl)
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    ...proxy,
    url: url.href,
    swallowNotifications() {
      swallows = true
    },
  }
}

function addressOf(databaseUrl: string): { path: string } | { host: string; port: number } {
  const url = new URL(databaseUrl)
  const port = Number(url.port || 5432)
  const folder = url.searchParams.get('host')
  return folder?.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port }
}

/** The server's messages are a type byte and a length; the ones that pass are passed on whole. */
function byMessage(passes: (type: string) => boolean): Filter {
  let held: Buffer = Buffer.alloc(0)
  return (chunk) => {
    held = Buffer.concat([held, chunk])
    const passed: Buffer[] = []
    for (;;) {
      const length = held.length < 5 ? Number.POSITIVE_INFINITY : 1 + held.readUInt32BE(1)
      if (held.length < length) return Buffer.concat(passed)
      const message = held.subarray(0, length)
      held = held.subarray(length)
      if (passes(String.fromCharCode(message[0] ?? 0))) passed.push(message)
    }
  }
}
