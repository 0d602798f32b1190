import {
  type CardPageBegin,
  cardPageHello,
  type FromCardPage,
  readCardPageConnect,
  readToCardPage,
} from '../../messages/src/card-page-messages.ts'

type FrameLine = { readonly begin: CardPageBegin; send(message: FromCardPage): void }

/** Greets the frame that holds this page, and takes the first answer to this greeting from its window and its origin, and no other. */
export function openFrameLine(pages: string, confirm: () => void): Promise<FrameLine> {
  const nonce = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
  const { parent } = window
  return new Promise((resolve) => {
    function answer(event: MessageEvent): void {
      // A page that embeds this one, or our frame, has no say in what is confirmed.
      if (event.source !== parent || event.origin !== pages) return
      const begin = readCardPageConnect(event.data)
      const [port] = event.ports
      if (begin === null || begin.nonce !== nonce || port === undefined) return
      removeEventListener('message', answer)
      port.onmessage = ({ data }) => {
        if (readToCardPage(data) !== null) confirm()
      }
      resolve({ begin, send: (message) => port.postMessage(message) })
    }
    addEventListener('message', answer)
    parent.postMessage(cardPageHello(nonce), pages)
  })
}
