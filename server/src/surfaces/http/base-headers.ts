export type BaseHeaders = Readonly<Record<string, string>>

/** The headers of every answer: browsers must not guess another type, and where we are reached by https, must use nothing else. */
export function baseHeaders(publicUrl: string): BaseHeaders {
  const isSecure = new URL(publicUrl).protocol === 'https:'
  return {
    'x-content-type-options': 'nosniff',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}
