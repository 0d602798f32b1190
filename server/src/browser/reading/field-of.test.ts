import { describe, expect, test } from 'vitest'
import { addressPurposes, assignFields, partsOfValues } from './field-of.ts'
import { purposeOf } from './field-signals.ts'
import { FieldNames } from './named-fields.ts'
import type { Control, PageSnapshot } from './page-snapshot.ts'
import { action, control, option, snapshotWith } from './snapshot.testing.ts'
import type { Field } from './words/shop-words.ts'

function fieldOf({ ref }: Control, snapshot: PageSnapshot): Field | null {
  return assignFields(snapshot).get(ref) ?? null
}

function read(controls: readonly Control[], language = 'en'): (Field | null)[] {
  const fields = assignFields(snapshotWith({ controls, language }))
  return controls.map(({ ref }) => fields.get(ref) ?? null)
}

const single: readonly [what: string, parts: Partial<Control>, field: Field | null, language?: string][] = [
  [
    'autocomplete with a section',
    { autocomplete: 'section-a shipping address-line1', label: 'Zip' },
    'line1',
  ],
  ['autocomplete of a card', { autocomplete: 'cc-number', name: 'x' }, 'card_number'],
  ['autocomplete that is off', { autocomplete: 'off', label: 'City' }, 'city'],
  ['a type', { type: 'email', label: '' }, 'email'],
  ['a label', { label: 'Postal code *' }, 'postal_code'],
  ['a label beside another name', { label: 'City', name: 'address_line_1' }, 'city'],
  ['a placeholder', { placeholder: 'Apt / unit' }, 'line2'],
  ['a placeholder of shape', { placeholder: '0000 0000 0000 0000' }, 'card_number'],
  ['dots', { placeholder: '•••• •••• •••• ••••' }, 'card_number'],
  ['a date of shape', { placeholder: 'MM / YY' }, 'card_expiry'],
  ['an example of an address', { placeholder: 'you@mail.example' }, 'email'],
  ['what stands before it', { near: 'Phone number' }, 'phone'],
  ['a name in brackets', { name: 'address[city]' }, 'city'],
  ['a name in brackets of a bill', { name: 'billing[postcode]' }, 'postal_code'],
  ['a name in camel case', { name: 'shippingAddressPostalCode' }, 'postal_code'],
  ['a name with digits', { name: 'address1' }, 'line1'],
  ['a second line', { name: 'address_2' }, 'line2'],
  ['a second line in words', { label: 'Second line of address', name: 'line2' }, 'line2'],
  ['zweite Zeile', { label: 'Zweite Adresszeile', name: 'line2' }, 'line2', 'de'],
  ['segunda línea', { label: 'Segunda línea de la dirección', name: 'line2' }, 'line2', 'es'],
  ['deuxième ligne', { label: "Deuxième ligne d'adresse", name: 'line2' }, 'line2', 'fr'],
  ['tweede regel', { label: 'Tweede adresregel', name: 'line2' }, 'line2', 'nl'],
  ['andra raden', { label: 'Andra adressraden', name: 'line2' }, 'line2', 'sv'],
  ['a code by its letters', { label: 'numero CCV', name: 'ccv' }, 'card_code', 'it'],
  ['a Spanish one', { label: 'Número CCV', name: 'ccv' }, 'card_code', 'es'],
  ['a Polish one', { label: 'Numer CCV', name: 'ccv' }, 'card_code', 'pl'],
  ['a word in two', { label: 'Kaart nummer', name: 'number' }, 'card_number', 'nl'],
  ['an id', { id: 'checkout_shipping_first_name' }, 'first_name'],
  ['a code of a card', { label: 'Security code' }, 'card_code'],
  ['a code of a card, as a password', { type: 'password', label: 'CVC', maxLength: 4 }, 'card_code'],
  ['a holder', { label: 'Name on card' }, 'card_holder'],
  ['a name', { label: 'Your name' }, 'full_name'],
  ['a coupon', { placeholder: 'Gift card or discount code' }, 'promo_code'],
  ['a quantity', { type: 'number', name: 'qty' }, 'quantity'],
  ['a search', { type: 'search', name: 'q' }, 'search'],
  ['a fax', { label: 'Fax' }, null],
  ['nothing', {}, null],
  ['terms', { kind: 'checkbox', label: 'I agree to the terms and conditions' }, 'terms_consent'],
  ['news and terms', { kind: 'checkbox', label: 'Send me news and offers. See our terms.' }, 'newsletter'],
  ['a card to keep', { kind: 'checkbox', label: 'Save this card for next time' }, 'save_card'],
  ['the same address', { kind: 'checkbox', label: 'Billing address same as shipping' }, 'billing_same'],
  ['an account', { kind: 'checkbox', label: 'Create an account?' }, 'create_account'],
  ['PLZ', { label: 'PLZ*' }, 'postal_code', 'de'],
  ['Ort', { label: 'Ort*' }, 'city', 'de'],
  ['Gutschein', { label: 'Gutscheincode' }, 'promo_code', 'de'],
  ['Prüfziffer', { label: 'Prüfziffer' }, 'card_code', 'de'],
  ['gültig bis', { label: 'Gültig bis (MM/JJ)' }, 'card_expiry', 'de'],
  ['AGB', { kind: 'checkbox', label: 'Ich habe die AGB gelesen' }, 'terms_consent', 'de'],
  ['Newsletter', { kind: 'checkbox', label: 'Ja, ich möchte den Newsletter erhalten.' }, 'newsletter', 'de'],
]

