import { itemsOf, type Product } from '../shop/goods.ts'
import { moneyText } from '../shop/money-text.ts'
import { structuredData } from '../shop/structured-data.ts'
import { dataScript, type Fill, type Html, html, written } from '../web/html.ts'
import { shopPage } from '../web/layout.ts'
import { pathOf, type Storefront } from './storefront.ts'

/** Links on every page. */
export function navigation(): Html {
  return html`<a href="/">Shop</a><a href="/cart">Cart</a>`
}

export function homePage(front: Storefront): Html {
  return shopPage({
    look: front.look,
    title: 'Shop',
    nav: navigation(),
    body: html`<h1>Our products</h1><ul class="grid">${front.products.map(
      (product) =>
        html`<li><a href="${pathOf(front, product)}"><img src="/media/${product.handle}.svg" alt="" width="200" height="200">
<h2>${product.name}</h2></a><span class="price">${moneyText(product.price, front.currency, front.locale)}</span></li>`,
    )}</ul>`,
  })
}

export function productPage(
  front: Storefront,
  {
    product,
    origin,
    chosen,
    notice,
  }: { product: Product; origin: string; chosen: string | null; notice: Fill },
): Html {
  const { look, currency, locale } = front
  const items = itemsOf(product)
  const isSoldOut = items.every(({ stock }) => stock === 0)
  const path = pathOf(front, product)
  return shopPage({
    look,
    title: product.name,
    nav: navigation(),
    head: html`${structuredData({ product, origin, path, currency, brand: look.title })}${front.productHead?.(product)}`,
    body: html`${notice}<article class="product" id="product-${product.handle}"><img src="/media/${product.handle}.svg" alt="${product.name}" width="400" height="400">
<div class="summary"><h1 class="product_title">${product.name}</h1>
<p class="price"><span class="amount">${moneyText(product.price, currency, locale)}</span></p>
<p class="description">${product.description}</p>
<p class="stock ${isSoldOut && 'out'}">${isSoldOut ? 'Out of stock' : 'In stock'}</p>
<form class="cart" method="post" action="/cart/add"><input type="hidden" name="product" value="${product.handle}">
${optionFields(product, chosen)}
<label for="quantity">Quantity</label>
<input class="qty" type="number" id="quantity" name="quantity" value="${product.minimum ?? 1}" min="${product.minimum ?? 1}" step="1" inputmode="numeric">
<button type="submit" name="add-to-cart" value="${product.handle}" class="single_add_to_cart_button"${isSoldOut && html` disabled`}>Add to cart</button>
</form>${product.variants !== undefined && variantScript(front, product)}${front.productBody?.(product)}</div></article>`,
  })
}

/** The last dimension as buttons, as many shops show sizes; the others as lists. */
function optionFields(product: Product, chosen: string | null): Fill {
  const preset = product.variants?.find(({ sku }) => sku === chosen)?.choice ?? {}
  const dimensions = Object.entries(product.options ?? {})
  return dimensions.map(([name, values], index) => {
    const field = fieldOf(name)
    if (index < dimensions.length - 1 || dimensions.length === 1)
      return html`<p class="field"><label for="${field}">${name}</label><select id="${field}" name="${field}" required>
<option value="">Choose an option</option>${values.map(
        (value) =>
          html`<option value="${value}"${preset[name] === value && html` selected`}>${value}</option>`,
      )}</select></p>`
    return html`<fieldset><legend>${name}</legend>${values.map(
      (value) =>
        html`<label class="choice"><input type="radio" name="${field}" value="${value}" required${preset[name] === value && html` checked`}> ${value}</label>`,
    )}</fieldset>`
  })
}

/** Price, stock and button follow the choice, as they do where shop software shows variants; without it the server still decides. */
function variantScript({ currency, locale }: Storefront, product: Product): Html {
  const variants = (product.variants ?? []).map(({ choice, price, stock }) => ({
    fields: Object.fromEntries(Object.entries(choice).map(([name, value]) => [fieldOf(name), value])),
    price: moneyText(price, currency, locale),
    inStock: stock > 0,
  }))
  return html`${dataScript('application/json', variants)}${written(followChoice)}`
}

function fieldOf(dimension: string): string {
  return `option_${dimension.toLowerCase()}`
}

const followChoice = `<script>{
  const variants = JSON.parse(document.currentScript.previousElementSibling.textContent)
  const form = document.querySelector('form.cart')
  const [price, stock, button] = ['.price .amount', '.stock', 'form.cart button'].map((one) => document.querySelector(one))
  const follow = () => {
    const chosen = new FormData(form)
    if (Object.keys(variants[0].fields).some((name) => !chosen.get(name))) return
    const found = variants.find(({ fields }) => Object.entries(fields).every(([name, value]) => chosen.get(name) === value))
    if (found) price.textContent = found.price
    stock.textContent = !found ? 'This combination is unavailable' : found.inStock ? 'In stock' : 'Out of stock'
    stock.classList.toggle('out', !found?.inStock)
    button.disabled = !found?.inStock
  }
  form.addEventListener('change', follow)
  follow()
}</script>`
