import { connect, createServer, type Socket, type TcpNetConnectOpts } from 'node:net'
import { setTimeout as delay, setImmediate as immediately } from 'node:timers/promises'

/** `up`: from the client to the target behind the proxy; `down`: the way back. */
type Direction = 'up' | 'down'

/** Reads one direction of one connection, and answers the part of it that passes on. */
export type Filter = (chunk: Buffer) => Buffer

export type ChaosProxy = {
  /** 127.0.0.1 and this port stand for the target. */
  port: number
  /** The number of open connections. */
  connections(): number
  /** From now on every piece arrives this much later, in order. */
  delay(ms: number): void
  /** From now on every byte travels alone. */
  dribble(): void
  /** Half-open: nothing passes in this direction any more, and the connection stays. `calm` lets the waiting bytes through. */
  stall(direction: Direction): void
  /** Resets every connection (RST); new ones are let through. */
  reset(): void
  /** Ends every connection and refuses new ones until `open` or `calm`. */
  cut(): void
  open(): void
  /** Everything passes again. */
  calm(): void
  close(): Promise<void>
}

type ChaosOptions = {
  target: TcpNetConnectOpts | { path: string }
  /** A new one for each connection. */
  filter?: (direction: Direction) => Filter
}

/** The state of the network at the moment. */
type Weather = {
  isCut: boolean
  delayMs: number
  isDribbling: boolean
  stalled: Set<Direction>
  /** Settles at every change, and is then replaced by a new one. */
  changed: PromiseWithResolvers<void>
}

/** More than this waits at the sender, as it would on a full network. */
const heldBytesMax = 1_000_000

/** Stands between any two processes, to fail like a network. */
export async function startChaosProxy({ target, filter }: ChaosOptions): Promise<ChaosProxy> {
  const weather: Weather = {
    isCut: false,
    delayMs: 0,
    isDribbling: false,
    stalled: new Set(),
    changed: Promise.withResolvers(),
  }
  const pairs = new Set<readonly [client: Socket, upstream: Socket]>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (weather.isCut) return void client.on('error', () => undefined).resetAndDestroy()
    const upstream = connect({ ...target, allowHalfOpen: true, noDelay: true } as TcpNetConnectOpts) // a path is an address, too
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined)
      // After a clean end, held bytes may still have to go to the other side.
      socket.on('close', (isBroken) => {
        if (isBroken) reset(other)
        if (other.destroyed) pairs.delete(pair)
      })
    }
    forward(client, upstream, { weather, direction: 'up', filter: filter?.('up') })
    forward(upstream, client, { weather, direction: 'down', filter: filter?.('down') })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const change = (changes: Partial<Omit<Weather, 'changed'>>) => {
    const { changed } = weather
    Object.assign(weather, changes, { changed: Promise.withResolvers<void>() })
    changed.resolve()
  }
  const endAll = (end: (socket: Socket) => void) => {
    for (const pair of pairs) pair.forEach(end)
    pairs.clear()
  }

  return {
    port: typeof address === 'object' && address ? address.port : 0,
    connections: () => pairs.size,
    delay: (delayMs) => change({ delayMs }),
    dribble: () => change({ isDribbling: true }),
    stall: (direction) => change({ stalled: new Set([...weather.stalled, direction]) }),
    reset: () => endAll(reset),
    cut() {
      change({ isCut: true })
      endAll((socket) => socket.destroy())
    },
    open: () => change({ isCut: false }),
    calm: () => change({ isCut: false, delayMs: 0, isDribbling: false, stalled: new Set() }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        endAll((socket) => socket.destroy())
        change({ isCut: true, stalled: new Set(), delayMs: 0 })
      }),
  }
}

/** The socket of a file knows no reset: there the other side sees its end. */
function reset(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}

type Course = { weather: Weather; direction: Direction; filter: Filter | undefined }

/** Passes pieces on one after the other, and the end after the last of them. */
function forward(from: Socket, to: Socket, { weather, direction, filter }: Course): void {
  let last = Promise.resolve()
  let held = 0
  const inTurn = (arrivedMs: number, pass: () => Promise<void> | void) => {
    last = last.then(async () => {
      await clearWay(weather, direction, arrivedMs)
      if (!to.destroyed) await pass()
    })
  }
  from.on('data', (raw: Buffer) => {
    held += raw.length
    if (held > heldBytesMax) from.pause()
    inTurn(performance.now(), async () => {
      const chunk = filter ? filter(raw) : raw
      await write(to, chunk, weather)
      held -= raw.length
      if (held <= heldBytesMax) from.resume()
    })
  })
  from.on('end', () => inTurn(performance.now(), () => void to.end()))
}

/** Waits as long as the weather requires, which may change meanwhile. */
async function clearWay(weather: Weather, direction: Direction, arrivedMs: number): Promise<void> {
  for (;;) {
    const waitMs = arrivedMs + weather.delayMs - performance.now()
    if (!weather.stalled.has(direction) && waitMs <= 0) return
    const change = weather.changed.promise
    if (weather.stalled.has(direction)) await change
    else await Promise.race([change, delay(waitMs)])
  }
}

async function write(to: Socket, chunk: Buffer, weather: Weather): Promise<void> {
  if (chunk.length === 0) return
  if (!weather.isDribbling) return await written(to, chunk)
  for (let at = 0; at < chunk.length && !to.destroyed; at++) {
    await written(to, chunk.subarray(at, at + 1))
    // Otherwise the system would join them again.
    await immediately()
  }
}

/** Resolves when the piece has left, or when it never will. */
function written(to: Socket, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    to.write(chunk, () => resolve())
  })
}
