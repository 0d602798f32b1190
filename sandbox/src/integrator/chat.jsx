import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport } from 'ai'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The site's own server, which adds the key: no page has one. */
const transport = new DefaultChatTransport({ api: '/chats' })

function Chat({ id, before }) {
  const chat = useChat({ id, messages: before, transport, resume: true })
  const { messages, setMessages, sendMessage, status, error } = chat
  const [isStopping, setStopping] = useState(false)
  const isAnswering = status === 'submitted' || status === 'streaming'
  useEffect(() => {
    if (isAnswering) return
    setStopping(false)
    // A purchase that waited for its person goes on by itself, and so does what is said about it.
    const events = new EventSource(`/chats/${id}/events`)
    events.addEventListener('message.completed', async () => setMessages(await messagesOf(id)))
    return () => events.close()
  }, [id, isAnswering, setMessages])
  async function stop() {
    setStopping(true)
    // To close the stream would stop nothing.
    await fetch(`/chats/${id}/stop`, { method: 'POST' })
  }
  return (
    <>
      <Messages messages={messages} />
      {error && (
        <p className="notice" role="alert">
          {wordsOf(error)}
        </p>
      )}
      <Ask isAnswering={isAnswering} onSay={(text) => sendMessage({ text })}>
        {isAnswering && (
          <button id="stop" type="button" disabled={isStopping} onClick={stop}>
            Stop
          </button>
        )}
      </Ask>
    </>
  )
}

function Messages({ messages }) {
  const purchases = messages.flatMap(({ parts }) =>
    parts.filter(({ type }) => type === 'data-purchase_intent'),
  )
  const isOver = (id) =>
    purchases.some(
      ({ data }) =>
        data.purchase_intent_id === id &&
        ['succeeded', 'failed', 'cancelled', 'declined'].includes(data.status),
    )
  return (
    <div role="log">
      {messages.map(({ id, role, parts }) => (
        <div key={id} className={role}>
          {parts.map((part, index) => (
            <Part key={`${id} ${index}`} part={part} isOver={isOver} />
          ))}
        </div>
      ))}
    </div>
  )
}

/** More kinds come: one that this page does not know is left out. */
function Part({ part: { type, text, data }, isOver }) {
  switch (type) {
    case 'text':
      return <p>{text}</p>
    case 'data-notice':
      return <p className="notice">{data.text}</p>
    case 'data-product_list':
      return (
        <ol className="cards">
          {data.products.map((product, index) => (
            <Card key={product.id} number={index + 1} product={product} />
          ))}
        </ol>
      )
    case 'data-purchase_intent':
      return <Purchase {...data} />
    case 'data-action_request':
      // A person answers on a page of the service, which is neither of this site nor of the chat.
      return isOver(data.purchase_intent_id) || data.url === null ? null : (
        <p>
          <a className="button" href={data.url} target="_blank" rel="noopener noreferrer">
            {data.element === 'MerchantAuthHandoff' ? 'Sign in at the shop' : 'Check and approve'}
          </a>
        </p>
      )
    default:
      return null
  }
}

function Card({ number, product: { title, merchant, amount, currency, options, is_available } }) {
  const facts = [merchant, ...options.map(({ name, values }) => `${name}: ${values.join(', ')}`)]
  if (!is_available) facts.push('not available')
  return (
    <li>
      <b>{amount === null ? '' : money(amount, currency)}</b>
      {number}. {title}
      <br />
      <small>{facts.filter(Boolean).join(' · ')}</small>
    </li>
  )
}

function Purchase({
  items,
  merchants,
  currency,
  max_allowed_amount,
  actual_amount,
  delivery,
  returns,
  status,
}) {
  const rows = [
    ['Buy', items.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')],
    ['From', merchants.join(', ')],
    ['At most', `${money(max_allowed_amount, currency)}, delivery and tax included`],
    ['Delivery', `${delivery.method}, ${delivery.speed}`],
    ['Returns', returns],
    ['Charged', actual_amount > 0 ? money(actual_amount, currency) : null],
    ['Status', status.replaceAll('_', ' ')],
  ]
  return (
    <div className="purchase">
      <dl>
        {rows.map(
          ([name, value]) =>
            value !== null && [<dt key={`${name} is`}>{name}</dt>, <dd key={name}>{value}</dd>],
        )}
      </dl>
    </div>
  )
}

function Ask({ isAnswering, onSay, children }) {
  const [text, setText] = useState('')
  function say(event) {
    event.preventDefault()
    if (text.trim() === '' || isAnswering) return
    onSay(text)
    setText('')
  }
  return (
    <form onSubmit={say}>
      <input
        aria-label="What do you look for?"
        placeholder="What do you look for?"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {children || <button type="submit">Send</button>}
    </form>
  )
}

/** In minor units, as the service counts: how many of them make one is the currency's. */
function money(amount, currency) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits)
}

/** Of the site's server, which says in `summary` what went wrong. */
function wordsOf({ message }) {
  return /^\{"summary":/.test(message) ? JSON.parse(message).summary : message
}

async function messagesOf(id) {
  return (await fetch(`/chats/${id}/messages`)).json()
}

const root = document.getElementById('root')
const { chat } = root.dataset
const before = await messagesOf(chat)
createRoot(root).render(
  <StrictMode>
    <Chat id={chat} before={before} />
  </StrictMode>,
)
