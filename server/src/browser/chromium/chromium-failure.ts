/** Chromium cannot be used here. The message is for people, and says what to do. */
export class ChromiumFailure extends Error {
  override readonly name = 'ChromiumFailure'
}
