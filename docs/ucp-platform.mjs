// A platform of UCP in one file, without dependencies: a profile that others can read, signed requests, messages about orders.
//
//   node docs/ucp-platform.mjs serve FOLDER PORT              publishes the profile; keeps what it is told in FOLDER/orders.jsonl
//   node docs/ucp-platform.mjs send FOLDER METHOD URL [BODY]  sends a signed request, and prints the answer
//   node docs/ucp-platform.mjs told FOLDER ORDER              prints the last message about an order, if there is one
//
// The key is made once and kept in FOLDER. A real platform keeps its key where only it can read it, and verifies what it is told.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  sign,
} from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const version = '2026-08-25'
const [command, folder, ...rest] = process.argv.slice(2)
const files = {
  key: join(folder, 'key.pem'),
  port: join(folder, 'port'),
  orders: join(folder, 'orders.jsonl'),
}

const commands = { serve, send, told }

try {
  await commands[command](...rest)
} catch (error) {
  console.error(`FAILED: ${command} ${rest.slice(0, 2).join(' ')}: ${error.cause?.message ?? error.message}`)
  process.exit(1)
}

function serve(port) {
  writeFileSync(files.port, port)
  writeFileSync(files.orders, '')
  const profile = JSON.stringify(profileAt(`http://127.0.0.1:${port}`))
  createServer(async (request, response) => {
    if (request.method === 'GET') return response.setHeader('content-type', 'application/json').end(profile)
    const told = Buffer.concat(await request.toArray())
    appendFileSync(files.orders, `${told}\n`)
    response.end('{"ucp":{"version":"2026-08-25","status":"success"}}')
  }).listen(Number(port), '127.0.0.1')
  setTimeout(() => process.exit(), 10 * 60_000)
}

/** What it can do, where it is told of orders, and the key by which others know its requests. */
function profileAt(origin) {
  const can = (name, more = {}) => [`dev.ucp.shopping.${name}`, [{ version, ...more }]]
  const extending = { extends: 'dev.ucp.shopping.checkout' }
  return {
    ucp: {
      version,
      services: {},
      payment_handlers: {},
      capabilities: Object.fromEntries([
        can('catalog.search'),
        can('catalog.lookup'),
        can('checkout'),
        can('fulfillment', extending),
        can('discount', extending),
        can('order', { config: { webhook_url: `${origin}/orders` } }),
      ]),
    },
    keys: [
      { ...createPublicKey(privateKey()).export({ format: 'jwk' }), kid: 'key-1', use: 'sig', alg: 'ES256' },
    ],
  }
}

function privateKey() {
  if (!existsSync(files.key)) {
    const made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    writeFileSync(files.key, made.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  }
  return createPrivateKey(readFileSync(files.key))
}

async function send(method, url, body = '') {
  const { host, pathname } = new URL(url)
  const headers = {
    'ucp-agent': `profile="http://127.0.0.1:${readFileSync(files.port, 'utf8')}/profile"`,
    'idempotency-key': randomUUID(),
  }
  if (body !== '') {
    headers['content-digest'] = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
    headers['content-type'] = 'application/json'
  }
  // What a signature covers is RFC 9421's list of components, in the order of the lines that are signed.
  const covered = { '@method': method, '@authority': host, '@path': pathname, ...headers }
  const names = Object.keys(covered)
    .map((name) => `"${name}"`)
    .join(' ')
  const parameters = `(${names});created=${Math.floor(Date.now() / 1000)};keyid="key-1"`
  const lines = Object.entries(covered).map(([name, value]) => `"${name}": ${value}`)
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n')
  const signature = sign('sha256', Buffer.from(base), { key: privateKey(), dsaEncoding: 'ieee-p1363' })
  headers['signature-input'] = `sig1=${parameters}`
  headers.signature = `sig1=:${signature.toString('base64')}:`
  const answer = await fetch(url, { method, headers, ...(body === '' ? {} : { body }) })
  console.log(await answer.text())
}

function told(order) {
  if (!order) throw new Error('an order is missing, because an earlier step failed')
  const messages = readFileSync(files.orders, 'utf8').split('\n')
  console.log(messages.findLast((message) => message.includes(order)) ?? '')
}
