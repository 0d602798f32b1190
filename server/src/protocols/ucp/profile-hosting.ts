import { type DocumentFault, Faults } from '../foreign-document.ts'

const maxAgeMin = 60

/** What the headers of a profile get wrong: it is read again and again, by many. Names are in lower case. */
export function hostingFaults(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): readonly DocumentFault[] {
  const faults = new Faults()
  const caching = String(headers['cache-control'] ?? '').toLowerCase()
  const maxAge = Number(/(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/.exec(caching)?.[1] ?? -1)
  if (!/(?:^|[\s,])public(?:$|[\s,])/.test(caching) || maxAge < maxAgeMin)
    faults.warn(
      ['header', 'Cache-Control'],
      'Caches may not keep the profile for a minute.',
      `Send "Cache-Control: public, max-age=${maxAgeMin}" or longer, without private, no-store and no-cache.`,
    )
  if (/\b(?:private|no-store|no-cache)\b/.test(caching))
    faults.warn(
      ['header', 'Cache-Control'],
      'It forbids caches to keep the profile.',
      'Remove private, no-store and no-cache.',
    )
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(String(headers['content-type'] ?? '')))
    faults.warn(
      ['header', 'Content-Type'],
      'It is not sent as JSON.',
      'Send "Content-Type: application/json".',
    )
  return faults.found
}
