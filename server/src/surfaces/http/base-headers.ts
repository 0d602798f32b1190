export type BaseHeaders = Readonly<Record<string, string>>

/** What every answer says: it is what its type says, and where we are reached by https, that is the only way. */
export function baseHeaders(publicUrl: string): BaseHeaders {
  const isSecure = new URL(publicUrl).protocol === 'https:'
  return {
    'x-content-type-options': 'nosniff',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}
