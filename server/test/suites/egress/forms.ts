import fc from 'fast-check'
import { addressIn, insideV6, publicV6, readV4, type Standing, standingOfV4, writeV6 } from './ranges.ts'

/** A URL, and the right verdict on it: every form of an address inside is refused. */
export type Form = { url: string; standing: Standing; about: string }

/** The ways to write the four bytes of an address. `reads`: URL parsers read this text as that address. */
type Writing = { about: string; reads: boolean; write: (address: number, random: number) => string }

const bytesOf = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255)
const dotted = (address: number) => bytesOf(address).join('.')
const groupsOf = (address: number) => `${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}`

function part(value: number, style: number): string {
  const styles = [
    String(value),
    `0x${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `0${value.toString(8)}`,
    `000${value.toString(8)}`,
    `0x000${value.toString(16)}`,
  ]
  return styles[style % styles.length] ?? ''
}

const spell = (text: string, from: number) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(from + Number(digit)))

const percent = (text: string) =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

const v4Writings: readonly Writing[] = [
  { about: 'dotted', reads: true, write: dotted },
  { about: 'decimal', reads: true, write: (address) => String(address) },
  { about: 'hexadecimal', reads: true, write: (address) => `0x${address.toString(16)}` },
  { about: 'octal', reads: true, write: (address) => `0${address.toString(8)}` },
  {
    about: 'mixed',
    reads: true,
    write: (address, random) =>
      bytesOf(address)
        .map((byte, index) => part(byte, (random >>> (index * 4)) & 15))
        .join('.'),
  },
  {
    about: 'two parts',
    reads: true,
    write: (address, random) => `${part(address >>> 24, random)}.${part(address & 0xff_ffff, random >>> 4)}`,
  },
  {
    about: 'three parts',
    reads: true,
    write: (address, random) =>
      `${part(address >>> 24, random)}.${(address >>> 16) & 255}.${part(address & 0xffff, random >>> 4)}`,
  },
  { about: 'root dot', reads: true, write: (address) => `${dotted(address)}.` },
  { about: 'two root dots', reads: false, write: (address) => `${dotted(address)}..` },
  { about: 'full-width', reads: true, write: (address) => spell(dotted(address), 0xff10) },
  { about: 'mathematical digits', reads: true, write: (address) => spell(dotted(address), 0x1d7ce) },
  { about: 'ideographic dots', reads: true, write: (address) => dotted(address).replaceAll('.', '\u3002') },
  { about: 'half-width dots', reads: true, write: (address) => dotted(address).replaceAll('.', '\uff61') },
  { about: 'percent-encoded', reads: true, write: (address) => percent(dotted(address)) },
  { about: 'percent-encoded twice', reads: false, write: (address) => percent(percent(dotted(address))) },
  { about: 'soft hyphens', reads: true, write: (address) => dotted(address).replaceAll('.', '.\u00ad') },
  { about: 'too large', reads: false, write: (address) => String(address + 2 ** 32) },
  { about: 'brackets', reads: false, write: (address) => `[${dotted(address)}]` },
  { about: 'five parts', reads: false, write: (address) => `${dotted(address)}.0` },
]

/** Version 6 around version 4. `carries`: it is as public as the address in it. The others lead nowhere public at all. */
const v6Writings: readonly { about: string; carries: boolean; write: (address: number) => string }[] = [
  { about: 'v4-mapped', carries: true, write: (address) => `::ffff:${dotted(address)}` },
  { about: 'v4-mapped in groups', carries: true, write: (address) => `0:0:0:0:0:FFFF:${groupsOf(address)}` },
  { about: 'NAT64', carries: true, write: (address) => `64:ff9b::${dotted(address)}` },
  { about: 'NAT64 in groups', carries: true, write: (address) => `64:ff9b::${groupsOf(address)}` },
  { about: 'v4-compatible', carries: false, write: (address) => `::${dotted(address)}` },
  { about: 'SIIT', carries: false, write: (address) => `::ffff:0:${dotted(address)}` },
  { about: 'NAT64 of one\u2019s own', carries: false, write: (address) => `64:ff9b:1::${dotted(address)}` },
  { about: '6to4', carries: false, write: (address) => `2002:${groupsOf(address)}::1` },
  {
    about: 'Teredo',
    carries: false,
    write: (address) => `2001:0:4136:e378:8000:63bf:${groupsOf(~address >>> 0)}`,
  },
  { about: 'ISATAP', carries: false, write: (address) => `fe80::5efe:${dotted(address)}` },
  { about: 'a zone', carries: false, write: (address) => `::ffff:${dotted(address)}%25lo` },
]

const known = [
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '10.0.0.1',
  '172.17.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '1.1.1.1',
  '93.184.216.34',
].map(readV4)

const v4Address = fc.oneof(
  fc.constantFrom(...known),
  fc.nat({ max: 0xffff_ffff }).map((address) => address >>> 0),
)

type Host = { host: string; standing: Standing; about: string }

const v4Host = fc
  .record({ address: v4Address, writing: fc.constantFrom(...v4Writings), random: fc.nat() })
  .map(({ address, writing, random }): Host => {
    const standing = standingOfV4(address)
    return {
      host: writing.write(address, random),
      standing: standing === 'public' && !writing.reads ? 'either' : standing,
      about: writing.about,
    }
  })

const v6Host = fc
  .record({ address: v4Address, writing: fc.constantFrom(...v6Writings) })
  .map(({ address, writing }): Host => {
    const inside = !writing.carries || standingOfV4(address) === 'inside'
    return {
      host: `[${writing.write(address)}]`,
      standing: inside ? 'inside' : 'either',
      about: writing.about,
    }
  })

const v6Native = fc
  .record({
    network: fc.constantFrom(...insideV6, ...publicV6),
    low: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
    loud: fc.boolean(),
  })
  .map(({ network, low, loud }): Host => {
    const text = writeV6(addressIn(network, low))
    const standing = publicV6.includes(network) ? 'public' : 'inside'
    return { host: `[${loud ? text.toUpperCase() : text}]`, standing, about: 'version 6' }
  })

const insideNames = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  'metadata.google.internal..',
  'shop..localhost',
  'shop.localhost',
  'a.b.LocalHost.',
  '\uff4cocalhost',
  'loc\u00adalhost',
  '\u24dbocalhost',
  'loc%61lhost',
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
  'localhost4',
  'broadcasthost',
  'metadata',
  'metadata.google.internal',
  'metadata.google.internal.',
  'instance-data',
  'host.docker.internal',
  'gateway.docker.internal',
  'kubernetes.default.svc.cluster.local',
  'postgres',
  'printer.local',
  'router.home.arpa',
  'nas.lan',
  'wiki.corp',
  'wiki.intranet',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::1%25lo]',
  '[fe80::1%25eth0]',
  '[fe80::1%eth0]',
  '[fd00:ec2::254]',
]

const nameHost = fc.oneof(
  fc.constantFrom(...insideNames).map((host): Host => ({ host, standing: 'inside', about: 'a name' })),
  fc
    .stringMatching(/^[a-z]([a-z0-9]{0,8}[a-z0-9])?\.(com|org|example)$/)
    .map((host): Host => ({ host, standing: 'public', about: 'a public name' })),
)

/**
 * The places of a URL where an address can hide. Each URL leads to its host. A URL that pretends another host is refused for that alone.
 */
const dresses: readonly { about: string; honest: boolean; wear: (host: string, port: string) => string }[] = [
  { about: 'plain', honest: true, wear: (host, port) => `https://${host}${port}/hooks` },
  { about: 'upper case', honest: true, wear: (host, port) => `HTTPS://${host}${port}/` },
  { about: 'query', honest: true, wear: (host, port) => `https://${host}${port}?to=https://shop.example` },
  { about: 'http', honest: false, wear: (host, port) => `http://${host}${port}/` },
  { about: 'userinfo', honest: false, wear: (host, port) => `https://shop.example@${host}${port}/` },
  { about: 'password', honest: false, wear: (host, port) => `https://shop.example:443@${host}${port}/` },
  { about: 'backslash', honest: false, wear: (host, port) => `https:\\\\${host}${port}\\` },
  {
    about: 'backslash before @',
    honest: false,
    wear: (host, port) => `https://${host}${port}\\@shop.example/`,
  },
  { about: 'one slash', honest: false, wear: (host, port) => `https:/${host}${port}/` },
  { about: 'many slashes', honest: false, wear: (host, port) => `https:////${host}${port}/` },
  {
    about: 'tab',
    honest: false,
    wear: (host, port) => `https://${host.slice(0, 2)}\t${host.slice(2)}${port}/`,
  },
  { about: 'new line', honest: false, wear: (host, port) => `https://${host}${port}\n/` },
  { about: 'leading space', honest: false, wear: (host, port) => ` https://${host}${port}/` },
  { about: 'other scheme', honest: false, wear: (host, port) => `gopher://${host}${port}/` },
  { about: 'file', honest: false, wear: (host) => `file://${host}/etc/hostname` },
  { about: 'fragment', honest: false, wear: (host, port) => `https://${host}${port}#@shop.example/` },
]

/** URLs in every form that this suite knows. `ports` are those with a listener. */
export function urlForms(ports: readonly number[]): fc.Arbitrary<Form> {
  const port = fc.oneof(
    fc.constant(''),
    fc.constantFrom(...ports).map((one) => `:${one}`),
  )
  const dress = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...dresses.filter(({ honest }) => honest)) },
    { weight: 1, arbitrary: fc.constantFrom(...dresses) },
  )
  return fc
    .record({ host: fc.oneof(v4Host, v6Host, v6Native, nameHost), dress, port })
    .map(({ host, dress, port }) => ({
      url: dress.wear(host.host, port),
      standing: host.standing === 'public' && !dress.honest ? 'either' : host.standing,
      about: `${host.about}, ${dress.about}`,
    }))
}
