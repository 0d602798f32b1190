import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { get, unfinished } from '../noisy/pressure.ts'

/** The results of all addresses together. */
export type Pressed = { opened: number; closed: number; answers: Record<string, number> }

const addresses = 64
/** What each address holds open. It opens again what the server closes. */
const held = { slowReaders: 4, unfinishedBodies: 4, idle: 8 }
/** They come one after the other. Many connections at one moment, whose time-outs end together, would be another test. */
const comeMs = 20_000
/**
 * Longer than the API serves a client that reads nothing. Such a client does not notice that it was cut off, and comes again after this.
 */
const holdMs = 35_000
/** The further requests of each address in a second. */
const everySecond = { connections: 2, junkKeys: 4, largeBodies: 1 }

const large = JSON.stringify({ large: 'x'.repeat(200_000) })

/** For this time, sixty-four addresses without a key do everything that costs us much and them little. */
export async function press(baseUrl: string, ms: number): Promise<Pressed> {
  const endMs = performance.now() + ms
  const isOver = () => performance.now() >= endMs
  const pressed: Pressed = { opened: 0, closed: 0, answers: {} }
  const sockets = new Set<Socket>()
  const { port } = new URL(baseUrl)

  function open(localAddress: string, bytes: string): Socket {
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress })
    pressed.opened += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      sockets.delete(socket)
      pressed.closed += 1
    })
    socket.once('data', (head: Buffer) => {
      const status = head.toString('latin1', 9, 12)
      pressed.answers[status] = (pressed.answers[status] ?? 0) + 1
    })
    if (bytes !== '') socket.write(bytes)
    return socket
  }

  let opened = 0
  /** Opens it again as soon as either side has closed it. */
  async function hold(localAddress: string, bytes: string, isRead: boolean): Promise<void> {
    await delay((comeMs * ((opened++ * 7) % addresses)) / addresses)
    while (!isOver()) {
      const socket = open(localAddress, bytes)
      socket.once('data', () => isRead || socket.pause())
      await Promise.race([
        new Promise((resolve) => socket.once('close', resolve)),
        delay(Math.min(holdMs, endMs - performance.now())),
      ])
      socket.destroy()
      await delay(250)
    }
  }

  let repeating = 0
  /** Each begins at another moment, since together they would come in waves of sixty-four. */
  async function repeat(timesASecond: number, send: () => Socket): Promise<void> {
    await delay(((1000 / timesASecond) * ((repeating++ * 7) % addresses)) / addresses)
    for (let nth = 0; !isOver(); nth++) {
      const socket = send()
      socket.resume()
      setTimeout(() => socket.destroy(), 2_000).unref()
      await delay((1000 / timesASecond) * (0.5 + (nth % 11) / 10))
    }
  }

  let guesses = 0
  const junk = () => `Authorization: Bearer pr_sk_test_${String(guesses++).padStart(33, 'x')}`
  await Promise.all(
    Array.from({ length: addresses }, (_, nth) => `127.0.2.${nth + 1}`).flatMap((address) => [
      ...Array.from({ length: held.slowReaders }, () => hold(address, get('/docs/js/scalar.js'), false)),
      ...Array.from({ length: held.unfinishedBodies }, () =>
        hold(address, unfinished('/mcp/v1', 60_000, [], 50_000), true),
      ),
      ...Array.from({ length: held.idle }, () => hold(address, '', true)),
      repeat(everySecond.connections, () => open(address, '')),
      repeat(everySecond.junkKeys, () => open(address, get('/v1/profiles', [junk(), 'Connection: close']))),
      repeat(everySecond.largeBodies, () =>
        open(address, `${unfinished('/v1/profiles', large.length, ['Connection: close'], 0)}${large}`),
      ),
    ]),
  )
  for (const socket of sockets) socket.destroy()
  return pressed
}
