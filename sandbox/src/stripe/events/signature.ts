import { createHmac } from 'node:crypto'

/** The release of the interface in which events are written, which is that of the package. */
export const apiVersion = '2026-10-28.endive'

/** The header of a message, over the bytes as they are sent. */
export function signatureOf(body: string, { secret, at }: { secret: string; at: number }): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}
