/** A network: its first address as a number, and the length of its prefix in bits. */
type Network = { first: bigint; bits: number }

/** Written from the IANA registries of special-purpose addresses, not from the product's own list. */
const insideV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The host agent of one cloud, at an address of ordinary form.
  '168.63.129.16/32',
].map(networkV4)

/** Reachable by their registries, yet of no use to a webhook: either verdict is right. */
const eitherV4 = ['192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24'].map(networkV4)

export type Standing = 'inside' | 'public' | 'either'

export function standingOfV4(address: number): Standing {
  if (insideV4.some((network) => contains(network, BigInt(address), 32))) return 'inside'
  return eitherV4.some((network) => contains(network, BigInt(address), 32)) ? 'either' : 'public'
}

/** Networks of version 6 in which no address is on the public internet, with any address embedded. */
export const insideV6: readonly Network[] = [
  { first: 0n, bits: 96 }, // unspecified, loopback, v4-compatible
  network6(0xffff_0000n, 80, 96), // SIIT: ::ffff:0:a.b.c.d
  network6(0x0064_ff9b_0001n, 80, 48), // NAT64 of one's own
  network6(0x0100n, 112, 64), // discard
  network6(0x2001_0000n, 96, 32), // Teredo
  network6(0x2001_0002_0000n, 80, 48), // benchmarking
  network6(0x2001_0db8n, 96, 32), // documentation
  network6(0x2002n, 112, 16), // 6to4
  network6(0x3fff_0000n, 96, 20), // documentation
  network6(0x5f00n, 112, 16), // segment routing
  network6(0xfc00n, 112, 7), // unique local
  network6(0xfe80n, 112, 10), // link-local
  network6(0xfec0n, 112, 10), // site-local
  network6(0xff00n, 112, 8), // multicast
]

/** Networks with owners on the public internet. */
export const publicV6: readonly Network[] = [
  network6(0x2606_4700n, 96, 32),
  network6(0x2a00_1450n, 96, 32),
  network6(0x2400_cb00n, 96, 32),
]

/** The address with these low bits in a network. */
export function addressIn({ first, bits }: Network, low: bigint): bigint {
  const free = BigInt(128 - bits)
  return first | (low & ((1n << free) - 1n))
}

/** Eight groups, without any shortening. */
export function writeV6(address: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (address >> BigInt(112 - 16 * index)) & 0xffffn)
  return groups.map((group) => group.toString(16)).join(':')
}

export function readV4(text: string): number {
  return text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function networkV4(text: string): Network {
  const [address = '', bits] = text.split('/')
  return { first: BigInt(readV4(address)), bits: Number(bits) }
}

function network6(head: bigint, shift: number, bits: number): Network {
  return { first: head << BigInt(shift), bits }
}

function contains({ first, bits }: Network, address: bigint, width: number): boolean {
  const free = BigInt(width - bits)
  return address >> free === first >> free
}
