import { InvalidArgumentError } from 'commander'
import { amountMax, minorPerMajor } from '../../core/money.ts'

/** An amount in minor units, of a currency. */
export type AskedAmount = { readonly amount: number; readonly currency: string }

/** The currency of an amount that names none. */
const usualCurrency = 'USD'

/** Reads `12.50`, `12.50 EUR` or `EUR 12.50`; anything else is refused before anything is asked for. */
export function readAmount(text: string): AskedAmount {
  const found = /^(?:([A-Za-z]{3}) +)?(\d{1,13})(?:\.(\d{1,4}))?(?: +([A-Za-z]{3}))?$/.exec(text.trim())
  const [, before, whole = '', decimals = '', behind] = found ?? []
  if (!found || (before !== undefined && behind !== undefined)) throw refusal()
  const currency = (before ?? behind ?? usualCurrency).toUpperCase()
  if (!Intl.supportedValuesOf('currency').includes(currency))
    throw new InvalidArgumentError(`${currency} is no currency. Write an ISO 4217 code, such as USD or EUR.`)
  const perMajor = minorPerMajor(currency)
  const digits = String(perMajor).length - 1
  if (decimals.length > digits)
    throw new InvalidArgumentError(
      digits === 0 ? `${currency} has no decimals.` : `${currency} has ${digits} decimals at most.`,
    )
  const amount = BigInt(whole) * perMajor + BigInt(decimals.padEnd(digits, '0') || '0')
  if (amount === 0n || amount > amountMax) throw refusal()
  return { amount: Number(amount), currency }
}

function refusal(): InvalidArgumentError {
  return new InvalidArgumentError('Write an amount such as 12.50, or with its currency, such as 12.50 EUR.')
}

export type Selection = { readonly name: string; readonly value: string }

/** Reads one `NAME=VALUE` and adds it to those before it. */
export function addSelection(text: string, before: readonly Selection[]): readonly Selection[] {
  const [, name = '', value = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (name.trim() === '' || value.trim() === '')
    throw new InvalidArgumentError('Write an option of the product and what to choose, such as Size=M.')
  return [...before, { name: name.trim(), value: value.trim() }]
}

export function readProductUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:')
    throw new InvalidArgumentError(
      'It must be the https address of a product page, such as https://shop.example/mug.',
    )
  return text
}
