import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { cardTyped, totalShown } from '../../../test/shopper.ts'

const shop = 'https://laden.shop.test'

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

const buyer = {
  email: 'ada@example.com',
  vorname: 'Ada',
  nachname: 'Lovelace',
  strasse: 'Hauptstraße',
  hausnummer: '12a',
  plz: '04109',
  ort: 'Leipzig',
}

async function atTheCheckout(handle: string) {
  const shopper = strangers.shopper()
  await shopper.open(`${shop}/produkt/${handle}`)
  await shopper.submit('/warenkorb/hinzufuegen')
  return { shopper, seen: await shopper.open('/kasse') }
}

test('one page sells, with tax inside the price, in the figures of the country', async () => {
  const { shopper, seen } = await atTheCheckout('siebtraeger')
  expect(seen.body.replaceAll('\u00a0', ' ')).toContain('1.253,90 €')
  const express = await shopper.submit('/kasse', { ...buyer, versandart: 'express', aktualisieren: '1' })
  expect(totalShown(express)).toBe(126_190)
  const card = await strangers.issueCard({ limit: 126_190, merchant: 'laden.shop.test', currency: 'EUR' })
  const done = await shopper.submit('/kasse', { ...buyer, ...cardTyped(card), agb: '1' })
  expect(done.body).toContain('Vielen Dank für Ihre Bestellung!')
  expect(await strangers.totals(card)).toBe('0/126190/0')
  expect(await strangers.results('laden')).toEqual(['order opened', 'charge authorized', 'charge captured'])
})

test.each([
  [{ agb: '' }, 'Bitte akzeptieren Sie unsere AGB.'],
  [{ hausnummer: '' }, 'Hausnummer ist ein Pflichtfeld.'],
  [{ card_cvc: '' }, 'Bitte prüfen Sie die Angaben zu Ihrer Karte.'],
])('without %j nothing is ordered', async (without, message) => {
  const { shopper } = await atTheCheckout('tasse')
  const card = await strangers.issueCard({ limit: 5000, merchant: 'laden.shop.test', currency: 'EUR' })
  const fields = Object.entries({ ...buyer, ...cardTyped(card), agb: '1', ...without })
  const { body } = await shopper.submit(
    '/kasse',
    Object.fromEntries(fields.filter(([, value]) => value !== '')),
  )
  expect([body.includes(message), await strangers.totals(card)]).toEqual([true, '0/0/0'])
})

test('a card in another currency is declined in words', async () => {
  const { shopper } = await atTheCheckout('tasse')
  const card = await strangers.issueCard({ limit: 5000, merchant: 'laden.shop.test', currency: 'USD' })
  const { body } = await shopper.submit('/kasse', { ...buyer, ...cardTyped(card), agb: '1' })
  expect(body).toContain('Ihre Karte wurde abgelehnt.')
})
