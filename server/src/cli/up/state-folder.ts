import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isThere, makeFolder, withFileWords } from '../../platform/files/file-trouble.ts'
import { CommandFailure } from '../failure.ts'

/** What `prokura up` keeps between starts, and how commands find the running service. */
export type StateFolder = {
  readonly path: string
  file(name: string): string
  read<T>(name: string): T | null
  /** Written completely or not at all, readable by its owner only. */
  write(name: string, value: unknown): void
}

/** Files of the folder, by their contents. */
export const stateFiles = {
  /** The account that `up` made, with its keys. */
  account: 'account.json',
  /** The same while it is being opened. */
  accountDraft: 'account.opening.json',
  /** Settings that further roles on the same database need. */
  environment: 'environment.json',
  encryptionKeys: 'vault.keys',
  /** The master keys of the vault process, which no other process reads. */
  vaultMasterKeys: 'vault-master.keys',
  /** The folder of the doors of the vault. */
  vaultDoors: 'vault',
  /** The folder of the browser process: its door, and the Chromium that it has unpacked. */
  browser: 'browser',
  sandbox: 'sandbox.json',
  /** The MCP configuration for an agent's host, with the key of the first account's agent. */
  mcp: 'mcp.json',
  /** The names of the sandbox's shops, for the roles. */
  names: 'sandbox-names.json',
  /** The ports of the sandbox. */
  ports: 'ports.json',
  /** The process that has claimed the folder. */
  lock: 'up.lock',
  /** The ends of the audit chains over time. */
  auditHeads: 'audit-heads.jsonl',
} as const

export function openStateFolder(path: string, { create }: { create: boolean }): StateFolder {
  const root = resolve(path)
  if (create) makeFolder(join(root, 'logs'), 0o755)
  else if (!isThere(root)) {
    throw new CommandFailure(
      `There is no state folder at ${root}. Start the service with \`npm start\`, or name its folder with --state DIR, or set DATABASE_URL.`,
    )
  }
  const file = (name: string) => join(root, name)
  return {
    path: root,
    file,
    read<T>(name: string): T | null {
      if (!isThere(file(name))) return null
      const text = withFileWords(file(name), () => readFileSync(file(name), 'utf8'))
      try {
        return JSON.parse(text) as T // written by `write` below
      } catch {
        throw new CommandFailure(
          `${file(name)} is damaged. Restore it from a copy, or remove it to start without it.`,
        )
      }
    },
    write(name, value) {
      const temporary = `${file(name)}.${process.pid}.tmp`
      writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
      chmodSync(temporary, 0o600)
      renameSync(temporary, file(name))
    },
  }
}