describe('one control', () => {
  test.each(single)('%s', (_, parts, field, language = 'en') => {
    const one = control(parts)
    expect(fieldOf(one, snapshotWith({ controls: [one], language }))).toBe(field)
  })

  test.each([
    ['shipping', { autocomplete: 'shipping city' }],
    ['billing', { name: 'billing_city' }],
    ['billing', { group: 'Rechnungsadresse' }],
    ['shipping', { group: 'Adresse de livraison' }],
    [null, { group: 'Rechnungs- und Lieferadresse' }],
    [null, { name: 'city' }],
  ] as const)('is for %s', (purpose, parts) => {
    expect(purposeOf(control(parts))).toBe(purpose)
  })
})

describe('a form', () => {
  test('no two controls are for the same, and the stronger signal has it', () => {
    expect(read([control({ placeholder: 'City' }), control({ label: 'City' })])).toEqual([null, 'city'])
  })

  test('an address of delivery and one of the bill have the same fields', () => {
    const both = ['shipping', 'billing'].flatMap((purpose) =>
      ['address1', 'city', 'zip'].map((name) => control({ name: `${purpose}[${name}]` })),
    )
    expect(read(both)).toEqual(['line1', 'city', 'postal_code', 'line1', 'city', 'postal_code'])
  })

  test('a name beside a last name is the first one', () => {
    expect(read([control({ label: 'Name' }), control({ label: 'Surname' })])).toEqual([
      'first_name',
      'last_name',
    ])
  })

  test('a street with a number of its own is a street, one without is a line', () => {
    const street = { label: 'Straße' }
    const rest = [control({ label: 'PLZ' }), control({ label: 'Ort' })]
    expect(read([control(street), control({ label: 'Nr.' }), ...rest], 'de')).toEqual([
      'street',
      'house_number',
      'postal_code',
      'city',
    ])
    expect(read([control(street), ...rest], 'de')).toEqual(['line1', 'postal_code', 'city'])
    expect(read([control({ label: 'Adresse' }), control({ label: 'Hausnummer' }), ...rest], 'de')[0]).toBe(
      'street',
    )
  })

  test('what stands unnamed between street and city is the postal code', () => {
    const line = control({ label: 'Address' })
    const city = control({ label: 'City' })
    expect(read([line, control({ maxLength: 10 }), city])).toEqual(['line1', 'postal_code', 'city'])
    expect(read([line, control({}), city])).toEqual(['line1', 'postal_code', 'city'])
    expect(read([line, control({}), control({ inputMode: 'numeric' }), city])[2]).toBe('postal_code')
    expect(read([line, city, control({ maxLength: 2 }), control({ maxLength: 5 })])).toEqual([
      'line1',
      'city',
      'state',
      'postal_code',
    ])
  })

  test('placeholders alone are enough', () => {
    const texts = [
      'Email',
      'Full name',
      'Address',
      'Apt / unit',
      'City',
      'ST',
      'ZIP',
      'Phone (for delivery updates)',
    ]
    const controls = texts.map((placeholder, index) => control({ placeholder, name: `f${index + 1}` }))
    expect(read(controls)).toEqual([
      'email',
      'full_name',
      'line1',
      'line2',
      'city',
      'state',
      'postal_code',
      'phone',
    ])
  })

  test('a card is known by shape where only its number is named', () => {
    expect(
      read([
        control({ label: 'Card number', type: 'tel' }),
        control({ maxLength: 5 }),
        control({ maxLength: 4, inputMode: 'numeric' }),
      ]),
    ).toEqual(['card_number', 'card_expiry', 'card_code'])
  })

  test('months and years are known by what is offered', () => {
    const numbers = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => option(String(from + index)))
    expect(
      read([
        control({ kind: 'select', options: [option('', ''), ...numbers(1, 12)] }),
        control({ kind: 'select', options: numbers(2026, 2040) }),
        control({ kind: 'select', options: numbers(1, 10), name: 'qty' }),
      ]),
    ).toEqual(['card_expiry_month', 'card_expiry_year', 'quantity'])
  })

  test('an email to sign up for news is not the email of the buyer', () => {
    const news = control({ type: 'email', form: 7 })
    const buyer = control({ type: 'email', form: 8 })
    const snapshot = snapshotWith({
      controls: [news, buyer],
      actions: [action('Sign up', { form: 7 }), action('Continue', { form: 8 })],
    })
    expect([fieldOf(news, snapshot), fieldOf(buyer, snapshot)]).toEqual(['newsletter', 'email'])
  })

  test('an email and a password may be asked twice', () => {
    expect(
      read([control({ label: 'Email' }), control({ label: 'Confirm email' }), control({ type: 'password' })]),
    ).toEqual(['email', 'email', 'password'])
  })

  test('a thousand controls with long texts are read', () => {
    const long = 'city name address '.repeat(6_000)
    const controls = Array.from({ length: 1_000 }, () =>
      control({ label: long, name: long, placeholder: long }),
    )
    expect(read(controls)).toHaveLength(1_000)
  })
})

