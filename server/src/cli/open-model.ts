import { readerInstructions, readerMoveMs } from '../channels/browser/model-reader.ts'
import type { ChatModel } from '../domain/chats/port.ts'
import type { ChatModelConfig } from '../platform/config/chat-settings.ts'
import type { NamedModel } from '../platform/config/model-address.ts'
import type { PageReaderConfig } from '../platform/config/page-reader-settings.ts'
import { createEgress, type StreamingEgress } from '../platform/egress/egress.ts'
import { readKeyFile } from './key-file.ts'

/** An egress that trusts the address of a model, and reaches nothing else of this machine. */
export function egressTo({ url }: NamedModel): ReturnType<typeof createEgress> {
  return createEgress({ allowLoopback: () => false, trustedOrigins: [new URL(url).origin] })
}

/** The model of chats. The library behind it takes a fifth of a second to load, and only where there is one. */
export async function openChatModel(
  { provider, model, url, keyFile }: ChatModelConfig,
  egress: StreamingEgress,
): Promise<ChatModel> {
  const key = keyFile === null ? null : readKeyFile('PROKURA_CHAT_KEY_FILE', keyFile)
  const { createAiSdkModel } = await import('../models/ai-sdk-model.ts')
  return createAiSdkModel({ provider, model, url, key }, { egress })
}

/** The model that is asked about pages: the same client, which is told another thing and has less time. */
export async function openReaderModel(
  { provider, model, url, key: given, keyFile }: PageReaderConfig,
  egress: StreamingEgress,
): Promise<ChatModel> {
  const key = keyFile === null ? given : readKeyFile('PROKURA_PAGE_READER_KEY_FILE', keyFile)
  const { createAiSdkModel } = await import('../models/ai-sdk-model.ts')
  const means = { egress, callMs: readerMoveMs, instructions: () => readerInstructions }
  return createAiSdkModel({ provider, model, url, key }, means)
}
