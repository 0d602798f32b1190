/** PostgreSQL accepts payloads below 8000 bytes. */
const payloadBytesMax = 7_900

/** Topics as notifications: `origin topic topic …`, in as many notifications as they need. Topics contain no spaces. */
export function packTopics(origin: string, topics: readonly string[]): string[] {
  const payloads: string[] = []
  let payload = origin
  for (const topic of topics) {
    if (Buffer.byteLength(payload) + Buffer.byteLength(topic) + 1 > payloadBytesMax) {
      payloads.push(payload)
      payload = origin
    }
    payload += ` ${topic}`
  }
  if (payload !== origin) payloads.push(payload)
  return payloads
}

export function unpackTopics(payload: string): { origin: string; topics: string[] } {
  const [origin = '', ...topics] = payload.split(' ')
  return { origin, topics }
}
