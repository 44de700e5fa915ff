import type { App, Handler, Parameters } from './http/handler.ts'
import { refuse } from './http/reply.ts'
import { realPathInside } from './http/site-file.ts'

/** The kinds of image that are served, by the extension of the file. */
const contentTypes: Record<string, string | undefined> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

/**
 * Recognises the path of an image that the catalogue names; every other file of the site's folder, and every hidden one, stays
 * private.
 */
export function imageAt({ store }: App, path: string): Parameters | undefined {
  if (!contentTypeOf(path)) return undefined
  const image = unescaped(path.slice(1))
  if (image === undefined || image.split('/').some(segment => segment.startsWith('.'))) return undefined
  store.refresh()
  return store.catalogue.current().images.has(image) ? { image } : undefined
}

/**
 * GET {basePath}/{image}: an image of a published item. Needs no token and ignores the switches of the API, because browsers
 * load it for people.
 */
export const readImage: Handler = async ({ siteRoot }, { parameters: { image = '' } }) => {
  const path = await realPathInside(siteRoot, image)
  const type = contentTypeOf(image)
  return path && type ? { kind: 'file', path, type } : refuse('NOT_FOUND')
}

function contentTypeOf(path: string): string | undefined {
  return contentTypes[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
}

/** A path without its percent escapes; undefined when they are malformed or hide a slash. */
function unescaped(path: string): string | undefined {
  if (!path.includes('%')) return path
  try {
    const segments = path.split('/').map(decodeURIComponent)
    return segments.some(segment => segment.includes('/')) ? undefined : segments.join('/')
  } catch {
    return undefined
  }
}
