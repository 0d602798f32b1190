import type { RailStep } from '../messages.ts'
import { authorize } from './authorize.ts'
import { capture } from './capture.ts'
import type { RailEffect } from './effect.ts'
import { issueCredential } from './issue-credential.ts'
import { refund } from './refund.ts'
import { revoke, voidHold } from './release.ts'

/** Every call to a rail. The call to a merchant is `place.ts`. */
export const railEffects: Readonly<Record<RailStep, RailEffect>> = {
  authorize,
  issue_credential: issueCredential,
  capture,
  void: voidHold,
  revoke,
  refund,
}
