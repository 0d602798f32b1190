import { describe, expect, test } from 'vitest'
import { choicesAbout, choicesOf, guestOf, isOfSignIn, openersOf } from './choices-of.ts'
import { deliveryOptions } from './delivery-options.ts'
import { kindOf } from './page-kind.ts'
import { paymentMethods } from './payment-methods.ts'
import { action, control, option, snapshotWith } from './snapshot.testing.ts'

function radios(name: string, ...labels: string[]) {
  return labels.map((label) => control({ kind: 'radio', type: 'radio', name, label }))
}

const password = control({ type: 'password', label: 'Password' })
const email = control({ type: 'email', label: 'E-mail' })

describe('what a choice is about', () => {
  test.each<[language: string, labels: string[], about: string]>([
    ['en', ['Register Account', 'Guest Checkout'], 'account'],
    ['en', ['Checkout as Guest', 'Register'], 'account'],
    ['en', ['I am a returning customer, and my password is', 'I want to create an account'], 'account'],
    ['de', ['Als Gast bestellen', 'Kundenkonto anlegen'], 'account'],
    ['es', ['Quiero comprar sin registrarme', 'Soy un cliente registrado'], 'account'],
    ['pl', ['Chcę zrealizować zamówienie bez zakładania konta', 'Mam konto'], 'account'],
    ['pt', ['Finalizar a compra como usuário não registrado', 'Já tenho conta'], 'account'],
    ['en', ['Flat Shipping Rate - $5.00', 'Pickup From Store - $0.00'], 'delivery'],
    ['en', ['Cash On Delivery', 'Credit Card'], 'payment'],
    ['en', ['Cash On Delivery'], 'payment'],
    ['en', ['Small', 'Large'], 'other'],
  ])('in %s, %j', (language, labels, about) => {
    const page = snapshotWith({ language, controls: radios('x', ...labels) })
    expect(choicesOf(page).map((one) => one.about)).toEqual([about])
  })

  test('what it is called does not count against what it offers', () => {
    const regions = ['Avon', 'Kent'].map((text) => option(text))
    const select = control({
      kind: 'select',
      name: 'shipping_state',
      label: 'Shipping county',
      options: regions,
    })
    expect(choicesAbout(snapshotWith({ controls: [select] }), 'delivery')).toEqual([])
  })
})

describe('rows with a button each', () => {
  const rows = (...besides: string[]) =>
    snapshotWith({ actions: besides.map((beside) => action('Select option', { beside, isSubmit: true })) })

  test('choose what stands beside the button', () => {
    expect(deliveryOptions(rows('Standard shipping $5.00', 'Express shipping $15.00'), 'USD')).toMatchObject([
      { label: 'Standard shipping $5.00', amount: 500n, value: null, isSelected: false },
      { label: 'Express shipping $15.00', amount: 1500n },
    ])
    expect(deliveryOptions(rows('Standard shipping $5.00'), 'USD')).toHaveLength(1)
    expect(paymentMethods(rows('Credit card', 'PayPal')).map(({ kind }) => kind)).toEqual(['card', 'wallet'])
  })

  test('of other goods are none', () => {
    const page = snapshotWith({
      actions: ['Kettle $20.00', 'Teapot $30.00'].map((beside) => action('Add to cart', { beside })),
    })
    expect(choicesAbout(page, 'delivery')).toEqual([])
    expect(choicesAbout(page, 'payment')).toEqual([])
  })
})

describe('a field that nobody types into, with a button', () => {
  const field = (isEmpty: boolean) =>
    snapshotWith({
      controls: [control({ isDisabled: true, placeholder: 'Select shipping method', isEmpty })],
      actions: [
        action('Choose', { beside: 'Shipping Method' }),
        action('Choose', { beside: 'Gift wrap' }),
        action('Edit', { beside: 'Shipping Method' }),
      ],
    })

  test('opens the ways of delivery, until one is chosen', () => {
    expect(openersOf(field(true))).toMatchObject([{ about: 'delivery', isChosen: false }])
    expect(openersOf(field(false))).toMatchObject([{ about: 'delivery', isChosen: true }])
  })
})

describe('a guest', () => {
  test('may buy beside a password and a sign-in', () => {
    const page = snapshotWith({
      controls: [email, password, ...radios('account', 'Register Account', 'Guest Checkout')],
      actions: [action('Log in'), action('Continue')],
    })
    expect(guestOf(page)?.label).toBe('Guest Checkout')
    expect(kindOf(page).kind).not.toBe('sign_in')
  })

  test('goes on by a button below a sign-in', () => {
    const page = snapshotWith({
      controls: [email, password],
      actions: [
        action('Login', { form: 1, isSubmit: true, beside: 'Returning customers' }),
        action('Continue', {
          form: 2,
          isSubmit: true,
          beside: 'You may checkout without creating an account.',
        }),
      ],
    })
    expect(guestOf(page)?.ref).toBe(page.actions[1]?.ref)
    expect(kindOf(page).kind).not.toBe('sign_in')
  })

  test('leaves out a password that may stay empty', () => {
    const first = control({ label: 'First name', autocomplete: 'given-name' })
    const asking = (isRequired: boolean) =>
      kindOf(
        snapshotWith({ controls: [first, email, { ...password, isRequired }], actions: [action('Sign in')] }),
      ).kind
    expect([asking(false), asking(true)]).toEqual(['unknown', 'sign_in'])
  })

  test('is nobody where only customers may buy', () => {
    const page = snapshotWith({
      controls: [email, password, ...radios('account', 'I am a returning customer', 'Create an account')],
      actions: [action('Log in')],
    })
    expect(guestOf(page)).toBeNull()
    expect(kindOf(page).kind).toBe('sign_in')
  })

  test('does not leave an address in the sign-in of another form', () => {
    const [, guest] = radios('account', 'Register Account', 'Guest Checkout')
    if (guest === undefined) throw new Error('two are made')
    const page = snapshotWith({ controls: [email, password, { ...guest, form: null, isChecked: true }] })
    expect(isOfSignIn(page, email)).toBe(true)
  })

  test('is also chosen by a box', () => {
    const box = control({ kind: 'checkbox', type: 'checkbox', label: 'Do not create a customer account.' })
    expect(guestOf(snapshotWith({ controls: [box, email, password] }))).toMatchObject({
      ref: box.ref,
      isChosen: false,
    })
  })

  test('leaves an address of e-mail beside a password, and nobody else does', () => {
    const [register, guest] = radios('account', 'Register Account', 'Guest Checkout')
    if (register === undefined || guest === undefined) throw new Error('two are made')
    const with_ = (isChecked: boolean) =>
      snapshotWith({ controls: [email, password, register, { ...guest, isChecked }] })
    expect(isOfSignIn(with_(false), email)).toBe(true)
    expect(isOfSignIn(with_(true), email)).toBe(false)
    expect(isOfSignIn(snapshotWith({ controls: [email, password] }), email)).toBe(true)
    const city = control({ label: 'City', autocomplete: 'address-level2' })
    expect(isOfSignIn(snapshotWith({ controls: [email, password, city] }), email)).toBe(false)
  })
})
