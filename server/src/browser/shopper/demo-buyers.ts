import type { ShopAddress, ShopRequest } from '../../channels/browser/shopping-words.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'

type Place = Pick<ShopAddress, 'line1' | 'city' | 'state' | 'postalCode'> & {
  /** Of those that each country keeps for stories; null where it keeps none, so that nobody's telephone is given away. */
  readonly phone: string | null
  readonly currency: string
}

/** Addresses in the form of their countries, of streets that nobody has named so. */
const places: Readonly<Record<string, Place>> = {
  US: place('12 Analytical Way', 'Springfield', 'IL', '62704', 'USD', '+12025550143'),
  CA: place('12 Analytical Way', 'Toronto', 'ON', 'M5V 2T6', 'CAD', '+16135550143'),
  GB: place('12 Analytical Lane', 'London', null, 'SW1A 1AA', 'GBP', '+442079460958'),
  IE: place('12 Analytical Lane', 'Dublin', null, 'D02 AF30', 'EUR', '+353209120143'),
  AU: place('12 Analytical Way', 'Sydney', 'NSW', '2000', 'AUD', '+61255501430'),
  DE: place('Beispielweg 12', 'Leipzig', null, '04109', 'EUR', '+493023125143'),
  AT: place('Beispielgasse 12', 'Wien', null, '1010', 'EUR', null),
  CH: place('Beispielweg 12', 'Zürich', null, '8001', 'CHF', null),
  FR: place('12 rue de l’Exemple', 'Paris', null, '75001', 'EUR', '+33199001430'),
  BE: place('Voorbeeldstraat 12', 'Brussel', null, '1000', 'EUR', null),
  NL: place('Voorbeeldstraat 12', 'Amsterdam', null, '1012 AB', 'EUR', null),
  ES: place('Calle del Ejemplo 12', 'Madrid', 'Madrid', '28013', 'EUR', null),
  IT: place('Via dell’Esempio 12', 'Roma', 'RM', '00184', 'EUR', null),
  PT: place('Rua do Exemplo 12', 'Lisboa', null, '1100-148', 'EUR', null),
  PL: place('ul. Przykładowa 12', 'Warszawa', null, '00-001', 'PLN', null),
  SE: place('Exempelgatan 12', 'Stockholm', null, '111 20', 'SEK', '+46846500443'),
  JP: place('例町1-2-12', '千代田区', '東京都', '100-0001', 'JPY', null),
}

function place(
  line1: string,
  city: string,
  state: string | null,
  postalCode: string,
  currency: string,
  phone: string | null,
): Place {
  return { line1, city, state, postalCode, currency, phone }
}

const usual = 'US'

/** Of several countries with one currency, the one whose language a page is in. */
const ofLanguage: Readonly<Record<string, string>> = {
  de: 'DE',
  fr: 'FR',
  es: 'ES',
  it: 'IT',
  nl: 'NL',
  pt: 'PT',
  pl: 'PL',
  sv: 'SE',
  ja: 'JP',
}

/** Where a shop sells, as far as a page of it says: by its name, by what it is paid in, by its language. */
export function countryOf({ url, language }: PageSnapshot, currency: string | null): string {
  const named = /\.([a-z]{2})$/u.exec(URL.parse(url)?.hostname ?? '')?.[1]?.toUpperCase()
  if (named === 'UK') return 'GB'
  if (named !== undefined && Object.hasOwn(places, named)) return named
  const [base = '', region = ''] = language.split('-')
  const likely = [region.toUpperCase(), ofLanguage[base] ?? '', ...Object.keys(places)]
  return likely.find((one) => Object.hasOwn(places, one) && isPaidIn(one, currency)) ?? usual
}

function isPaidIn(country: string, currency: string | null): boolean {
  return currency === null || places[country]?.currency === currency
}

/** What a shop of this country is paid in, where its pages do not say it. */
export function currencyOf(country: string): string {
  return places[country]?.currency ?? 'USD'
}

/** Somebody of this country who does not exist: whatever a shop is told of them, it is told of nobody. */
export function demoBuyer(country: string): ShopRequest['buyer'] {
  const { phone, currency: _, ...address } = places[country] ?? (places[usual] as Place) // the usual one is there
  const shipTo = { recipientName: 'Ada Lovelace', line2: null, country, ...address }
  return {
    name: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada.lovelace@example.com',
    phone,
    shipTo,
    billTo: shipTo,
  }
}

/** Nobody has nothing: what a form is given for nobody is empty. */
export const nobody: ShopRequest['buyer'] = {
  name: '',
  firstName: '',
  lastName: null,
  email: '',
  phone: null,
  shipTo: null,
  billTo: null,
}
