import {
  connectOf,
  type ElementOptions,
  type FrameMessage,
  type PageMessage,
  readFrameMessage,
  readHello,
} from '../../messages/src/messages.ts'

type LineOptions = {
  readonly frame: HTMLIFrameElement
  readonly origin: string
  readonly optionsNow: () => ElementOptions
  readonly hear: (message: FrameMessage) => void
  /** A document of the frame has begun: whatever the last one was asked is lost. */
  readonly greeted: () => void
  /** Called once: afterwards nothing is heard. `frame_gone` is taken back by whatever is heard later. */
  readonly lost: (why: 'closed' | 'frame_gone') => void
}

const beatMs = 2_000
/** So many beats without an answer: a frame that computes, or a tab that sleeps, misses some. */
const missedMax = 5

/** The line to a frame: a handshake whenever the frame loads, then a port that nobody else holds. */
export function openFrameLine({ frame, origin, optionsNow, hear, greeted, lost }: LineOptions) {
  let port: MessagePort | null = null
  let missed = 0
  let wasShown = false
  const beat = setInterval(() => {
    wasShown ||= frame.isConnected
    if (wasShown && !frame.isConnected) return lost('closed')
    if (port === null) return
    port.postMessage({ kind: 'ping' })
    missed += 1
    if (missed === missedMax) lost('frame_gone')
  }, beatMs)

  function greet(event: MessageEvent): void {
    if (event.origin !== origin || event.source === null || event.source !== frame.contentWindow) return
    const hello = readHello(event.data)
    if (hello === null) return
    // It was loaded again: what the last document still says is not about this one.
    port?.close()
    missed = 0
    wasShown = true
    greeted()
    const { port1, port2 } = new MessageChannel()
    port = port1
    port.onmessage = ({ data }) => {
      missed = 0
      const message = readFrameMessage(data)
      if (message !== null && port === port1) hear(message)
    }
    frame.contentWindow?.postMessage(connectOf(hello.nonce, optionsNow()), origin, [port2])
  }
  addEventListener('message', greet)

  return {
    isConnected: () => port !== null,
    send: (message: PageMessage) => port?.postMessage(message),
    close(): void {
      clearInterval(beat)
      removeEventListener('message', greet)
      port?.close()
      port = null
    },
  }
}
