import { AddOrSelectPaymentMethod, MerchantAuthHandoff, ProkuraProvider } from '@prokura/react'
import { StrictMode, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

function Checkout({ purchaseIntentId, onOrder, onSaid }) {
  const card = useRef(null)
  const [isReady, setReady] = useState(false)
  async function pay() {
    setReady(false)
    try {
      // At once, while the click lasts: a card may have to open a window.
      const output = await card.current.authorize()
      onOrder(await post(`/orders/${purchaseIntentId}/approve`, output))
    } catch ({ message }) {
      onSaid(message)
      setReady(true)
    }
  }
  return (
    <>
      <AddOrSelectPaymentMethod
        ref={card}
        purchaseIntentId={purchaseIntentId}
        onReady={() => setReady(true)}
      />
      <p>
        <button id="pay" type="button" disabled={!isReady} onClick={pay}>
          Pay
        </button>
      </p>
    </>
  )
}

/** Shows what the order needs now, and follows it until it has ended. */
function Order() {
  const [order, setOrder] = useState(null)
  const [said, onSaid] = useState('')
  const signedIn = () => setOrder({ ...order, status: 'approved', element: null, summary: 'Signing in …' })
  useEffect(() => {
    post('/orders', {}).then(setOrder, ({ message }) => onSaid(message))
  }, [])
  useEffect(() => {
    if (order === null) return
    onSaid(order.element === 'AddOrSelectPaymentMethod' ? '' : order.summary)
    if (['approved', 'queued'].includes(order.status))
      ask(`/orders/${order.id}`).then(setOrder, ({ message }) => onSaid(message))
  }, [order])
  return (
    <>
      {order?.element === 'AddOrSelectPaymentMethod' && (
        <Checkout purchaseIntentId={order.id} onOrder={setOrder} onSaid={onSaid} />
      )}
      {order?.element === 'MerchantAuthHandoff' && (
        <MerchantAuthHandoff purchaseIntentId={order.id} onComplete={signedIn} />
      )}
      <p id="said" role="status">
        {said}
      </p>
    </>
  )
}

async function ask(path, options) {
  const answer = await fetch(path, options)
  const said = await answer.json()
  if (!answer.ok) throw new Error(said.summary)
  return said
}

const post = (path, body) => ask(path, { method: 'POST', body: JSON.stringify(body) })

const root = document.getElementById('root')
const { key, url } = root.dataset
createRoot(root).render(
  <StrictMode>
    <h1>Your assistant has found it</h1>
    <p>Choose the card that pays, and confirm.</p>
    <ProkuraProvider publishableKey={key} url={url}>
      <Order />
    </ProkuraProvider>
  </StrictMode>,
)
