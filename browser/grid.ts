/** A `data-grid` form is filled in like a spreadsheet: Enter goes down the column, and only changed cells are sent. */
export function fillGrids(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-grid]')) {
    const cells = () => [...form.querySelectorAll<HTMLInputElement>('table input')]
    form.addEventListener('keydown', event => {
      const cell = event.target
      if (event.key !== 'Enter' || !(cell instanceof HTMLInputElement) || !cell.closest('table')) return
      event.preventDefault()
      const next = below(cell, cells(), event.shiftKey ? -1 : 1)
      next?.focus()
      next?.select()
    })
    form.addEventListener('input', event => {
      const cell = event.target
      if (cell instanceof HTMLInputElement && cell.closest('table'))
        cell.toggleAttribute('data-changed', isChanged(cell))
    })
    form.addEventListener('formdata', event => {
      for (const cell of cells()) if (!isChanged(cell)) event.formData.delete(cell.name)
    })
  }
}

function isChanged(cell: HTMLInputElement): boolean {
  return cell.value !== (cell.dataset.was ?? cell.defaultValue)
}

/** The next cell in the same column. */
function below(cell: HTMLInputElement, cells: HTMLInputElement[], step: 1 | -1): HTMLInputElement | undefined {
  const columnOf = (each: HTMLInputElement) => each.closest('td')?.cellIndex
  const column = cells.filter(each => columnOf(each) === columnOf(cell))
  return column[column.indexOf(cell) + step]
}
