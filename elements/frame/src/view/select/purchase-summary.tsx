import type { Purchase, Shop } from '../../calls/purchase.ts'
import { moneyText } from '../../money.ts'
import type { Words } from '../words.ts'

type PurchaseSummaryProps = { readonly purchase: Purchase; readonly words: Words }

/** What is paid for, whom, and how much at most. */
export function PurchaseSummary({ purchase, words }: PurchaseSummaryProps) {
  const { sentences } = words
  const money = (amount: number) => moneyText(amount, purchase.currency, words.language)
  return (
    <section class="purchase" aria-label={sentences.purchase}>
      {purchase.shops.map((shop) => (
        <ShopItems key={shop.host} shop={shop} money={money} />
      ))}
      <p class="cap">
        <span>{sentences.atMost}</span>
        <b>{money(purchase.cap)}</b>
      </p>
      <p class="hint">{sentences.atMostText}</p>
    </section>
  )
}

function ShopItems({ shop, money }: { readonly shop: Shop; readonly money: (amount: number) => string }) {
  return (
    <>
      <h2 dir="ltr">{shop.host}</h2>
      <ul>
        {shop.items.map(({ id, name, choices, quantity, amount }) => (
          <li key={id}>
            <bdi>
              {quantity} × {[name, ...choices].join(', ')}
            </bdi>
            <bdi>{money(quantity * amount)}</bdi>
          </li>
        ))}
      </ul>
    </>
  )
}
