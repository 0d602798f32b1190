import type { JSONRPCMessage, JSONRPCRequest, Server, Transport } from '@modelcontextprotocol/server'

/** A message whose answer depends on nothing said before. */
export type PlainRequest = JSONRPCRequest

/** `entering` is told the number under which the server sees the message, and answers what to do once it is answered. */
export type SharedServer = (
  message: PlainRequest,
  entering: (number: number) => () => void,
) => Promise<JSONRPCMessage>

/**
 * One server that answers all plain requests of the process, each under a number of its own: to open a server and a transport for
 * every message costs more than the call.
 */
export function shareServer(server: Server): SharedServer {
  const waiting = new Map<number, (answer: JSONRPCMessage) => void>()
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (answer) => {
      if ('id' in answer && typeof answer.id === 'number') waiting.get(answer.id)?.(answer)
    },
  }
  const connected = server.connect(transport)
  let last = 0
  return async function answer(message, entering) {
    await connected
    last += 1
    const number = last
    const leave = entering(number)
    try {
      const answered = await new Promise<JSONRPCMessage>((resolve) => {
        waiting.set(number, resolve)
        transport.onmessage?.({ ...message, id: number })
      })
      return { ...answered, id: message.id }
    } finally {
      waiting.delete(number)
      leave()
    }
  }
}
