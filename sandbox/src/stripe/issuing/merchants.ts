import { createHash } from 'node:crypto'
import { type Fields, optionalText, text } from '../../fields.ts'
import type { Merchant } from './memory.ts'

/** A shop as the network of its card names it. One may charge under several names. */
export function merchantIn(body: Fields): Merchant {
  const host = text(body, 'merchant').toLowerCase()
  const digits = BigInt(`0x${createHash('sha256').update(host).digest('hex')}`).toString()
  return {
    name: optionalText(body, 'merchant_name') ?? host.toUpperCase().slice(0, 25),
    network_id: optionalText(body, 'network_id') ?? digits.slice(0, 15),
    country: optionalText(body, 'country') ?? 'US',
    category: optionalText(body, 'category') ?? 'miscellaneous_specialty_retail',
    url: `https://${host}`,
  }
}

export function renderMerchant({ name, network_id, country, category, url }: Merchant) {
  const nowhere = { city: null, postal_code: null, state: null, tax_id: null, terminal_id: null }
  return { ...nowhere, category, category_code: '5999', country, name, network_id, url }
}
