import { dataScript, type Html, html } from '../web/html.ts'
import { itemsOf, type Product } from './goods.ts'
import { plainAmount } from './money-text.ts'

type About = { product: Product; origin: string; path: string; currency: string; brand: string }

/** JSON-LD of schema.org and Open Graph, as shop software writes them for search engines. */
export function structuredData(about: About): Html {
  const { product, origin, path, currency, brand } = about
  const url = origin + path
  return html`<link rel="canonical" href="${url}">
<meta name="description" content="${product.description}">
<meta property="og:type" content="product">
<meta property="og:title" content="${product.name}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${origin}/media/${product.handle}.svg">
<meta property="og:site_name" content="${brand}">
<meta property="product:price:amount" content="${plainAmount(product.price, currency)}">
<meta property="product:price:currency" content="${currency}">
${dataScript('application/ld+json', product.variants === undefined ? single(about, url) : group(about, url))}`
}

function single({ product, origin, currency, brand }: About, url: string): object {
  const [item] = itemsOf(product)
  return {
    '@context': 'https://schema.org/',
    '@type': 'Product',
    name: product.name,
    description: product.description,
    sku: product.handle,
    image: [`${origin}/media/${product.handle}.svg`],
    brand: { '@type': 'Brand', name: brand },
    offers: offer({ price: product.price, stock: item?.stock ?? 0, currency, url, seller: brand }),
  }
}

function group({ product, origin, currency, brand }: About, url: string): object {
  return {
    '@context': 'https://schema.org/',
    '@type': 'ProductGroup',
    name: product.name,
    description: product.description,
    productGroupID: product.handle,
    url,
    image: [`${origin}/media/${product.handle}.svg`],
    brand: { '@type': 'Brand', name: brand },
    variesBy: Object.keys(product.options ?? {}).map((name) => `https://schema.org/${name.toLowerCase()}`),
    hasVariant: (product.variants ?? []).map(({ sku, choice, price, stock }) => ({
      '@type': 'Product',
      sku,
      name: `${product.name} – ${Object.values(choice).join(', ')}`,
      ...Object.fromEntries(Object.entries(choice).map(([name, value]) => [name.toLowerCase(), value])),
      offers: offer({ price, stock, currency, url: `${url}?variant=${sku}`, seller: brand }),
    })),
  }
}

function offer(of: { price: number; stock: number; currency: string; url: string; seller: string }): object {
  return {
    '@type': 'Offer',
    url: of.url,
    price: plainAmount(of.price, of.currency),
    priceCurrency: of.currency,
    availability: `https://schema.org/${of.stock > 0 ? 'InStock' : 'OutOfStock'}`,
    itemCondition: 'https://schema.org/NewCondition',
    seller: { '@type': 'Organization', name: of.seller },
  }
}
