import type { Tariff } from '../shop/price-cart.ts'

/** What the shop sells, at consumer prices. */
export const laden: Tariff = {
  products: [
    {
      handle: 'siebtraeger',
      name: 'Siebträgermaschine „Bella“',
      description: 'Espressomaschine aus Edelstahl mit zwei Kreisläufen.',
      price: 124900,
    },
    {
      handle: 'tasse',
      name: 'Espressotasse',
      description: 'Dickwandige Tasse aus Porzellan, 60 ml.',
      price: 895,
    },
    {
      handle: 'muehle',
      name: 'Handmühle',
      description: 'Kaffeemühle mit Kegelmahlwerk. Zurzeit nicht lieferbar.',
      price: 6450,
      stock: 0,
    },
  ],
  currency: 'EUR',
  deliveries: [
    { id: 'dhl', name: 'DHL Paket', promise: '2–3 Werktage', price: 490 },
    { id: 'express', name: 'DHL Express', promise: 'nächster Werktag', price: 1290 },
  ],
  taxPercent: 19,
  isTaxIncluded: true,
  promo: { code: 'WILLKOMMEN', percent: 5 },
}