describe('a phrase is read whole', () => {
  test.each<[string, Partial<Control>, string?]>([
    ['a card of loyalty', { label: 'Loyalty card number (optional)' }],
    ['a card of a club', { label: 'Clubcard number', name: 'card_number' }],
    ['a card as a gift', { label: 'Gift card number' }],
    ['a sponsor', { label: 'Sponsor card number' }],
    ['an identity', { label: 'Identification number', name: 'dni' }],
    ['a tax number, called so by a program alone', { label: 'Number', name: 'tax_number' }],
    ['a member', { label: 'Membership number' }],
    ['a customer', { label: 'Kundennummer', name: 'nummer' }, 'de'],
    ['a customer of another shop', { label: 'Numéro de client' }, 'fr'],
    ['a document', { label: 'Número de documento' }, 'es'],
    ['a member of another club', { label: '会員番号' }, 'ja'],
    ['a dog', { label: 'Name of your dog' }],
    ['a mother', { label: "Mother's maiden name" }],
    ['a middle name', { label: 'Middle name', autocomplete: 'additional-name' }],
    ['a birthplace', { label: 'City of birth' }],
    ['a fax', { label: 'Fax number', type: 'tel' }],
    ['an extension', { label: 'Phone', autocomplete: 'tel-extension' }],
  ])('%s is none of the buyer', (_, parts, language = 'en') => {
    const rest = [control({ label: 'Street' }), control({ label: 'Postcode' }), control({ label: 'City' })]
    expect(read([control(parts), ...rest], language)[0]).toBeNull()
  })

  test.each<[Partial<Control>, Field, string?]>([
    [{ label: 'CCV number', name: 'ccv' }, 'card_code'],
    [{ label: 'Your credit card number' }, 'card_number'],
    [{ label: 'Customer phone', name: 'customer_phone' }, 'phone'],
    [{ label: 'Email ID' }, 'email'],
    [{ label: 'Your name (as on the door)' }, 'full_name'],
    [{ name: 'order_card_number' }, 'card_number'],
    [{ label: 'Toevoeging' }, 'house_addition', 'nl'],
  ])('%o is for %s', (parts, field, language = 'en') => {
    expect(read([control(parts)], language)).toEqual([field])
  })

  test('a number is that of a house only beside its street', () => {
    const number = () => control({ label: 'Number' })
    expect(read([control({ label: 'Street' }), number()])).toEqual(['street', 'house_number'])
    expect(read([control({ label: 'First name' }), control({ label: 'Last name' }), number()])[2]).toBeNull()
    expect(read([control({ label: 'House name or number' }), control({ label: 'Street' })])).toEqual([
      'house_number',
      'street',
    ])
  })

  test('what is written at a field keeps it from being told by its place', () => {
    const line = control({ label: 'Address' })
    const city = control({ label: 'City' })
    expect(read([line, control({ label: 'Referral wibble' }), city])[1]).toBeNull()
  })
})

