import type { Storefront } from './storefront.ts'

/** What most American shops have alike. */
export const usualTerms: Pick<
  Storefront,
  'locale' | 'currency' | 'deliveries' | 'taxPercent' | 'isTaxIncluded' | 'promo' | 'methods'
> = {
  locale: 'en-US',
  currency: 'USD',
  deliveries: [
    { id: 'standard', name: 'Standard shipping', promise: '3–5 business days', price: 500 },
    { id: 'express', name: 'Express shipping', promise: '1–2 business days', price: 1500 },
  ],
  taxPercent: 8,
  isTaxIncluded: false,
  promo: null,
  methods: [{ id: 'card', name: 'Credit card' }],
}
