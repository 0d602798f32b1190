import { connect, type Socket } from 'node:net'
import type { Asker } from './asker.ts'

/** Connections that stay open, and read nothing or little of the answers. */
type Pressure = { open(nth: number, bytes: string): Socket; close(): void }

/** From eight addresses, so that the limit for one address does not help. */
export function openPressure(url: string, asker: Pick<Asker, 'note' | 'cutOff'>): Pressure {
  const { port } = new URL(url)
  const sockets: Socket[] = []
  return {
    open(nth, bytes) {
      const localAddress = `127.0.1.${2 + (nth % 8)}`
      const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress })
      let isOurs = false
      socket.on('error', () => undefined)
      socket.once('data', (chunk: Buffer) => {
        // The head and the bytes that came with it. If the server asks for more, none follow.
        const heard = heardIn(chunk.toString('latin1'), bytes.slice(0, bytes.indexOf(' HTTP')))
        if (heard !== null) asker.note(heard)
        socket.pause()
      })
      socket.once('close', () => {
        if (!isOurs) asker.cutOff()
      })
      closers.set(socket, () => {
        isOurs = true
      })
      if (bytes !== '') socket.write(bytes)
      sockets.push(socket)
      return socket
    },
    close() {
      for (const socket of sockets) {
        closers.get(socket)?.()
        socket.destroy()
      }
    },
  }
}

const closers = new WeakMap<Socket, () => void>()

export function get(path: string, lines: readonly string[] = []): string {
  return `${[`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...lines].join('\r\n')}\r\n\r\n`
}

/** A head that promises this many bytes, and most of them or `sent` of them. */
export function unfinished(
  path: string,
  bytes: number,
  lines: readonly string[] = [],
  sent = bytes - 1,
): string {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Content-Type: ${path.endsWith('/import') ? 'application/jsonl' : 'application/json'}`,
    `Content-Length: ${bytes}`,
    ...lines,
  ]
  return `${head.join('\r\n')}\r\n\r\n${'x'.repeat(sent)}`
}

function heardIn(text: string, what: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const [first = '', ...lines] = head.split('\r\n')
  const status = Number(first.split(' ')[1])
  if (!Number.isInteger(status)) return null
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status, headers, text: body, what }
}
