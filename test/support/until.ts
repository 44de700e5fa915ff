/** Resolves once a condition is true; rejects after 10 seconds. */
export async function until(
  isSo: () => boolean,
  otherwise: string | (() => string) = 'it never came so',
  ms = 10_000,
): Promise<void> {
  const end = performance.now() + ms
  while (!isSo()) {
    if (performance.now() > end) throw new Error(typeof otherwise === 'string' ? otherwise : otherwise())
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
