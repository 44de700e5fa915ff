import type { Html } from '../html/html.ts'
import type { Exchange } from './reply.ts'

/** Every way in which a request is refused: code, status and title (section 7 of the contract, decision A4). */
export const refusals = {
  BAD_REQUEST: [400, 'The request is not valid HTTP.'],
  INVALID_ORDER: [400, 'One of the items is no longer available.'],
  INVALID_TOKEN: [401, 'Invalid API token'],
  NOT_LOGGED_IN: [401, 'Log in first.'],
  MODULE_DISABLED: [403, 'This module is disabled.'],
  API_DISABLED: [403, 'API is disabled'],
  NOT_ALLOWED: [403, 'Your role does not allow this.'],
  CROSS_SITE: [403, 'This request did not come from a page of this site.'],
  NOT_FOUND: [404, 'There is nothing at this address.'],
  UNKNOWN_LOCATION: [404, 'Unknown location'],
  METHOD_NOT_ALLOWED: [405, 'This method is not allowed here.'],
  REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  PAYLOAD_TOO_LARGE: [413, 'The request body is too large.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The request body must be JSON: Content-Type application/json, UTF-8, not compressed.'],
  EXPECTATION_FAILED: [417, 'This expectation can not be met.'],
  UNKNOWN_HOST: [
    421,
    'This site is not known by this name. Whoever runs it can add the name to HOSTS (docs/deploy.md).',
  ],
  RATE_LIMITED: [429, 'Too many orders from this address. Try again shortly.'],
  TOO_MANY_LOG_INS: [429, 'Too many wrong tries. Try again shortly.'],
  HEADERS_TOO_LARGE: [431, 'The request headers are too large.'],
  ORDER_FAILED: [500, 'The order could not be created.'],
  SERVER_ERROR: [500, 'The server could not answer this request.'],
  DISK_FAILED: [500, 'The disk is full or cannot be written.'],
  NOT_IMPLEMENTED: [501, 'This transfer coding is not supported; send the body as it is.'],
  TOO_BUSY: [503, 'The server is busy. Try again shortly.'],
  SHUTTING_DOWN: [503, 'The server is shutting down. Try again shortly.'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type RefusalCode = keyof typeof refusals

/** How the clients of a route read a refusal: programs as JSON, people as the page that this makes. */
export type RefusalFormat = 'json' | ((exchange: Exchange, code: RefusalCode) => Html)
