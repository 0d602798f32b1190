import type { Answer, TestApp } from '../app.ts'
import { newBuyer } from '../buyers.ts'
import { askQuote, openQuotingShop } from '../quotes.ts'
import { doneMeanwhile, merchantStandIn, unanswer } from '../stand-ins.ts'
import type { Stop } from './stop.ts'

export async function tourQuotes(app: TestApp, visit: (stop: Stop) => Promise<Answer>): Promise<void> {
  const domain = 'quotes.example'
  const shop = await openQuotingShop(app, { url: 'https://hooks.example/quotes' }, { merchant: { domain } })
  const buyer = await newBuyer(app)
  let number = 0
  const go = (operation: string, method: string, path: string, body?: unknown, key?: string) => {
    const headers: Record<string, string> =
      method === 'GET' ? {} : { 'idempotency-key': `quotes-${Date.now()}-${number++}` }
    const options = { headers, ...(key ? { key } : {}), ...(body === undefined ? {} : { body }) }
    return visit({ operation, call: () => app.request(method, path, options) })
  }
  const merchant = { slug: shop.slug }
  await go('v1_search_catalog', 'POST', '/v1/catalog', { query: 'thing', merchant })
  await go('v1_lookup_catalog', 'POST', '/v1/catalog/lookup', { ids: [shop.variantId], merchant })
  await go('v1_get_catalog_product', 'POST', '/v1/catalog/product', { id: shop.itemId, merchant })
  const { body: found } = await go('v1_list_registry', 'GET', '/v1/registry?q=quotes.example')
  await go('v1_get_registry_entry', 'GET', `/v1/registry/${found.data[0].id}`)
  const lines = [{ attribution_id: `attr_${'A'.repeat(51)}`, item_id: shop.itemId }]
  await go('v1_confirm_catalog_impressions', 'POST', '/v1/catalog/impressions', { lines })
  const wish = { catalog_variant_id: shop.variantId }
  const { body: quote } = await answeredMeanwhile(app, () =>
    go('v1_create_quote', 'POST', '/v1/quotes', wish),
  )
  const path = `/v1/quotes/${quote.id}`
  await go('v1_get_quote', 'GET', path)
  await go('v1_list_quotes', 'GET', '/v1/quotes')
  const { body: renewed } = await answeredMeanwhile(app, () =>
    go('v1_refresh_quote', 'POST', `${path}/refresh`),
  )
  const taken = { offer_id: renewed.offers[0].id, profile_id: buyer.profileId }
  await go('v1_accept_quote', 'POST', `${path}/accept`, taken)
  const { body: late } = await answeredMeanwhile(app, () => askQuote(app, wish))
  await unanswer(app, late.id)
  const responses = `/v1/merchant/quotes/${late.id}/responses`
  const offers = [{ total_amount: 900, expires_at: '2090-01-01T00:00:00Z' }]
  await go('v1_create_quote_response', 'POST', responses, { outcome: 'quoted', offers }, shop.key)
  await go('v1_cancel_quote', 'POST', `/v1/quotes/${late.id}/cancel`)
}

/** A request for a quote waits for the merchant, who is not here. */
function answeredMeanwhile(app: TestApp, work: () => Promise<Answer>): Promise<Answer> {
  return doneMeanwhile(app, [merchantStandIn], work)
}
