/** Something in a restaurant file, at a JSON Pointer, that stops it (a problem) or deserves a look (a warning). */
export interface Finding {
  pointer: string
  message: string
  /** What the thing at the pointer is called, where it has a title. */
  title?: string
}
