/** Whether a check says yes within the time: a health check must not wait for a database that hangs. */
export async function isTrueWithTimeout(check: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs)
  })
  try {
    return await Promise.race([check().catch(() => false), late])
  } finally {
    clearTimeout(timer)
  }
}
