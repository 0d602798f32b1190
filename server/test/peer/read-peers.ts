import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Peer } from './peer.ts'

const folder = join(import.meta.dirname, 'shops')

/** Every file of the folder is a shop, under the name of the file. */
export async function readPeers(): Promise<Map<string, Peer>> {
  const peers = new Map<string, Peer>()
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort()) {
    const { peer } = (await import(join(folder, file))) as { peer: Peer } // what each of these files exports
    peers.set(basename(file, '.ts'), peer)
  }
  return peers
}
