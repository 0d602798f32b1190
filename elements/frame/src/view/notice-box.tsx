import { type Notice, noticeText } from './steps.ts'
import type { Words } from './words.ts'

/** What keeps the whole form from going on. */
export function NoticeBox({ notice, words }: { readonly notice: Notice; readonly words: Words }) {
  const more = words.isTest && 'message' in notice ? notice.message : null
  return (
    <div class="notice" role="alert">
      <p>{noticeText(notice, words.sentences)}</p>
      {more === null ? null : <p lang="en">{more}</p>}
    </div>
  )
}
