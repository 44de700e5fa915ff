/** Where a row of chips is wider than the screen, it begins at the one that is chosen. */
export function showChosenChips(): void {
  for (const row of document.querySelectorAll<HTMLElement>('.chips')) {
    const chosen = row.querySelector('[aria-current]')
    if (!chosen || row.scrollWidth <= row.clientWidth) continue
    const [shown, whole] = [chosen.getBoundingClientRect(), row.getBoundingClientRect()]
    if (shown.right > whole.right) row.scrollLeft += shown.right - whole.right + MARGIN
  }
}

// A part of the next one shows that there are more.
const MARGIN = 48