describe('several boxes and lists', () => {
  const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'].map((one) =>
    option(one),
  )
  const years = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => option(String(first + at)))
  const select = (options: Control['options'], parts: Partial<Control> = {}) =>
    control({ kind: 'select', type: 'select-one', options, ...parts })

  test('a card has a beginning and an end, and the end is its expiry', () => {
    const number = control({ label: 'Card number' })
    const from = [select(months, { label: 'Valid from' }), select(years(2016, 2026))]
    const to = [select(months, { label: 'Valid to' }), select(years(2026, 2040))]
    const expected = [null, null, 'card_expiry_month', 'card_expiry_year']
    expect(read([number, ...from, ...to]).slice(1)).toEqual(expected)
    const bare = [select(months), select(years(2016, 2026)), select(months), select(years(2026, 2040))]
    expect(read([number, ...bare]).slice(1)).toEqual(expected)
  })

  test('lists of a birthday are none of a card', () => {
    const birthday = [select(months, { group: 'Date of birth' }), select(years(2012, 2026))]
    expect(read([control({ label: 'First name' }), ...birthday]).slice(1)).toEqual([null, null])
  })

  test('dial codes are told from countries', () => {
    const codes = ['United States (+1)', 'United Kingdom (+44)', 'Germany (+49)'].map((one) => option(one))
    expect(
      read([select(codes, { label: 'Country code' }), control({ type: 'tel', label: 'Phone' })]),
    ).toEqual(['dial_code', 'phone'])
  })

  test('one value may have several boxes', () => {
    const boxes = [3, 3, 4].map((maxLength, at) => control({ maxLength, label: at === 0 ? 'Phone' : '' }))
    const page = snapshotWith({ controls: boxes })
    expect(read(boxes)).toEqual(['phone', 'phone', 'phone'])
    expect(boxes.map(({ ref }) => partsOfValues(page).get(ref)?.index)).toEqual([0, 1, 2])
    const codes = [
      control({ label: '郵便番号', maxLength: 3, name: 'zip1' }),
      control({ maxLength: 4, name: 'zip2' }),
    ]
    expect(read(codes, 'ja')).toEqual(['postal_code', 'postal_code'])
  })
})

describe('two addresses in one form', () => {
  const address = (parts: Partial<Control> = {}, prefix = '') =>
    ['First name', 'Last name', 'Address', 'City', 'Post code'].map((label) =>
      control({ label, name: `${prefix}${label.toLowerCase().replace(' ', '_')}`, ...parts }),
    )
  const fields = ['first_name', 'last_name', 'line1', 'city', 'postal_code']

  test.each<[string, Control[], Control[], string, string]>([
    ['the second alone says', address(), address({ group: 'Delivery address' }), 'billing', 'shipping'],
    ['the first alone says', address({ group: 'Billing address' }), address(), 'billing', 'shipping'],
    ['the first is of the payment', address({}, 'payment_'), address({}, 'shipping_'), 'billing', 'shipping'],
    [
      'its heading is of the payment',
      address({ group: 'Payment Address' }),
      address({ group: 'Where it goes' }),
      'billing',
      'shipping',
    ],
  ])('each is read for itself where %s which it is', (_, first, second, before, after) => {
    const page = snapshotWith({ controls: [...first, ...second] })
    expect([...first, ...second].map((one) => fieldOf(one, page))).toEqual([...fields, ...fields])
    const purposes = addressPurposes(page)
    expect(first.map(({ ref }) => purposes.get(ref))).toEqual(first.map(() => before))
    expect(second.map(({ ref }) => purposes.get(ref))).toEqual(second.map(() => after))
  })

  test('one address of which a part says what it is for is one; how it is paid is no address', () => {
    const own = [...address(), control({ label: 'Country', name: 'shipping_country' })]
    const page = snapshotWith({ controls: own })
    expect(own.map(({ ref }) => addressPurposes(page).get(ref))).toEqual(own.map(() => 'shipping'))
    expect(purposeOf(control({ name: 'payment_method', label: 'Payment' }))).toBeNull()
  })
})
test.each<[string, Field, readonly Partial<Control>[]]>([
  ['the same', 'city', [{ label: 'City' }]],
  ['a street', 'line1', [{ label: 'Street' }, { label: 'House number' }]],
  ['one of two names', 'full_name', [{ label: 'First name' }, { label: 'Last name' }]],
  ['both names', 'first_name', [{ label: 'First and last name' }]],
])(
  'what somebody else says a field is for, it is not where the form has %s already',
  (_what, field, others) => {
    const odd = control({ label: 'Blorp' })
    const fieldsWith = (controls: readonly Control[]) => {
      const page = snapshotWith({ controls })
      const names = new FieldNames()
      names.call(page, odd, field)
      return assignFields(names.putOn(page)).get(odd.ref)
    }
    expect(fieldsWith([odd])).toBe(field)
    expect(fieldsWith([...others.map((parts) => control(parts)), odd])).toBeUndefined()
    // In another form it is something else.
    expect(fieldsWith([...others.map((parts) => control({ ...parts, form: 2 })), odd])).toBe(field)
  },
)
