import { useCheckout, useCheckoutDispatch } from '@components/frontStore/checkout/CheckoutContext.js'
import React from 'react'

const h = React.createElement

/** What stands in the fields: they and the button are drawn at different places of the page. */
const typed = {}

export default function CardPayment({ payOrderApi }) {
  const { registerPaymentComponent } = useCheckoutDispatch()
  React.useEffect(() => {
    registerPaymentComponent('card', {
      nameRenderer: () => h('span', null, 'Credit card'),
      formRenderer: CardFields,
      checkoutButtonRenderer: () => h(PayButton, { payOrderApi }),
    })
  }, [registerPaymentComponent, payOrderApi])
  return null
}

function CardFields() {
  return h(
    'div',
    { className: 'space-y-3 py-3' },
    field('number', { label: 'Card number', autoComplete: 'cc-number', inputMode: 'numeric' }),
    field('expiry', { label: 'Expiration date (MM/YY)', autoComplete: 'cc-exp', placeholder: 'MM/YY' }),
    field('code', { label: 'Security code', autoComplete: 'cc-csc', inputMode: 'numeric' }),
    field('holder', { label: 'Name on card', autoComplete: 'cc-name' }),
  )
}

function field(name, { label, ...more }) {
  const id = `card-${name}`
  return h(
    'div',
    { key: name },
    h('label', { htmlFor: id, className: 'block text-sm' }, label),
    h('input', {
      id,
      name: id,
      type: 'text',
      className: 'w-full rounded border border-border p-2',
      onChange: (event) => {
        typed[name] = event.target.value
      },
      ...more,
    }),
  )
}

function PayButton({ payOrderApi }) {
  const { checkout } = useCheckoutDispatch()
  const { checkoutSuccessUrl, orderId, loadingStates } = useCheckout()
  const [message, setMessage] = React.useState('')
  const [isPaying, setPaying] = React.useState(false)
  const pay = async () => {
    setMessage('')
    if (!isWhole()) return setMessage('Please check the number, the date and the code of your card.')
    setPaying(true)
    try {
      // An order that could not be paid is there already, and is paid with the next card.
      const id = orderId ?? (await checkout())?.uuid
      if (id !== undefined) await payAndLeave(id)
    } catch (error) {
      setMessage(error.message)
    }
    setPaying(false)
  }
  const payAndLeave = async (id) => {
    const answer = await fetch(payOrderApi, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        order_id: id,
        attempt: crypto.randomUUID(),
        number: digits(typed.number),
        expiry: typed.expiry,
        security_code: typed.code,
      }),
    })
    if (!answer.ok) throw new Error((await answer.json()).error?.message ?? 'The payment failed')
    window.location.href = `${checkoutSuccessUrl}/${id}`
  }
  return h(
    'div',
    null,
    message === '' ? null : h('p', { role: 'alert', className: 'text-destructive py-2' }, message),
    h(
      'button',
      {
        type: 'button',
        disabled: isPaying || loadingStates.placingOrder,
        onClick: pay,
        className: 'w-full rounded-lg bg-primary p-4 text-primary-foreground',
      },
      'Place order and pay',
    ),
  )
}

function isWhole() {
  const number = digits(typed.number)
  const isExpiry = /^\d{2} ?\/ ?\d{2}$/.test(typed.expiry ?? '')
  return /^\d{12,19}$/.test(number) && isExpiry && /^\d{3,4}$/.test(typed.code ?? '')
}

function digits(text = '') {
  return text.replaceAll(/\D/g, '')
}

export const layout = { areaId: 'checkoutFormAfter', sortOrder: 10 }

export const query = `
  query Query {
    payOrderApi: url(routeId: "payOrder")
  }
`
