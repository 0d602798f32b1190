// The page around this frame never sees the card: it asks for a token, and gets one.
const merchant = document.body.dataset.merchant
const merchantOrigin = `https://${merchant}`
const form = document.querySelector('#card')
const alertLine = document.querySelector('[role=alert]')

form.number.addEventListener('input', () => {
  const digits = form.number.value.replace(/\D/g, '').slice(0, 19)
  form.number.value = digits.replace(/(.{4})(?=.)/g, '$1 ')
})

form.expiry.addEventListener('input', () => {
  const digits = form.expiry.value.replace(/\D/g, '').slice(0, 4)
  form.expiry.value = digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits
})

form.addEventListener('submit', (event) => event.preventDefault())

window.addEventListener('message', async (event) => {
  if (event.origin !== merchantOrigin || event.source !== window.parent) return
  if (event.data?.type !== 'tokenize') return
  const card = { number: form.number.value, expiry: form.expiry.value, cvc: form.cvc.value, merchant }
  const response = await fetch('/tokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(card),
  })
  const { token, error } = await response.json()
  alertLine.textContent = error ?? ''
  window.parent.postMessage(token ? { type: 'token', token } : { type: 'refused', error }, merchantOrigin)
})

window.parent.postMessage({ type: 'ready' }, merchantOrigin)
