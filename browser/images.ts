// Sides in pixels and qualities, from what looks best to what is smallest.
const attempts = [
  [1600, 0.85],
  [1280, 0.8],
  [1024, 0.75],
  [800, 0.7],
  [640, 0.6],
] as const

/** Makes chosen photographs smaller before they are sent: a `data-shrink="bytes"` file field holds at most so many bytes. */
export function shrinkImages(): void {
  document.addEventListener('change', event => {
    const input = event.target
    if (input instanceof HTMLInputElement && input.dataset.shrink !== undefined) {
      void shrinkChosen(input, Number(input.dataset.shrink))
    }
  })
}

async function shrinkChosen(input: HTMLInputElement, most: number): Promise<void> {
  const [file] = input.files ?? []
  if (!file || file.size <= most) return
  const buttons = input.form?.querySelectorAll('button') ?? []
  for (const button of buttons) button.disabled = true
  const smaller = await shrunk(file, most).catch(() => undefined)
  for (const button of buttons) button.disabled = false
  // What cannot be read here is sent as it is, and the server says why it is refused.
  if (!smaller) return
  const chosen = new DataTransfer()
  chosen.items.add(smaller)
  input.files = chosen.files
}

async function shrunk(file: File, most: number): Promise<File | undefined> {
  const image = await createImageBitmap(file)
  for (const [side, quality] of attempts) {
    const scale = Math.min(1, side / Math.max(image.width, image.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(image.width * scale))
    canvas.height = Math.max(1, Math.round(image.height * scale))
    const context = canvas.getContext('2d')
    if (!context) return undefined
    // JPEG has no transparency.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', quality))
    if (blob && blob.size <= most) return new File([blob], 'image.jpg', { type: 'image/jpeg' })
  }
  return undefined
}
