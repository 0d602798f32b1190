/** Money of a simulator on this machine is nobody's, whatever mode moves it. */
export function isRehearsal(url: unknown): boolean {
  return typeof url === 'string' && /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(new URL(url).hostname)
}
