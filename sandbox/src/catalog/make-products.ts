import { countries, hostileTexts, type Shelf, shelves, shopNames, styles } from './words.ts'

type Price = { amount: number; currency: string }

export type CatalogVariant = {
  id: string
  sku: string
  barcodes: { type: string; value: string }[]
  title: string
  description: { plain: string }
  price: Price
  availability: { available: boolean; status: string }
  options: { name: string; label: string }[]
  seller: { name: string }
}

export type CatalogProduct = {
  id: string
  handle: string
  title: string
  description: { plain?: string; html?: string; markdown?: string }
  url: string
  categories: { value: string; taxonomy: string }[]
  price_range: { min: Price; max: Price }
  media: { type: string; url: string; alt_text: string }[]
  options: { name: string; values: { label: string }[] }[]
  variants: CatalogVariant[]
}

type Shop = { name: string; domain: string; money: (typeof countries)[number] }

/** One product for each shelf, noun, material and style. Always the same ones, in the same order. */
export function makeProducts(): CatalogProduct[] {
  const shops = makeShops()
  const products: CatalogProduct[] = []
  for (const [place, style] of styles.entries())
    for (const shelf of shelves)
      for (const noun of shelf.nouns)
        for (const material of shelf.materials) {
          const number = products.length
          const shop = shops[(number * 7 + place) % shops.length]
          if (shop) products.push(makeProduct({ number, title: titleOf(style, material, noun), shelf, shop }))
        }
  return products
}

function makeShops(): Shop[] {
  return shopNames.first.flatMap((first, row) =>
    shopNames.second.map((second, column): Shop => {
      const name = `${first} ${second}`
      const money = countries[(row + column) % countries.length] ?? countries[0]
      return { name, domain: `${name.toLowerCase().replaceAll(' ', '-')}.example`, money }
    }),
  )
}

function titleOf(style: string, material: string, noun: string): string {
  return `${style} ${material} ${noun}`
}

type Facts = { number: number; title: string; shelf: Shelf; shop: Shop }

function makeProduct({ number, title, shelf, shop }: Facts): CatalogProduct {
  const id = `gp_${String(number + 1).padStart(5, '0')}`
  const handle = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${number + 1}`
  const labels = shelf.option.labels.slice(0, 1 + (number % shelf.option.labels.length))
  const variants = labels.map((label, index) =>
    makeVariant({ number, title, shelf, shop }, { id, label, index }),
  )
  const amounts = variants.map(({ price }) => price.amount)
  const { currency } = shop.money
  return {
    id,
    handle,
    title,
    description: describe(number, `${title}, made with care and sold by ${shop.name}.`),
    url: `https://${shop.domain}/products/${handle}`,
    categories: [{ value: shelf.category, taxonomy: 'merchant' }],
    price_range: {
      min: { amount: Math.min(...amounts), currency },
      max: { amount: Math.max(...amounts), currency },
    },
    media: [{ type: 'image', url: `https://${shop.domain}/images/${handle}.jpg`, alt_text: title }],
    options: [{ name: shelf.option.name, values: labels.map((label) => ({ label })) }],
    variants,
  }
}

function makeVariant(
  { number, shelf, shop }: Facts,
  { id, label, index }: { id: string; label: string; index: number },
): CatalogVariant {
  const isGone = (number + index) % 11 === 0
  return {
    id: `${id}_${index + 1}`,
    sku: `SKU-${number + 1}-${index + 1}`,
    barcodes: [{ type: 'EAN', value: String(4_000_000_000_000 + number * 10 + index) }],
    title: label,
    description: { plain: `${shelf.option.name} ${label}` },
    price: priceOf(shelf.price + (number % 37) * 110 + index * 250, shop),
    availability: { available: !isGone, status: isGone ? 'out_of_stock' : 'in_stock' },
    options: [{ name: shelf.option.name, label }],
    seller: { name: shop.name },
  }
}

/** From USD cents, whole minor units. */
function priceOf(cents: number, { money }: Shop): Price {
  const amount = Math.round((cents / 100) * money.rate * 10 ** money.decimals)
  return { amount, currency: money.currency }
}

/** In the three forms of the protocol; one product in forty says something hostile. */
function describe(number: number, text: string): CatalogProduct['description'] {
  const hostile = number % 40 === 17 ? hostileTexts[Math.floor(number / 40) % hostileTexts.length] : undefined
  const said = hostile === undefined ? text : `${text} ${hostile}`
  if (number % 3 === 0) return { html: `<p>${said}</p>` }
  if (number % 3 === 1) return { markdown: `**Good to know:** ${said}` }
  return { plain: said }
}
