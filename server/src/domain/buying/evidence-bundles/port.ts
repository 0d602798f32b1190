import { definePort } from '../../../contract/port.ts'
import type { SigningKeys } from '../../../platform/signatures/signing-keys.ts'

/** The key by which the service signs what it says of itself. */
export type BundleSigner = Pick<SigningKeys, 'signer'>

export const BundleSigner = definePort<BundleSigner>('signer of evidence bundles')

/** Says to those who verify a signature of ours that it is one of a bundle. */
export const bundleType = 'prokura-evidence-bundle+json'
