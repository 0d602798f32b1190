import { type Fill, type Html, html } from '../strangers/web/html.ts'
import type { Challenge } from './challenge.ts'

/** The page on which a bank asks whether it is the holder of the card who pays. */
export function challengePage(challenge: Challenge): Html {
  const { id, purpose } = challenge
  return questionPage({
    heading: purpose === 'approval' ? 'Confirm a payment' : 'Confirm your card',
    action: `/bank/${id}`,
    facts: challenge,
  })
}

type Question = {
  readonly heading: string
  /** Where the answer goes. */
  readonly action: string
  readonly facts: Pick<Challenge, 'card' | 'shops' | 'amount' | 'currency'>
}

export function questionPage({ heading, action, facts: { card, shops, amount, currency } }: Question): Html {
  const facts: [string, Fill][] = [
    ['Card', card],
    ['Shop', shops.join(', ')],
    ['At most', amount === null ? '' : moneyText(amount, currency)],
  ]
  return document(html`
    <h1>${heading}</h1>
    <p>This bank is a part of the sandbox. It moves no money.</p>
    <dl>${facts.filter(([, said]) => said !== '').map(([name, said]) => html`<dt>${name}</dt><dd>${said}</dd>`)}</dl>
    <form method="post" action="${action}">
      <button name="answer" value="confirmed">Yes, this is me</button>
      <button name="answer" value="refused" class="quiet">No</button>
    </form>`)
}

/** In minor units, of which ISO 4217 has two decimals but for these. */
export function moneyText(amount: number, currency: string | null): string {
  const digits = Object.entries(decimals).find(([, names]) => names.includes(currency ?? ''))?.[0] ?? 2
  return `${(amount / 10 ** Number(digits)).toFixed(Number(digits))} ${currency}`
}

const decimals = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: ['CLF', 'UYW'],
}

/** What a person sees who comes to the page again. */
export function answeredPage({ status, return_url }: Challenge): Html {
  return document(html`
    <h1>${status === 'confirmed' ? 'You have confirmed this' : 'You have refused this'}</h1>
    <p><a href="${return_url}">Go on</a></p>`)
}

const paymentAnswers = {
  late: 'It is too late to answer',
  over: 'There is nothing to answer any more',
  refused: 'You have refused this',
} as const

/** What the holder of a card sees once there is nothing to answer about a payment. */
export function answeredPayment(as: keyof typeof paymentAnswers): Html {
  return document(html`
    <h1>${paymentAnswers[as]}</h1>
    <p>You can close this page.</p>`)
}

function document(content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Sandbox Bank</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; color: #14202b; background: #eef2f5; margin: 0; padding: 24px 16px; }
  main { max-width: 26rem; margin: 0 auto; padding: 24px; background: #fff; border-radius: 12px; }
  h1 { font-size: 1.25rem; margin: 0 0 8px; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 16px 0; }
  dt { color: #4d5b66; }
  dd { margin: 0; overflow-wrap: anywhere; }
  button { display: block; width: 100%; min-height: 48px; margin-top: 8px; border: 0; border-radius: 8px; font: inherit; font-weight: 600; color: #fff; background: #0b5a47; cursor: pointer; }
  button.quiet { color: #14202b; background: #e3e9ee; }
</style>
</head>
<body><main>${content}</main></body>
</html>`
}
