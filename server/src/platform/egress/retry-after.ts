/** The seconds that a Retry-After header asks for: a number, or an HTTP date. Null when it is not usable. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim())
  // Date.parse accepts other forms, which this header must not have.
  const at = /^[A-Z][a-z]{2}, \d{2} .* GMT$/.test(header.trim()) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000))
}
