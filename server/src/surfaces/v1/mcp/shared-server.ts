import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  McpServer,
  Server,
  Transport,
} from '@modelcontextprotocol/server'

/** A message whose answer depends on nothing said before. */
export type PlainRequest = JSONRPCRequest

/** The answer, or, when something was said on the way to it, the stream of all that. */
export type PlainAnswer = { answer: JSONRPCMessage } | { stream: ReadableStream<Uint8Array> }

/** `entering` is told the number under which the server sees the message, and answers what to do once it is answered. */
export type SharedServer = (
  message: PlainRequest,
  entering: (number: number) => () => void,
) => Promise<PlainAnswer>

type Waiting = { tell: (notification: JSONRPCNotification) => void; finish: (answer: JSONRPCMessage) => void }

/**
 * One server that answers all plain requests of the process, each under a number of its own: to open a server and a transport for
 * every message costs more than the call.
 */
export function shareServer(server: Server | McpServer): SharedServer {
  const waiting = new Map<unknown, Waiting>()
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message, options) => {
      if (!('method' in message)) waiting.get(message.id)?.finish(message)
      // Whoever asks a caller something waits for another request, and there are no sessions that would bring it here.
      else if ('id' in message) throw new Error('The caller cannot be asked')
      else waiting.get(options?.relatedRequestId)?.tell(message)
    },
  }
  const connected = server.connect(transport)
  let last = 0
  return async function answer(message, entering) {
    await connected
    last += 1
    const number = last
    const leave = entering(number)
    function forget(): void {
      waiting.delete(number)
      leave()
    }
    try {
      return await new Promise<PlainAnswer>((resolve) => {
        waiting.set(number, hear(message, resolve, forget))
        transport.onmessage?.({ ...message, id: number })
      })
    } catch (error) {
      forget()
      throw error
    }
  }
}

/** Resolves with the answer, or with a stream as soon as anything is said before it. */
function hear({ id }: PlainRequest, resolve: (answer: PlainAnswer) => void, forget: () => void): Waiting {
  let frames: ReadableStreamDefaultController<Uint8Array> | undefined
  let isCancelled = false
  function say(message: JSONRPCMessage): void {
    if (!isCancelled) frames?.enqueue(frameOf(message))
  }
  return {
    tell(notification) {
      if (!frames) {
        const start = (controller: typeof frames) => {
          frames = controller
        }
        const cancel = () => {
          isCancelled = true
        }
        resolve({ stream: new ReadableStream<Uint8Array>({ start, cancel }) })
      }
      say(notification)
    },
    finish(answer) {
      forget()
      const answered = { ...answer, id }
      if (!frames) return resolve({ answer: answered })
      say(answered)
      if (!isCancelled) frames.close()
    },
  }
}

function frameOf(message: JSONRPCMessage): Uint8Array {
  return Buffer.from(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
}
