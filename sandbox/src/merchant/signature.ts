import { createHmac, timingSafeEqual } from 'node:crypto'

/** Both directions use the same form: `t=<epoch seconds>,v1=<hex HMAC-SHA256 of "t." + the raw body>`. */
export function sign(body: string, secret: string, at: Date): string {
  const timestamp = Math.floor(at.getTime() / 1000).toString()
  return `t=${timestamp},v1=${digest(timestamp, Buffer.from(body), secret).toString('hex')}`
}

const TOLERANCE_SECONDS = 60

/**
 * Check the bytes as they came, before any JSON parsing: a parsed and re-printed body is another body.
 * The header holds several digests while a secret is being rotated; one that matches is enough.
 */
export function isSignatureValid(options: {
  header: string | undefined
  body: Buffer
  secret: string
  now: Date
}): boolean {
  const { timestamp, digests } = parseHeader(options.header ?? '')
  if (timestamp === undefined || digests.length === 0) return false
  if (Math.abs(options.now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const expected = digest(timestamp, options.body, options.secret)
  // Every digest is compared, in constant time, so that the time does not show which one matched, or where.
  return digests.map((given) => timingSafeEqual(given, expected)).includes(true)
}

function digest(timestamp: string, body: Buffer, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
}

function parseHeader(header: string): { timestamp: string | undefined; digests: Buffer[] } {
  let timestamp: string | undefined
  const digests: Buffer[] = []
  for (const part of header.split(',')) {
    const [name, value = ''] = part.trim().split('=')
    if (name === 't' && /^\d{1,12}$/.test(value)) timestamp = value
    if (name === 'v1' && /^[0-9a-f]{64}$/.test(value)) digests.push(Buffer.from(value, 'hex'))
  }
  return { timestamp, digests }
}
