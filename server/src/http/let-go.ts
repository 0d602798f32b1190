import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const everyMs = 50
/** Whoever has not taken his answer by then goes without its rest: the process has eight seconds for all of its stop. */
const readersMs = 5000

/** What is known of a connection: requests whose answers have not left, and how much had been read when the last one had. */
type Use = { underWay: number; bytesAnswered: number }

/**
 * While the server stops, lets go of every connection as soon as what was asked on it is answered. Fastify and Node do so once, when the
 * stop begins: whoever was being answered in that moment and has nothing more to ask would hold the server for as long as connections
 * are kept alive. And they take a connection for idle when its answer is written, which is before it has left: to a slow reader they
 * would send a part of it. So whether it is idle is decided here. What had been sent before the stop and not been read yet would be lost
 * too; so it is read first, which happens between timers and immediates.
 */
export function letGoWhileStopping(app: FastifyInstance): void {
  const uses = new Map<Socket, Use>()
  app.server.on('connection', (socket: Socket) => {
    uses.set(socket, { underWay: 0, bytesAnswered: 0 })
    socket.once('close', () => uses.delete(socket))
  })
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const use = uses.get(socket)
    if (!use) return
    use.underWay += 1
    response.once('close', () => {
      use.underWay -= 1
      use.bytesAnswered = socket.bytesRead
    })
  })
  const letGo = () => {
    for (const [socket, use] of uses) {
      if (use.underWay === 0 && use.bytesAnswered === socket.bytesRead) socket.destroy()
    }
  }
  // Fastify calls it when the stop begins, and so does `close` of Node's server.
  app.server.closeIdleConnections = letGo
  app.addHook('preClose', (done) => {
    const timer = setInterval(() => setImmediate(letGo), everyMs)
    const late = setTimeout(() => app.server.closeAllConnections(), readersMs)
    app.server.once('close', () => {
      clearInterval(timer)
      clearTimeout(late)
    })
    setTimeout(() => setImmediate(done), everyMs)
  })
}
