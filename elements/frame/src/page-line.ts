import {
  type ElementOptions,
  type FrameMessage,
  helloOf,
  type PageMessage,
  readConnect,
  readPageMessage,
} from '../../messages/src/messages.ts'

export type PageLine = {
  /** What the page wants. */
  readonly options: ElementOptions
  send(message: FrameMessage): void
}

/** Greets the page that holds this frame, and takes the first answer to this greeting from its window and origin, and no other. */
export function openPageLine(hostOrigin: string, hear: (message: PageMessage) => void): Promise<PageLine> {
  const nonce = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
  const { parent } = window
  return new Promise((resolve) => {
    function answer(event: MessageEvent): void {
      if (event.source !== parent || event.origin !== hostOrigin) return
      const connect = readConnect(event.data)
      const [port] = event.ports
      if (connect === null || connect.nonce !== nonce || port === undefined) return
      removeEventListener('message', answer)
      port.onmessage = ({ data }) => {
        const message = readPageMessage(data)
        if (message?.kind === 'ping') port.postMessage({ kind: 'pong' } satisfies FrameMessage)
        else if (message !== null) hear(message)
      }
      resolve({ options: connect.options, send: (message) => port.postMessage(message) })
    }
    addEventListener('message', answer)
    parent.postMessage(helloOf(nonce), hostOrigin)
  })
}
