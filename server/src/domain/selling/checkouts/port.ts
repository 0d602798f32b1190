import { definePort } from '../../../contract/port.ts'
import type { MessageSigner } from '../../../protocols/ucp/sign-message.ts'

/** Signs what merchants of ours tell platforms. */
export const OrderSigner = definePort<{ signer(): Promise<MessageSigner> }>('signer of orders')
