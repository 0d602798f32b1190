import type { Shop } from '../../../frame/src/calls/purchase.ts'
import { moneyText } from '../../../frame/src/money.ts'
import type { OpenedPage } from '../calls/opened-page.ts'
import type { PageWords } from '../locales/page-words.ts'

type TermsProps = { readonly words: PageWords; readonly page: OpenedPage; readonly name: string }

/** What is bought, of whom, for how much at most, for whom, and why a person is asked. */
export function PurchaseTerms({ words, page, name }: TermsProps) {
  const { purchase, buyer, shipTo } = page
  const money = (amount: number) => moneyText(amount, purchase.currency, words.card.language)
  return (
    <>
      {purchase.shops.map((shop) => (
        <ShopItems key={shop.host} shop={shop} money={money} />
      ))}
      <div class="cap">
        <p>
          <span>{words.atMost}</span> <b>{money(purchase.cap)}</b>
        </p>
        <p class="hint">{purchase.hasRisen ? `${words.risen} ${words.atMostText}` : words.atMostText}</p>
      </div>
      <dl>
        <dt>{words.boughtFor}</dt>
        <dd>
          <Lines lines={buyer} />
        </dd>
        {shipTo === null ? null : (
          <>
            <dt>{words.shippedTo}</dt>
            <dd>
              <Lines lines={shipTo} />
            </dd>
          </>
        )}
        {purchase.answers.length === 0 ? null : (
          <>
            <dt>{words.answeredAgain}</dt>
            <dd>
              <Lines lines={purchase.answers} />
            </dd>
          </>
        )}
        <dt>{words.why}</dt>
        <dd>
          <Lines lines={purchase.reasons.map((reason) => words.reasons[reason](name))} />
        </dd>
      </dl>
    </>
  )
}

function ShopItems({ shop, money }: { readonly shop: Shop; readonly money: (amount: number) => string }) {
  return (
    <section class="shop">
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
    </section>
  )
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return lines.map((line) => (
    <p key={line}>
      <bdi>{line}</bdi>
    </p>
  ))
}
