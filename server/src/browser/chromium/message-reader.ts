/** The longest is a picture of a window, of 11 MB at most; what a page is read into is kept far below that. */
const messageBytesMax = 32 * 1_048_576

/**
 * What pages may say in all, so that reading it leaves time for others: so much at once, and so much more a second. A purchase says two or
 * three megabytes.
 */
const flood = {
  bytes: 128 * 1_048_576,
  bytesEachSecond: 16 * 1_048_576,
  messages: 100_000,
  messagesEachSecond: 5_000,
}

/** Pages say these as often and as long as they like, and nobody here listens. */
const unheard = [
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Log.entryAdded',
  'Network.dataReceived',
  'Network.webSocketFrameReceived',
  'Network.webSocketFrameSent',
  'Network.eventSourceMessageReceived',
].map((method) => Buffer.from(`{"method":"${method}",`))
const longestUnheard = Math.max(...unheard.map(({ length }) => length))

/**
 * Cuts what Chromium says into its messages of JSON, each with a zero byte behind it. It returns false for what no honest page makes it say:
 * a message that is too long, or too much of them.
 */
export function messageReader(
  onMessage: (message: string) => void,
  nowMs: () => number = () => performance.now(),
): (chunk: Buffer) => boolean {
  const bytes = allowance(flood.bytes, flood.bytesEachSecond, nowMs)
  const messages = allowance(flood.messages, flood.messagesEachSecond, nowMs)
  let parts: Buffer[] = []
  let size = 0
  let head: Buffer = Buffer.alloc(0)
  let isUnheard = false
  const add = (part: Buffer): boolean => {
    size += part.length
    if (head.length < longestUnheard) {
      head = Buffer.concat([head, part.subarray(0, longestUnheard - head.length)])
      isUnheard = unheard.some((start) => head.subarray(0, start.length).equals(start))
    }
    if (isUnheard) parts = []
    else parts.push(part)
    // guard no-message-too-long: what a page makes Chromium say is not kept beyond what is ever needed
    return isUnheard || size <= messageBytesMax
  }
  return (chunk) => {
    if (!bytes.take(chunk.length)) return false
    let begin = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, begin)) {
      // guard no-flood-of-messages: a page that talks without end is ended, and others are heard
      if (!add(chunk.subarray(begin, end)) || !messages.take(1)) return false
      if (!isUnheard) onMessage(Buffer.concat(parts).toString('utf8'))
      parts = []
      size = 0
      head = Buffer.alloc(0)
      isUnheard = false
      begin = end + 1
    }
    return add(chunk.subarray(begin))
  }
}

function allowance(most: number, eachSecond: number, nowMs: () => number): { take(count: number): boolean } {
  let left = most
  let atMs = nowMs()
  return {
    take(count) {
      const now = nowMs()
      left = Math.min(most, left + ((now - atMs) / 1_000) * eachSecond) - count
      atMs = now
      return left >= 0
    },
  }
}
