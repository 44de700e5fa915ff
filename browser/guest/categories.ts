/** Marks the link to the section of the menu that is in view, in the row of sections at the top. */
export function markCategory(): void {
  const row = document.querySelector<HTMLElement>('.cats')
  if (!row) return
  const links = new Map(
    [...row.querySelectorAll<HTMLAnchorElement>('a')].map(link => [link.hash.slice(1), link] as const),
  )
  const inSight = new Set<Element>()
  const sections = [...document.querySelectorAll('section[id^="section-"]')]
  const observer = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) isIntersecting ? inSight.add(target) : inSight.delete(target)
      const first = sections.find(section => inSight.has(section))
      const link = first && links.get(first.id)
      if (!link || link.hasAttribute('aria-current')) return
      for (const each of links.values()) each.removeAttribute('aria-current')
      link.setAttribute('aria-current', 'true')
      const [shown, whole] = [link.getBoundingClientRect(), row.getBoundingClientRect()]
      // Not `scrollIntoView`, which would also scroll the page.
      row.scrollLeft += (shown.left + shown.right - whole.left - whole.right) / 2
    },
    // Sections count as in view in the upper part of the window, below the row.
    { rootMargin: '-64px 0px -60% 0px' },
  )
  for (const section of sections) observer.observe(section)
}
