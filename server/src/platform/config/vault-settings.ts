/** Of the vault, and of those who ask it. */
export const vaultSettings = {
  PROKURA_VAULT_KEYS_FILE: {
    kind: { type: 'text' },
    default: null,
    description:
      'The file with the master keys of the vault, which no other process reads. Without it and without PROKURA_VAULT_KEYS, ' +
      'vault-master.keys in the state folder.',
  },
  PROKURA_VAULT_KEYS: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description:
      'The master keys of the vault themselves: id:base64 pairs separated by commas, oldest first.',
  },
  PROKURA_VAULT_STRIPE_KEY: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description:
      'A restricted key of Stripe that may read issued cards, by which the vault reads their numbers in live mode. No other process needs it, ' +
      'and the key of the workers needs no such permission.',
  },
  PROKURA_VAULT_DOORS: {
    kind: { type: 'text' },
    default: null,
    description:
      'The folder of the sockets of the vault: worker/door for API and workers, browser/door for the browser. `prokura up` sets it. ' +
      'Without it, the vault makes the folder vault in the state folder, and other processes ask no vault.',
  },
  PROKURA_VAULT_PORT: {
    kind: { type: 'integer', min: 0, max: 65_535 },
    default: null,
    description:
      "The port on which the vault takes cards from people's browsers, at HOST. 0, or nothing: it takes none.",
  },
  PROKURA_VAULT_URL: {
    kind: { type: 'url', protocols: ['http:', 'https:'], isBase: true },
    default: null,
    description:
      'Where browsers reach that port: an origin of its own, with TLS in front of it. The API tells it to them. `prokura up` sets it.',
  },
} as const
