import { describe, expect, test } from 'vitest'
import { intentOf } from './action-of.ts'
import { deliveryOptions } from './delivery-options.ts'
import { assignFields } from './field-of.ts'
import { kindOf } from './page-kind.ts'
import { orderNumberOf, refusalOf } from './page-says.ts'
import { paymentMethods } from './payment-methods.ts'
import { action, control, snapshotWith } from './snapshot.testing.ts'
import { totalsOf } from './totals-of.ts'

/** One line for each language, in the order of `columns`. */
type Shop = {
  readonly actions: readonly string[]
  readonly fields: readonly string[]
  readonly card: readonly string[]
  /** Goods, delivery, tax inside, total. */
  readonly summary: readonly string[]
  readonly money: (major: number) => string
  readonly currency: string
  readonly says: readonly string[]
  readonly order: string
  readonly delivery: string
  readonly payments: readonly string[]
}

const intents = [
  'add_to_cart',
  'checkout',
  'continue',
  'as_guest',
  'place_order',
  'accept_cookies',
  'reject_cookies',
  'apply_code',
  'decline_offer',
]
const fieldNames = [
  'email',
  'first_name',
  'last_name',
  'line1',
  'postal_code',
  'city',
  'country',
  'phone',
  'promo_code',
]
const cardNames = ['card_number', 'card_expiry', 'card_code', 'card_holder']
const euros = (major: number) => `${major},00 €`

