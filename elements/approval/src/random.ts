const bytes = 24

/** `crypto.randomUUID` is missing where a page is served without TLS, and has fewer bits. */
export function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
