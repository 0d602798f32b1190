import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const everyMs = 50

/**
 * While the server stops, lets go of every connection as soon as what was asked on it is answered. Fastify does so once, when the stop
 * begins: whoever was being answered in that moment and has nothing more to ask would hold the server for as long as connections are
 * kept alive. What had been sent before the stop and not been read yet would be lost then; so it is read first, which happens between
 * timers and immediates.
 */
export function letGoWhileStopping(app: FastifyInstance): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', (done) => {
    const letGo = () => {
      // Node takes a connection for idle when its answer is written, which is before it has left.
      if ([...open].every(({ writableLength }) => writableLength === 0)) app.server.closeIdleConnections()
    }
    const timer = setInterval(() => setImmediate(letGo), everyMs)
    app.server.once('close', () => clearInterval(timer))
    setTimeout(() => setImmediate(done), everyMs)
  })
}
