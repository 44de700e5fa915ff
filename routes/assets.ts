import type { Handler } from './http/handler.ts'
import { refuse } from './http/reply.ts'

/** GET {basePath}/assets/{name}: the style sheet, the icon or the script of the pages. */
export const readAsset: Handler = ({ assets }, { parameters: { name = '' } }) => {
  const prepared = assets.named(name)
  return prepared ? { kind: 'prepared', prepared } : refuse('NOT_FOUND')
}
