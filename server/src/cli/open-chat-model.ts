import type { ChatModel } from '../domain/chats/port.ts'
import type { ChatModelConfig } from '../platform/config/chat-settings.ts'
import type { StreamingEgress } from '../platform/egress/egress.ts'
import { readKeyFile } from './key-file.ts'

/** The model of chats. `egress` trusts its origin. The library behind it takes a fifth of a second to load, and only where there is one. */
export async function openChatModel(
  { provider, model, url, keyFile }: ChatModelConfig,
  egress: StreamingEgress,
): Promise<ChatModel> {
  const key = keyFile === null ? null : readKeyFile('PROKURA_CHAT_KEY_FILE', keyFile)
  const { createAiSdkModel } = await import('../models/ai-sdk-model.ts')
  return createAiSdkModel({ provider, model, url, key }, { egress })
}
