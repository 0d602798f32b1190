/**
 * The origin of pages that a publishable key may be made for, as browsers send it in `Origin`; null: no page has this origin, or pages
 * that have it are not safe to name. Pages come by https, or by http from the machine of their developer.
 */
export function pageOriginOf(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  // A path, a query or a name would say more than a browser sends, and the key would be for less than it seems.
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && !/[?#@*]/.test(text)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url.hostname))
  return isBare && isSafe && text.length <= originLengthMax ? url.origin : null
}

/** Longer origins are not answered either: see `allowPage`. */
const originLengthMax = 300

function isLocal(hostname: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}
