/** Shows only the dishes with all words of the search while the guest types. Sending the form finds the same ones on the server. */
export function searchWhileTyping(): void {
  const field = document.querySelector<HTMLInputElement>('form.find input[name="q"]')
  const nothing = document.getElementById('nothing-found')
  if (!field || !nothing) return
  const dishes = [...document.querySelectorAll<HTMLElement>('.dish')].map(dish => ({
    dish,
    text: folded(
      `${dish.dataset.find} ${dish.querySelector('h3')?.textContent} ${dish.querySelector('p')?.textContent}`,
    ),
  }))
  const sections = [...document.querySelectorAll<HTMLElement>('section[id^="section-"]')]
  field.addEventListener('input', () => {
    const words = folded(field.value).split(' ')
    for (const { dish, text } of dishes) dish.hidden = !words.every(word => text.includes(word))
    for (const section of sections) section.hidden = !section.querySelector('.dish:not([hidden])')
    nothing.hidden = sections.some(section => !section.hidden)
  })
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}
