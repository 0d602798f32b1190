import type { Answer, TestApp } from './app.ts'
import { tourBuyers, tourPurchases } from './tour/buyers.ts'
import { tourChats } from './tour/chats.ts'
import { tourDestinations } from './tour/destinations.ts'
import { tourMerchant, tourRouting } from './tour/merchants.ts'
import { tourPeople } from './tour/people.ts'
import { tourQuotes } from './tour/quotes.ts'
import type { Stop } from './tour/stop.ts'

/**
 * Calls every operation of the public interface once, in an order in which each finds what it needs. `visit` is given one call at a
 * time; what is made in between is nobody's business.
 */
export async function tourOperations(app: TestApp, visit: (stop: Stop) => Promise<Answer>): Promise<void> {
  let number = 0
  const go = (operation: string, method: string, path: string, body?: unknown, how?: string) => {
    const isFile = typeof body === 'string'
    const headers: Record<string, string> = {
      ...(method === 'GET' ? {} : { 'idempotency-key': `tour-${Date.now()}-${number++}` }),
      ...(isFile ? { 'content-type': 'application/x-ndjson' } : {}),
    }
    return visit({
      operation,
      ...(how ? { how } : {}),
      call: () =>
        app.request(method, path, {
          headers,
          ...(isFile ? { raw: body } : body === undefined ? {} : { body }),
        }),
    })
  }
  await tourPeople(app, visit)
  await tourBuyers(app, go)
  await tourPurchases(app, go)
  await tourMerchant(app, go)
  await tourRouting(app, go)
  await tourDestinations(app, go, 'merchant_destination', '/v1/merchant/destinations')
  await tourDestinations(app, go, 'event_destination', '/v1/event_destinations')
  await tourQuotes(app, visit)
  await tourChats(app, go)
}
