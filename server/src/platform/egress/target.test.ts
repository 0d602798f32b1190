import { expect, test } from 'vitest'
import { checkTargetUrl, type TargetRefusal } from './target.ts'

const closed = { allowLoopback: false }
const open = { allowLoopback: true }

test.each([
  'https://shop.example/hooks?a=1#b',
  'https://shop.example:8443/',
  'https://shop.example./',
  'https://bücher.example/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://localhost.example/',
  'https://not-local.example/',
  'https://mylocal.example/',
])('%s may be named by a tenant under either policy', (url) => {
  expect(checkTargetUrl(url, closed)).toEqual({ ok: true, url: new URL(url) })
  expect(checkTargetUrl(url, open)).toEqual({ ok: true, url: new URL(url) })
})

const alwaysRefused: [TargetRefusal, string][] = [
  ['malformed', ''],
  ['malformed', 'shop.example/hooks'],
  ['malformed', '//shop.example/hooks'],
  ['malformed', 'https://'],
  ['malformed', 'https://1.2.3.4.5/'],
  ['malformed', 'https://256.0.0.1/'],
  ['malformed', 'https://[fe80::1%25eth0]/'],
  ['malformed', 'https://shop.example:99999/'],
  ['scheme', 'ftp://shop.example/'],
  ['scheme', 'http://shop.example/'],
  ['scheme', 'http://localhost.example/'],
  ['scheme', 'http://8.8.8.8/'],
  ['scheme', 'http://10.0.0.1/'],
  ['scheme', 'http://[::ffff:127.0.0.1]/'],
  ['scheme', 'file:///etc/passwd'],
  ['scheme', 'javascript:alert(1)'],
  ['scheme', 'unix:/run/docker.sock'],
  ['userinfo', 'https://user@shop.example/'],
  ['userinfo', 'https://user:password@shop.example/'],
  ['userinfo', 'https://:password@shop.example/'],
  ['userinfo', 'https://shop.example@10.0.0.1/'],
  ['host', 'https://intranet/'],
  ['host', 'https://com./'],
  ['host', 'https://printer.local/'],
  ['host', 'https://PRINTER.LOCAL./'],
  ['host', 'https://metadata.google.internal/computeMetadata/v1/'],
  ['host', 'https://internal/'],
  ['host', 'https://router.home.arpa/'],
  ['host', 'https://localhost.localdomain/'],
  ['host', 'https://127.0.0.1../'],
  ['host', 'https://localhost../'],
  ['host', 'https://metadata.google.internal../'],
  ['host', 'https://shop..example/'],
  ['address', 'https://10.0.0.1/'],
  ['address', 'https://192.168.1.1/'],
  ['address', 'https://169.254.169.254/latest/meta-data'],
  ['address', 'https://2852039166/'],
  ['address', 'https://0xa9.0xfe.0xa9.0xfe/'],
  ['address', 'https://0xa9fea9fe/'],
  ['address', 'https://0251.0376.0251.0376/'],
  ['address', 'https://10.1/'],
  ['address', 'https://%31%30.0.0.1/'],
  ['address', 'https://10。0。0。1/'],
  ['address', 'https://①⓪.0.0.1/'],
  ['address', 'https://10.0.0.1./'],
  ['address', 'https://0/'],
  ['address', 'https://[::]/'],
  ['address', 'https://[fd00::1]/'],
  ['address', 'https://[fe80::1]/'],
  ['address', 'https://[::ffff:127.0.0.1]/'],
  ['address', 'https://[::ffff:7f00:1]/'],
  ['address', 'https://[::ffff:10.0.0.1]/'],
  ['address', 'https://[64:ff9b::127.0.0.1]/'],
  ['address', 'https://[64:ff9b::a00:1]/'],
  ['address', 'https://[2002:7f00:1::]/'],
]

test.each(alwaysRefused)('refused as %s even where loopback is open: %s', (reason, url) => {
  expect(checkTargetUrl(url, closed)).toEqual({ ok: false, reason })
  expect(checkTargetUrl(url, open)).toEqual({ ok: false, reason })
})

const openedByPolicy: [TargetRefusal, string][] = [
  ['scheme', 'http://localhost/'],
  ['scheme', 'http://shop.localhost/'],
  ['scheme', 'http://[::1]/'],
  ['scheme', 'http://127.0.0.1:3000/hooks'],
  ['address', 'https://127.0.0.1/'],
  ['address', 'https://127.8.9.10/'],
  ['address', 'https://2130706433/'],
  ['address', 'https://0x7f000001/'],
  ['address', 'https://0177.1/'],
  ['address', 'https://[::1]/'],
  ['host', 'https://localhost/'],
  ['host', 'https://LOCALHOST./'],
  ['host', 'https://shop.localhost/'],
]

test.each(openedByPolicy)('refused as %s unless loopback is open: %s', (reason, url) => {
  expect(checkTargetUrl(url, closed)).toEqual({ ok: false, reason })
  expect(checkTargetUrl(url, open)).toEqual({ ok: true, url: new URL(url) })
})
