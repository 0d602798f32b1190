import { connect, type Socket } from 'node:net'

type HttpAnswer = { status: number; body: string }

/**
 * One kept-alive HTTP connection that has one request under way. It reads only the kind of answers that our servers give, since a load
 * generator that uses less CPU leaves more of the machine to the server.
 */
export class HttpConnection {
  readonly #socket: Socket
  #received = ''
  #resolve: ((answer: HttpAnswer) => void) | null = null
  #reject: ((error: Error) => void) | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => this.#take(chunk))
    socket.on('error', (error) => this.#reject?.(error))
    socket.on('close', () => this.#reject?.(new Error('the server closed the connection')))
  }

  static open(host: string, port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port })
      socket.once('connect', () => resolve(new HttpConnection(socket)))
      socket.once('error', reject)
    })
  }

  send(request: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#reject = null
    this.#socket.destroy()
  }

  #take(chunk: string): void {
    this.#received += chunk
    const answer = wholeAnswer(this.#received)
    if (!answer) return
    this.#received = ''
    const resolve = this.#resolve
    this.#resolve = null
    this.#reject = null
    resolve?.(answer)
  }
}

function wholeAnswer(received: string): HttpAnswer | null {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = received.slice(0, end)
  const body = received.slice(end + 4)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const isWhole = length === undefined ? body.endsWith('0\r\n\r\n') : body.length >= Number(length)
  return isWhole ? { status: Number(head.slice(9, 12)), body } : null
}