const shops: Readonly<Record<string, Shop>> = {
  en: {
    actions: [
      'Add to cart',
      'Checkout',
      'Continue',
      'Continue as guest',
      'Place order',
      'Accept all',
      'Reject all',
      'Apply',
      'No thanks',
    ],
    fields: [
      'Email',
      'First name',
      'Last name',
      'Address',
      'ZIP code',
      'City',
      'Country',
      'Phone',
      'Discount code',
    ],
    card: ['Card number', 'Expiration date', 'Security code', 'Name on card'],
    summary: ['Subtotal', 'Shipping', 'Includes VAT', 'Total'],
    money: (major) => `$${major}.00`,
    currency: 'USD',
    says: [
      'Sold out',
      'Your card was declined.',
      'Thank you for your order',
      'Your cart is empty',
      'Page not found',
      'Something went wrong',
    ],
    order: 'Order number: A-1234',
    delivery: 'Standard (3–5 business days)',
    payments: ['Credit card', 'Invoice', 'Cash on delivery'],
  },
  de: {
    actions: [
      'In den Warenkorb',
      'Zur Kasse',
      'Weiter',
      'Als Gast bestellen',
      'Zahlungspflichtig bestellen',
      'Alle akzeptieren',
      'Alle ablehnen',
      'Einlösen',
      'Nein danke',
    ],
    fields: [
      'E-Mail-Adresse',
      'Vorname',
      'Nachname',
      'Straße und Hausnummer',
      'PLZ',
      'Ort',
      'Land',
      'Telefon',
      'Gutscheincode',
    ],
    card: ['Kartennummer', 'Gültig bis', 'Prüfziffer', 'Karteninhaber'],
    summary: ['Zwischensumme', 'Versandkosten', 'inkl. MwSt.', 'Gesamtsumme'],
    money: euros,
    currency: 'EUR',
    says: [
      'Ausverkauft',
      'Ihre Karte wurde abgelehnt.',
      'Vielen Dank für Ihre Bestellung',
      'Ihr Warenkorb ist leer',
      'Seite nicht gefunden',
      'Etwas ist schiefgelaufen',
    ],
    order: 'Bestellnummer: A-1234',
    delivery: 'Standardversand (3–5 Werktage)',
    payments: ['Kreditkarte', 'Kauf auf Rechnung', 'Nachnahme'],
  },
  fr: {
    actions: [
      'Ajouter au panier',
      'Passer commande',
      'Continuer',
      'Continuer en tant qu’invité',
      'Payer maintenant',
      'Tout accepter',
      'Continuer sans accepter',
      'Appliquer',
      'Non merci',
    ],
    fields: [
      'Adresse e-mail',
      'Prénom',
      'Nom',
      'Adresse',
      'Code postal',
      'Ville',
      'Pays',
      'Téléphone',
      'Code promo',
    ],
    card: ['Numéro de carte', "Date d'expiration", 'Cryptogramme visuel', 'Titulaire de la carte'],
    summary: ['Sous-total', 'Livraison', 'Dont TVA', 'Total TTC'],
    money: euros,
    currency: 'EUR',
    says: [
      'Épuisé',
      'Votre carte a été refusée.',
      'Merci pour votre commande',
      'Votre panier est vide',
      'Page introuvable',
      'Une erreur est survenue',
    ],
    order: 'Numéro de commande : A-1234',
    delivery: 'Livraison standard (3 à 5 jours ouvrés)',
    payments: ['Carte bancaire', 'Sur facture', 'Contre remboursement'],
  },
  es: {
    actions: [
      'Añadir al carrito',
      'Finalizar compra',
      'Continuar',
      'Continuar como invitado',
      'Realizar el pedido',
      'Aceptar todo',
      'Rechazar todo',
      'Aplicar',
      'No, gracias',
    ],
    fields: [
      'Correo electrónico',
      'Nombre',
      'Apellidos',
      'Dirección',
      'Código postal',
      'Ciudad',
      'País',
      'Teléfono',
      'Código de descuento',
    ],
    card: ['Número de tarjeta', 'Fecha de caducidad', 'Código de seguridad', 'Titular de la tarjeta'],
    summary: ['Subtotal', 'Gastos de envío', 'IVA incluido', 'Total'],
    money: euros,
    currency: 'EUR',
    says: [
      'Agotado',
      'Su tarjeta ha sido rechazada.',
      'Gracias por tu pedido',
      'Tu carrito está vacío',
      'Página no encontrada',
      'Algo salió mal',
    ],
    order: 'Número de pedido: A-1234',
    delivery: 'Envío estándar (3-5 días laborables)',
    payments: ['Tarjeta de crédito', 'Factura', 'Contra reembolso'],
  },
  it: {
    actions: [
      'Aggiungi al carrello',
      'Procedi al checkout',
      'Continua',
      'Continua come ospite',
      'Ordina e paga',
      'Accetta tutti',
      'Rifiuta tutti',
      'Applica',
      'No, grazie',
    ],
    fields: [
      'Indirizzo email',
      'Nome',
      'Cognome',
      'Indirizzo',
      'CAP',
      'Città',
      'Paese',
      'Telefono',
      'Codice sconto',
    ],
    card: ['Numero carta', 'Scadenza', 'Codice di sicurezza', 'Titolare della carta'],
    summary: ['Subtotale', 'Spedizione', 'IVA inclusa', 'Totale'],
    money: euros,
    currency: 'EUR',
    says: [
      'Esaurito',
      'La carta è stata rifiutata.',
      'Grazie per il tuo ordine',
      'Il tuo carrello è vuoto',
      'Pagina non trovata',
      'Qualcosa è andato storto',
    ],
    order: "Numero d'ordine: A-1234",
    delivery: 'Spedizione standard (3-5 giorni lavorativi)',
    payments: ['Carta di credito', 'Fattura', 'Contrassegno'],
  },
  nl: {
    actions: [
      'In winkelwagen',
      'Afrekenen',
      'Doorgaan',
      'Doorgaan als gast',
      'Bestelling plaatsen',
      'Alles accepteren',
      'Alles weigeren',
      'Toepassen',
      'Nee, bedankt',
    ],
    fields: [
      'E-mailadres',
      'Voornaam',
      'Achternaam',
      'Straat en huisnummer',
      'Postcode',
      'Plaats',
      'Land',
      'Telefoonnummer',
      'Kortingscode',
    ],
    card: ['Kaartnummer', 'Vervaldatum', 'Beveiligingscode', 'Naam op kaart'],
    summary: ['Subtotaal', 'Verzendkosten', 'Incl. btw', 'Totaal'],
    money: (major) => `€ ${major},00`,
    currency: 'EUR',
    says: [
      'Uitverkocht',
      'Je kaart is geweigerd.',
      'Bedankt voor je bestelling',
      'Je winkelwagen is leeg',
      'Pagina niet gevonden',
      'Er is iets misgegaan',
    ],
    order: 'Bestelnummer: A-1234',
    delivery: 'Standaard verzending (3-5 werkdagen)',
    payments: ['Creditcard', 'Achteraf betalen', 'Rembours'],
  },
  pt: {
    actions: [
      'Adicionar ao carrinho',
      'Finalizar compra',
      'Continuar',
      'Continuar como convidado',
      'Confirmar pedido',
      'Aceitar todos',
      'Rejeitar todos',
      'Aplicar',
      'Não, obrigado',
    ],
    fields: [
      'E-mail',
      'Nome',
      'Sobrenome',
      'Endereço',
      'CEP',
      'Cidade',
      'País',
      'Telefone',
      'Cupom de desconto',
    ],
    card: ['Número do cartão', 'Validade', 'Código de segurança', 'Nome no cartão'],
    summary: ['Subtotal', 'Frete', 'IVA incluído', 'Total'],
    money: (major) => `R$ ${major},00`,
    currency: 'BRL',
    says: [
      'Esgotado',
      'Seu cartão foi recusado.',
      'Obrigado pela sua compra',
      'Seu carrinho está vazio',
      'Página não encontrada',
      'Algo deu errado',
    ],
    order: 'Número do pedido: A-1234',
    delivery: 'Entrega padrão (3-5 dias úteis)',
    payments: ['Cartão de crédito', 'Pagar depois', 'Contra reembolso'],
  },
  pl: {
    actions: [
      'Dodaj do koszyka',
      'Przejdź do kasy',
      'Dalej',
      'Kontynuuj jako gość',
      'Kupuję i płacę',
      'Akceptuj wszystkie',
      'Odrzuć wszystkie',
      'Zastosuj',
      'Nie, dziękuję',
    ],
    fields: [
      'Adres e-mail',
      'Imię',
      'Nazwisko',
      'Ulica i numer',
      'Kod pocztowy',
      'Miasto',
      'Kraj',
      'Telefon',
      'Kod rabatowy',
    ],
    card: ['Numer karty', 'Data ważności', 'Kod CVV', 'Posiadacz karty'],
    summary: ['Wartość produktów', 'Dostawa', 'W tym VAT', 'Razem'],
    money: (major) => `${major},00 zł`,
    currency: 'PLN',
    says: [
      'Wyprzedane',
      'Twoja karta została odrzucona.',
      'Dziękujemy za zamówienie',
      'Twój koszyk jest pusty',
      'Nie znaleziono strony',
      'Coś poszło nie tak',
    ],
    order: 'Numer zamówienia: A-1234',
    delivery: 'Kurier standardowy (3-5 dni roboczych)',
    payments: ['Karta płatnicza', 'Zapłać później', 'Za pobraniem'],
  },
  sv: {
    actions: [
      'Lägg i varukorgen',
      'Till kassan',
      'Fortsätt',
      'Fortsätt som gäst',
      'Slutför köp',
      'Godkänn alla',
      'Neka alla',
      'Lös in',
      'Nej tack',
    ],
    fields: [
      'E-postadress',
      'Förnamn',
      'Efternamn',
      'Adress',
      'Postnummer',
      'Ort',
      'Land',
      'Telefonnummer',
      'Rabattkod',
    ],
    card: ['Kortnummer', 'Giltig till', 'Säkerhetskod', 'Kortinnehavare'],
    summary: ['Delsumma', 'Frakt', 'Varav moms', 'Att betala'],
    money: (major) => `${major},00 kr`,
    currency: 'SEK',
    says: [
      'Slutsåld',
      'Kortet nekades.',
      'Tack för din beställning',
      'Din varukorg är tom',
      'Sidan hittades inte',
      'Något gick fel',
    ],
    order: 'Ordernummer: A-1234',
    delivery: 'Standardfrakt hemleverans (3-5 vardagar)',
    payments: ['Kortbetalning', 'Faktura', 'Postförskott'],
  },
  ja: {
    actions: [
      'カートに入れる',
      'レジに進む',
      '次へ',
      'ゲストとして購入',
      '注文を確定する',
      'すべて許可',
      'すべて拒否',
      '適用する',
      'いいえ、結構です',
    ],
    fields: [
      'メールアドレス',
      '名',
      '姓',
      '住所',
      '郵便番号',
      '市区町村',
      '国',
      '電話番号',
      'クーポンコード',
    ],
    card: ['カード番号', '有効期限', 'セキュリティコード', 'カード名義'],
    summary: ['小計', '送料', '内消費税', '合計'],
    money: (major) => `¥${major}`,
    currency: 'JPY',
    says: [
      '売り切れ',
      'カードが拒否されました。',
      'ご注文ありがとうございます',
      'カートは空です',
      'ページが見つかりません',
      'エラーが発生しました',
    ],
    order: 'ご注文番号：A-1234',
    delivery: '通常配送（3～5営業日）',
    payments: ['クレジットカード', '後払い', '代金引換'],
  },
}

