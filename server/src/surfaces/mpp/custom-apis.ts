import type { CustomApi } from './mpp-parts.ts'

/** Crawlers of such documents read so much, and the specification of discovery tells them to. */
const documentBytesMax = 64 * 1024

/**
 * The document with the APIs that merchants run themselves. What does not fit is left out: schemas of requests before whole APIs, and
 * the last APIs first.
 */
export function withCustomApis(document: object, apis: readonly CustomApi[]): object {
  const all = apis.map((api) => shown(api))
  let room = documentBytesMax - bytesOf({ ...document, customApis: [], customApisOmitted: all.length })
  const fitting: object[] = []
  for (const api of all) {
    room -= bytesOf(api) + 1
    if (room < 0) break
    fitting.push(api)
  }
  const customApis = fitting.map((api, index) => {
    const requestSchema = apis[index]?.requestSchema ?? null
    if (requestSchema === null) return api
    const whole = { ...api, requestSchema }
    const more = bytesOf(whole) - bytesOf(api)
    if (more > room) return api
    room -= more
    return whole
  })
  const omitted = apis.length - fitting.length
  return { ...document, customApis, ...(omitted > 0 ? { customApisOmitted: omitted } : {}) }
}

function shown({ requestSchema: _, offers, ...api }: CustomApi): object {
  return {
    ...api,
    offers: offers.map(({ intent, method, amount, currency }) => ({
      intent,
      method,
      amount,
      ...(currency === null ? {} : { currency }),
    })),
  }
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}
