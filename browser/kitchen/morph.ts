/**
 * Makes an element equal to a fresh one and keeps the nodes that are alike, so that the focus stays where it is, and a finger on the
 * same button. Children with `data-line` are matched by it, all others by their place and tag.
 */
export function morph(old: Element, fresh: Element): void {
  // The person decides what is unfolded.
  const isKept = (name: string) => name === 'open' && old instanceof HTMLDetailsElement
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !isKept(name)) old.removeAttribute(name)
  for (const { name, value } of [...fresh.attributes])
    if (old.getAttribute(name) !== value) old.setAttribute(name, value)
  const byLine = new Map([...old.children].flatMap(child => (lineOf(child) ? [[lineOf(child), child]] : [])))
  let next = old.firstChild
  for (const wanted of [...fresh.childNodes]) {
    const line = lineOf(wanted)
    const same = line ? byLine.get(line) : next
    if (!same || !isAlike(same, wanted)) {
      old.insertBefore(wanted, next)
      continue
    }
    if (same === next) next = next.nextSibling
    else old.insertBefore(same, next)
    if (same instanceof Element && wanted instanceof Element) morph(same, wanted)
    else if (same.nodeValue !== wanted.nodeValue) same.nodeValue = wanted.nodeValue
  }
  while (next) {
    const after: ChildNode | null = next.nextSibling
    next.remove()
    next = after
  }
}

function lineOf(node: Node): string | undefined {
  return node instanceof HTMLElement ? node.dataset.line : undefined
}

function isAlike(a: Node, b: Node): boolean {
  return a.nodeName === b.nodeName && lineOf(a) === lineOf(b)
}