describe.each(Object.entries(shops))('%s', (language, shop) => {
  /** A page says its language, says none, or is said to be English and is not. */
  const languages = [language, `${language}-xx`, '']

  test.each(languages)('buttons, where the page says "%s"', (said) => {
    expect(shop.actions.map((name) => intentOf(action(name), said))).toEqual(intents)
  })

  test('fields of an address and of a card', () => {
    for (const [labels, names] of [
      [shop.fields, fieldNames],
      [shop.card, cardNames],
    ] as const) {
      const controls = labels.map((label) => control({ label }))
      const fields = assignFields(snapshotWith({ language, controls }))
      expect(controls.map(({ ref }) => fields.get(ref))).toEqual(names)
    }
  })

  test('a summary with tax inside', () => {
    const amounts = [100, 5, 10, 105]
    const rows = shop.summary.map((label, index) => ({
      label,
      value: shop.money(amounts[index] ?? 0),
      group: 1,
    }))
    const minor = (major: number) => BigInt(major) * (shop.currency === 'JPY' ? 1n : 100n)
    expect(totalsOf(snapshotWith({ language, rows }), { currency: shop.currency })).toMatchObject({
      subtotal: minor(100),
      fulfillment: minor(5),
      tax: minor(10),
      isTaxIncluded: true,
      total: minor(105),
      currency: shop.currency,
    })
  })

  test('what pages say', () => {
    const [soldOut = '', declined = '', thanks = '', empty = '', missing = '', error = ''] = shop.says
    const refused = (text: string) => refusalOf(snapshotWith({ language, text }))?.kind
    const kind = (heading: string) => kindOf(snapshotWith({ language, headings: [heading] })).kind
    expect([refused(soldOut), refused(declined)]).toEqual(['sold_out', 'payment_declined'])
    expect([thanks, empty, missing, error].map(kind)).toEqual([
      'confirmation',
      'empty_cart',
      'not_found',
      'error',
    ])
    expect(orderNumberOf(snapshotWith({ language, text: `${thanks}\n${shop.order}` }))).toBe('A-1234')
  })

  test('delivery and payment', () => {
    const label = `${shop.delivery} ${shop.money(5)}`
    const radio = control({ kind: 'radio', name: 'a', label })
    const [option] = deliveryOptions(snapshotWith({ language, controls: [radio] }), shop.currency)
    expect([option?.amount, option?.days]).toEqual([shop.currency === 'JPY' ? 5n : 500n, 5])
    const controls = shop.payments.map((text) => control({ kind: 'radio', name: 'p', label: text }))
    const methods = paymentMethods(snapshotWith({ language, controls }))
    expect(methods.map(({ kind }) => kind)).toEqual(['card', 'invoice', 'cash'])
  })
})
