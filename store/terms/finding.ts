/** Something in a restaurant file, at a JSON Pointer, that prevents its import (a problem) or should be looked at (a warning). */
export interface Finding {
  pointer: string
  message: string
  /** The title of the record at the pointer, if it has one. */
  title?: string
}
