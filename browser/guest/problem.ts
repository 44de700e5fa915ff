/** Moves the focus to the first field that was refused, else to the text that says what is wrong. Returns it. */
export function focusProblem(within: ParentNode): HTMLElement | null {
  const field = within.querySelector<HTMLElement>('[aria-invalid]')
  const problem = field ?? within.querySelector<HTMLElement>('[role="alert"]')
  if (problem && !field) problem.tabIndex = -1
  problem?.focus()
  return problem
}
