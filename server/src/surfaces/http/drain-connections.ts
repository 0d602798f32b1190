import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const everyMs = 50
/** Whoever has not taken his answer by then goes without its rest: the process has eight seconds for all of its stop. */
const readersMs = 7000

/** Looks that must find nothing under way. Whoever has just connected has a question; a busy caller may take a moment to send it. */
const idleLooks = { asked: 2, silent: 20 }

/**
 * What is known of a connection: requests whose answers have not left, how much had been read when the last one had, and how many looks
 * in a row have found nothing.
 */
type Use = { underWay: number; bytesAnswered: number; idleLooks: number }

export type Draining = {
  isUnderWay: (socket: Socket) => boolean
  /** Ends when the last connection has. */
  close: () => Promise<void>
}

/**
 * While the server stops, lets go of every connection as soon as what was asked on it is answered. Left to itself, Node does so once,
 * when the stop begins, which loses in three ways. Whoever was being answered in that moment and has nothing more to ask
 * would hold the server for as long as connections are kept alive. A connection counts as idle when its answer is written, which is
 * before it has left: a slow reader would get a part of it. And it counts as idle while its question has arrived and not been read, as
 * that of a connection that was accepted in this very turn. So a connection goes when two looks in a row find nothing under way on it,
 * between which everything that had arrived is read; one on which nothing was ever asked, after a second of them.
 */
export function drainConnections(server: Server): Draining {
  const uses = new Map<Socket, Use>()
  server.on('connection', (socket: Socket) => {
    uses.set(socket, { underWay: 0, bytesAnswered: 0, idleLooks: 0 })
    socket.once('close', () => uses.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const use = uses.get(socket)
    if (!use) return
    use.underWay += 1
    response.once('close', () => {
      use.underWay -= 1
      use.bytesAnswered = socket.bytesRead
    })
  })
  const closeIdle = () => {
    for (const [socket, use] of uses) {
      const isIdle = use.underWay === 0 && use.bytesAnswered === socket.bytesRead
      use.idleLooks = isIdle ? use.idleLooks + 1 : 0
      if (use.idleLooks >= (socket.bytesRead > 0 ? idleLooks.asked : idleLooks.silent)) socket.destroy()
    }
  }
  // `close` of Node's server calls it.
  server.closeIdleConnections = () => undefined
  function close(): Promise<void> {
    if (!server.listening) return Promise.resolve()
    return new Promise((resolve) => {
      // What arrives is read between timers and immediates.
      const timer = setInterval(() => setImmediate(closeIdle), everyMs)
      const late = setTimeout(() => server.closeAllConnections(), readersMs)
      server.once('close', () => {
        clearInterval(timer)
        clearTimeout(late)
        resolve()
      })
      setTimeout(() => setImmediate(() => server.close()), everyMs)
    })
  }
  return { isUnderWay: (socket) => (uses.get(socket)?.underWay ?? 0) > 0, close }
}
