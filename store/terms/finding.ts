/** Something in a restaurant file, at a JSON Pointer, that stops it (a problem) or deserves a look (a warning). */
export interface Finding {
  pointer: string
  message: string
}
