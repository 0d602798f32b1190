import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const everyMs = 50
/** A reader that has not received its answer by then loses the rest: the process has eight seconds for its whole stop. */
const readersMs = 7000

/** A request may be on its way for longer than a look: from far away, through proxies, or from a caller that is busy. */
const quietMsDefault = 1000

/**
 * The state of a connection: requests whose answers have not left, how many bytes had been read when the last answer left, how many looks
 * in a row have found nothing, and what happens when an answer has left.
 */
type Use = { underWay: number; bytesAnswered: number; idleLooks: number; answered: () => void }

type Draining = {
  isUnderWay: (socket: Socket) => boolean
  /** Ends when the last connection has ended. */
  close: () => Promise<void>
}

/**
 * While the server stops, closes every connection as soon as its requests are answered. Node itself closes idle connections only once,
 * when the stop begins, which fails in three ways. A client that was being answered at that moment and has nothing more to ask would hold
 * the server for as long as connections are kept alive. A connection counts as idle when its answer is written, which is before it has
 * left: a slow reader would get a part of it. And a connection counts as idle while its request has arrived but has not been read, for
 * example when it was accepted in this very turn. So a connection is closed when all looks of `quietMs` find nothing under way on it, and
 * everything that had arrived was read between them. A caller that asks meanwhile is answered, and told that this was the last answer.
 */
export function drainConnections(server: Server, quietMs = quietMsDefault): Draining {
  // A single look may come before what had arrived was read.
  const quietLooks = Math.max(2, quietMs / everyMs)
  const uses = new Map<Socket, Use>()
  server.on('connection', (socket: Socket) => {
    const use: Use = {
      underWay: 0,
      bytesAnswered: 0,
      idleLooks: 0,
      answered() {
        use.underWay -= 1
        use.bytesAnswered = socket.bytesRead
      },
    }
    uses.set(socket, use)
    socket.once('close', () => uses.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const use = uses.get(socket)
    if (!use) return
    use.underWay += 1
    // An answer closes once; to listen for just the first time costs more.
    response.on('close', use.answered)
  })
  const closeIdle = () => {
    for (const [socket, use] of uses) {
      const isIdle = use.underWay === 0 && use.bytesAnswered === socket.bytesRead
      use.idleLooks = isIdle ? use.idleLooks + 1 : 0
      if (use.idleLooks >= quietLooks) socket.destroy()
    }
  }
  // `close` of Node's server calls it.
  server.closeIdleConnections = () => undefined
  function close(): Promise<void> {
    if (!server.listening) return Promise.resolve()
    return new Promise((resolve) => {
      // Arrived bytes are read between timers and immediates.
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
