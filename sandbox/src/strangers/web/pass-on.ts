import { type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http'

/** Headers of one connection, which the other side of a proxy makes for itself (RFC 9110, section 7.6.1). */
const ofOneConnection = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade']

/** Lets a shop that is no part of the sandbox answer, at a port of this machine: as a proxy does that takes care of TLS. */
export function passOn(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { host = '' } = incoming.headers
  const outgoing = startRequest({
    host: '127.0.0.1',
    port,
    method: incoming.method,
    path: incoming.url,
    headers: {
      ...withoutConnection(incoming.headers),
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '127.0.0.1',
    },
  })
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers))
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  outgoing.on('error', () => {
    if (response.headersSent) return response.destroy()
    response.writeHead(502, { 'content-type': 'text/plain' })
    response.end(`Nobody answers at port ${port}`)
  })
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

function withoutConnection<Headers extends object>(headers: Headers): Partial<Headers> {
  const kept = Object.entries(headers).filter(([name]) => !ofOneConnection.includes(name))
  return Object.fromEntries(kept) as Partial<Headers> // the same headers without some
}
